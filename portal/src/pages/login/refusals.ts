import { t } from '../../language/index.ts';

/** By the word in the address after a refused login with an identity provider. No text of the address is shown. */
const REFUSALS: Record<string, string> = {
  cancelled: t('You did not log in there. Try again, or choose another way.'),
  expired: t('This login took too long, or began in another window. Try again.'),
  unreachable: t('The identity provider does not answer. Try again in a while.'),
  misconfigured: t(
    'The identity provider is not set up right. Ask an administrator to test it on the page “Single sign-on”.',
  ),
  untrusted: t('The answer of the identity provider was refused. Try again; if it stays, ask an administrator.'),
  clock: t('The clocks of this server and of the identity provider differ too much. Ask an administrator.'),
  outsider: t('Your account there may not log in here. Ask an administrator.'),
  no_email: t('The identity provider tells no verified e-mail of you. Ask an administrator.'),
  not_linked: t(
    'There is a user with your e-mail already, whom this identity provider may not log in. Ask an administrator.',
  ),
  no_user: t('There is no user for your account yet. Ask an administrator to make one.'),
  no_role: t('Your account has no role here. Ask an administrator.'),
  no_tenant: t('Your account belongs to no tenant here. Ask the operator.'),
  inactive: t('Your user is deactivated. Ask an administrator.'),
  unknown_provider: t('This identity provider is not there any more, or is switched off. Choose another way.'),
  busy: t('The login could not be finished just now. Try again.'),
};

export function refusalText(refused: string | undefined): string | null {
  if (refused === undefined) return null;
  return (Object.hasOwn(REFUSALS, refused) && REFUSALS[refused]) || t('The login was refused. Try again.');
}
