import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import type { TestApp, TestResponse } from '../app.ts';
import { tokenRequest } from '../oauth.ts';
import type { FaultyProvider } from './faulty-provider.ts';
import { HOST, type RunningProvider } from './provider.ts';
import { CookieJar, visit } from './sign-in.ts';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const TYP = 'oauth-id-jag+jwt';

/** Claims of an assertion that is right: of the issuer for the client, valid for five minutes. */
export function idJagClaims(app: Pick<TestApp, 'url'>, issuer: string, clientId: string) {
  const now = Math.floor(Date.now() / 1_000);
  return {
    ...{ iss: issuer, sub: 'person-1', aud: app.url, resource: `${app.url}/mcp`, client_id: clientId },
    ...{ iat: now, exp: now + 300, jti: randomUUID(), scope: 'mcp:read knowledge:read' },
    ...{ email: 'person-1@corp.example', email_verified: true },
  };
}

export function signed(
  provider: FaultyProvider,
  claims: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const { kid, privateKey } = provider.keys();
  // Undefined leaves a member out.
  const whole = JSON.parse(JSON.stringify({ alg: 'RS256', typ: TYP, kid, ...header }, (_, value) => value));
  return new SignJWT(claims).setProtectedHeader(whole).sign(privateKey);
}

/** The token request of a public client. */
export function redeem(
  app: TestApp,
  clientId: string,
  assertion: string,
  parameters: Record<string, string> = {},
): Promise<TestResponse> {
  return tokenRequest(app, { grant_type: JWT_BEARER, client_id: clientId, assertion, ...parameters });
}

/** Of the person of the provider's last message, who logs in to the MCP host with it. */
export async function idTokenOfHost({ issuer }: Pick<RunningProvider, 'issuer'>): Promise<string> {
  const { clientId, clientSecret, redirectUri } = HOST;
  const verifier = randomBytes(32).toString('base64url');
  const asked = {
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope: 'openid email' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const jar = new CookieJar();
  let { location } = await visit(jar, `${issuer}/auth?${new URLSearchParams(asked)}`);
  for (let step = 0; step < 10 && !location.startsWith(redirectUri); step += 1)
    ({ location } = await visit(jar, location));
  const code = new URL(location).searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  const client = { client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...grant, ...client }),
  });
  return ((await response.json()) as { id_token: string }).id_token;
}
