import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';

/*
 * An OpenID Connect provider in a process of its own: oidc-provider, with accounts and a client that its parent gives.
 * Whoever comes is logged in as the account of the last message, without a form.
 */

export interface ProviderSettings {
  port: number;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  backchannelLogoutUri: string;
}

export interface Account {
  sub: string;
  [claim: string]: unknown;
}

let account: Account | 'denied' = { sub: 'nobody' };

process.on('message', (message: { account: Account | 'denied' }) => {
  ({ account } = message);
  process.send?.({ done: true });
});
process.on('disconnect', () => process.exit());

const settings = JSON.parse(process.env.PROVIDER_SETTINGS ?? '{}') as ProviderSettings;
const server = createServer();
await new Promise<void>((resolve) => server.listen(settings.port, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
const issuer = `http://localhost:${port}`;

const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const key = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' };
const accounts = new Map<string, Account>();

const configuration: Configuration = {
  clients: [
    {
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      redirect_uris: [settings.redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
      backchannel_logout_uri: settings.backchannelLogoutUri,
      backchannel_logout_session_required: true,
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: ['only for tests'] },
  claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
  // Its own dispatcher refuses loopback addresses, where the test's app is.
  fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...(accounts.get(sub) ?? { sub }) }) }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! });
    grant.addOIDCScope('openid email profile groups');
    await grant.save();
    return grant;
  },
  ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Grant: 600, Session: 600, Interaction: 600 },
};
const provider = new Provider(issuer, configuration);
const answer = provider.callback();
server.on('request', async (request, response) => {
  if (!request.url?.startsWith('/interaction/')) return answer(request, response);
  if (account === 'denied') {
    const denied = { error: 'access_denied', error_description: 'The person refused.' };
    return provider.interactionFinished(request, response, denied, { mergeWithLastSubmission: false });
  }
  accounts.set(account.sub, account);
  return provider.interactionFinished(request, response, { login: { accountId: account.sub } });
});
process.send?.({ issuer });
