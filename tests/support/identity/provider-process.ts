import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import Provider, { type Configuration, errors } from 'oidc-provider';

/*
 * An OpenID Connect provider in a process of its own: oidc-provider, with accounts and a client that its parent gives.
 * Whoever comes is logged in as the account of the last message, without a form. It exchanges ID tokens of its client
 * for identity assertions (ID-JAG) by a policy that its parent gives.
 */

export interface ProviderSettings {
  port: number;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  backchannelLogoutUri: string;
  /** An MCP host, as whose user people log in as well. */
  host: { clientId: string; clientSecret: string; redirectUri: string };
}

/** For whom assertions are issued: the client's id at the other server, and the scopes that it may have there. */
export interface AgentPolicy {
  clientId: string;
  scope: string;
}

export interface Account {
  sub: string;
  [claim: string]: unknown;
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

let account: Account | 'denied' = { sub: 'nobody' };
let agent: AgentPolicy | undefined;

process.on('message', (message: { account?: Account | 'denied'; agent?: AgentPolicy }) => {
  account = message.account ?? account;
  agent = message.agent ?? agent;
  process.send?.({ done: true });
});
process.on('disconnect', () => process.exit());

const settings = JSON.parse(process.env.PROVIDER_SETTINGS ?? '{}') as ProviderSettings;
const server = createServer();
await new Promise<void>((resolve) => server.listen(settings.port, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
const issuer = `http://localhost:${port}`;

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
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
    {
      client_id: settings.host.clientId,
      client_secret: settings.host.clientSecret,
      redirect_uris: [settings.host.redirectUri],
      grant_types: ['authorization_code', TOKEN_EXCHANGE],
      token_endpoint_auth_method: 'client_secret_post',
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

interface Exchange {
  subject_token: string;
  audience: string;
  resource: string;
  requested_token_type: string;
}
provider.registerGrantType<Exchange>(
  TOKEN_EXCHANGE,
  async (context) => {
    const { client, params } = context.oidc;
    const { audience, resource, scope = '' } = params;
    const { payload } = await jwtVerify(params.subject_token, publicKey, { issuer, audience: client.clientId });
    if (params.requested_token_type !== ID_JAG || agent === undefined) throw new errors.InvalidRequest('no policy');
    const allowed = agent.scope.split(' ').filter((one) => scope.split(' ').includes(one));
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: issuer, sub: payload.sub, aud: audience, resource, client_id: agent.clientId },
      ...{ iat: now, exp: now + 300, jti: randomUUID(), scope: allowed.join(' ') },
    };
    const header = { alg: 'RS256', typ: 'oauth-id-jag+jwt', kid: key.kid };
    const assertion = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
    context.body = { issued_token_type: ID_JAG, access_token: assertion, token_type: 'N_A', expires_in: 300 };
  },
  ['subject_token', 'subject_token_type', 'audience', 'resource', 'scope', 'requested_token_type'],
);
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
