import * as client from 'openid-client';
import type { OpenedProvider } from '../core/access/sso/relying-party.ts';
import type { ProviderCheck } from '../core/access/sso/schema.ts';
import { sentence } from '../core/base/shared/text.ts';
import { identityFaultOf } from './faults.ts';

type Check = ProviderCheck['checks'][number];

interface ExaminationParts {
  configurationWith(clientAuthentication: OpenedProvider['clientAuthentication']): Promise<client.Configuration>;
  keysAt(address: string): Promise<{ keys: object[] }>;
}

/** Looks at what a login would need. The client is tried with a code that does not exist. */
export async function examineProvider(
  provider: OpenedProvider,
  redirectUri: string,
  parts: ExaminationParts,
): Promise<ProviderCheck> {
  const checks: Check[] = [];
  const configuration = await parts.configurationWith(provider.clientAuthentication).catch((error: unknown) => {
    checks.push({ check: 'discovery', outcome: 'failed', message: sentence(identityFaultOf(error).message) });
    return null;
  });
  if (configuration !== null) {
    const server = configuration.serverMetadata();
    checks.push({
      check: 'discovery',
      outcome: 'ok',
      message: `The provider is there, and its issuer is ${server.issuer}.`,
    });
    checks.push(pkceCheck(server), await keysCheck(server, parts), claimsCheck(provider, server));
    checks.push(await clientCheck(provider, redirectUri, configuration, parts));
  }
  return { works: checks.every(({ outcome }) => outcome !== 'failed'), checks };
}

function pkceCheck({ code_challenge_methods_supported: methods }: client.ServerMetadata): Check {
  if (methods?.includes('S256'))
    return { check: 'pkce', outcome: 'ok', message: 'The provider supports PKCE with S256.' };
  if (methods === undefined) {
    const message = 'The provider does not say whether it supports PKCE. Logins use it; some providers ignore it.';
    return { check: 'pkce', outcome: 'unknown', message };
  }
  return {
    check: 'pkce',
    outcome: 'failed',
    message: 'The provider does not support PKCE with S256, which logins use.',
  };
}

async function keysCheck({ jwks_uri: address }: client.ServerMetadata, { keysAt }: ExaminationParts): Promise<Check> {
  const failed = (message: string): Check => ({ check: 'keys', outcome: 'failed', message });
  if (address === undefined) return failed('The provider names no key set, so its tokens cannot be verified.');
  try {
    const { keys } = await keysAt(address);
    if (!Array.isArray(keys) || keys.length === 0) return failed('The key set of the provider is empty.');
    return {
      check: 'keys',
      outcome: 'ok',
      message: `The key set has ${keys.length === 1 ? 'one key' : `${keys.length} keys`}.`,
    };
  } catch (error) {
    return failed(sentence(identityFaultOf(error).message));
  }
}

function claimsCheck({ roleClaim, tenantClaim }: OpenedProvider, server: client.ServerMetadata): Check {
  const supported = server.claims_supported;
  const wanted = [
    'email',
    ...[roleClaim, tenantClaim].flatMap((claim) => (claim === null ? [] : [claim.split('.')[0]!])),
  ];
  const missing = supported === undefined ? [] : wanted.filter((claim) => !supported.includes(claim));
  if (supported !== undefined && missing.length === 0) {
    return { check: 'claims', outcome: 'ok', message: `The provider says that it knows ${wanted.join(', ')}.` };
  }
  const what = missing.length > 0 ? missing.join(', ') : wanted.join(', ');
  const message = `The provider does not list ${what} among its claims. It may send them nevertheless, once it is set up to.`;
  return { check: 'claims', outcome: 'unknown', message };
}

async function clientCheck(
  provider: OpenedProvider,
  redirectUri: string,
  configuration: client.Configuration,
  { configurationWith }: ExaminationParts,
): Promise<Check> {
  const outcome = (outcome: Check['outcome'], message: string): Check => ({ check: 'client', outcome, message });
  const error = await errorForNoCode(configuration, redirectUri);
  if (error === 'invalid_grant') return outcome('ok', 'The provider accepts the client id and its secret.');
  if (error === 'unreachable') return outcome('failed', 'The token endpoint does not answer.');
  if (error !== 'invalid_client' && error !== 'unauthorized_client') {
    return outcome('unknown', `Whether client id and secret are right cannot be told: the provider answered ${error}.`);
  }
  for (const other of provider.clientSecret === null ? [] : (['basic', 'post'] as const)) {
    const accepted = await errorForNoCode(await configurationWith(other), redirectUri).catch(() => null);
    if (accepted === 'invalid_grant') return outcome('failed', `The provider wants clientAuthentication: ${other}.`);
  }
  const message = provider.clientSecret === null ? 'It may want a client secret.' : 'Copy client id and secret again.';
  return outcome('failed', `The provider refuses the client (${error}). ${message}`);
}

/** The error of the token endpoint for a code that does not exist. */
async function errorForNoCode(configuration: client.Configuration, redirectUri: string): Promise<string> {
  const parameters = {
    code: 'connection-test',
    redirect_uri: redirectUri,
    code_verifier: client.randomPKCECodeVerifier(),
  };
  try {
    await client.genericGrantRequest(configuration, 'authorization_code', parameters);
    return 'a token for a code that does not exist';
  } catch (thrown) {
    const { error, code } = thrown as { error?: unknown; code?: unknown };
    if (typeof error === 'string' && /^[a-z_]{1,60}$/.test(error)) return error;
    if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return 'invalid_client';
    return identityFaultOf(thrown).kind === 'unreachable' ? 'unreachable' : 'something else than expected';
  }
}
