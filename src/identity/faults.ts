import { IdentityProviderFault } from '../core/access/sso/relying-party.ts';

/** Codes of RFC 6749 and OpenID Connect alone: other texts of a provider are never shown. */
const CODE = /^[a-z_]{1,60}$/;
const MAX_DEPTH = 5;

interface ErrorLike {
  code?: unknown;
  error?: unknown;
  status?: unknown;
  message?: unknown;
  cause?: unknown;
}

/** The meaning of an error of openid-client or jose. */
export function identityFaultOf(thrown: unknown): IdentityProviderFault {
  for (let error = thrown as ErrorLike | undefined, depth = 0; error && depth < MAX_DEPTH; depth += 1) {
    if (error instanceof IdentityProviderFault) return error;
    const found = knownFault(error, thrown);
    if (found) return found;
    error = typeof error.cause === 'object' ? (error.cause as ErrorLike) : undefined;
  }
  return new IdentityProviderFault('rejected', `the answer of the provider is refused${reasonOf(thrown)}`, thrown);
}

function knownFault({ code, error, status, cause }: ErrorLike, thrown: unknown): IdentityProviderFault | null {
  const fault = (kind: IdentityProviderFault['kind'], message: string) =>
    new IdentityProviderFault(kind, message, thrown);
  const said = typeof error === 'string' && CODE.test(error) ? error : null;
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    if (said === 'access_denied') return fault('cancelled', 'the provider says that access was denied');
    return fault('client', `the provider refused the login${said === null ? '' : `: ${said}`}`);
  }
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') {
    if (said === 'invalid_grant')
      return fault('rejected', 'the provider refused the code (invalid_grant): it was used, or has expired');
    return fault(
      'client',
      `the provider refused the client${said === null ? '' : `: ${said}`} (status ${String(status)})`,
    );
  }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE')
    return fault('client', 'the provider refused the client (status 401)');
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' || code === 'ERR_JWT_EXPIRED') {
    return fault(
      'clock',
      'a token of the provider has expired or is not valid yet: compare the clocks of both machines',
    );
  }
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT')
    return fault('unreachable', 'the provider did not answer in time');
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    const answered = (cause as { status?: unknown } | undefined)?.status ?? status;
    const shown = typeof answered === 'number' ? ` (status ${answered})` : '';
    const isDown = typeof answered === 'number' && answered >= 500;
    return fault(
      isDown ? 'unreachable' : 'discovery',
      `the provider answered with something else than expected${shown}`,
    );
  }
  return null;
}

/** The libraries' own messages hold no values, but their causes do. */
function reasonOf(thrown: unknown): string {
  const { cause, message } = thrown as ErrorLike;
  const inner = (cause as ErrorLike | undefined)?.message ?? message;
  const text = typeof inner === 'string' ? inner.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 150) : '';
  return text === '' ? '' : `: ${text}`;
}
