/** By the word in the address after a refused login with an identity provider. No text of the address is shown. */
const REFUSALS: Record<string, string> = {
  cancelled: 'You did not log in there. Try again, or choose another way.',
  expired: 'This login took too long, or began in another window. Try again.',
  unreachable: 'The identity provider does not answer. Try again in a while.',
  misconfigured:
    'The identity provider is not set up right. Ask an administrator to test it on the page “Single sign-on”.',
  untrusted: 'The answer of the identity provider was refused. Try again; if it stays, ask an administrator.',
  clock: 'The clocks of this server and of the identity provider differ too much. Ask an administrator.',
  outsider: 'Your account there may not log in here. Ask an administrator.',
  no_email: 'The identity provider tells no verified e-mail of you. Ask an administrator.',
  not_linked:
    'There is a user with your e-mail already, whom this identity provider may not log in. Ask an administrator.',
  no_user: 'There is no user for your account yet. Ask an administrator to make one.',
  no_role: 'Your account has no role here. Ask an administrator.',
  no_tenant: 'Your account belongs to no tenant here. Ask the operator.',
  inactive: 'Your user is deactivated. Ask an administrator.',
  unknown_provider: 'This identity provider is not there any more, or is switched off. Choose another way.',
  busy: 'The login could not be finished just now. Try again.',
};

export function refusalText(refused: string | undefined): string | null {
  if (refused === undefined) return null;
  return (Object.hasOwn(REFUSALS, refused) && REFUSALS[refused]) || 'The login was refused. Try again.';
}
