import { createHash, randomBytes } from 'node:crypto';
import type { TestApp, TestResponse } from './app.ts';
import { type Person, withCookie } from './people.ts';

/** A server in this process, or in one of its own. */
export type Server = Pick<TestApp, 'url' | 'request'>;
type Allowing = Pick<Person, 'token'>;

export const REDIRECT = 'http://localhost:7777/callback';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
}

/** Registers a public client, as an MCP host does. */
export async function registerClient(app: Server, metadata: object = {}): Promise<TestResponse> {
  return app.request('POST', '/oauth/register', {
    client_name: 'Test Host',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...metadata,
  });
}

export interface Begun {
  id: string;
  clientId: string;
  verifier: string;
  redirectUri: string;
  /** Of the browser in which the request began. */
  cookies: string[];
}

export interface Asked {
  clientId?: string;
  redirectUri?: string;
  scope?: string;
  resource?: string;
  /** Further parameters; undefined leaves one out. */
  parameters?: Record<string, string | undefined>;
}

/** What the authorization endpoint answers a browser. */
export async function authorize(
  app: Server,
  asked: Asked = {},
): Promise<Begun & { address: string; response: Response; location: string }> {
  const clientId = asked.clientId ?? (await registerClient(app)).body.client_id;
  const { redirectUri = REDIRECT, scope = 'mcp:read knowledge:read', resource = `${app.url}/mcp` } = asked;
  const verifier = randomBytes(32).toString('base64url');
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    resource,
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...asked.parameters,
  };
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const address = `${app.url}/oauth/authorize?${new URLSearchParams(given)}`;
  const response = await fetch(address, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  });
  const location = response.headers.get('location') ?? '';
  const id = location.split('/').at(-1) ?? '';
  return { id, clientId, verifier, redirectUri, cookies: response.headers.getSetCookie(), address, response, location };
}

/** Goes on as the browser does after a person's answer: returns the address of the application. */
export async function goOn(continueAt: string, cookies: readonly string[]): Promise<Response> {
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
  return fetch(continueAt, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
}

/** The person allows the request in the browser where it began. Returns the address of the application, with the code. */
export async function allow(app: Server, person: Allowing, begun: Begun, answer: object): Promise<URL> {
  const path = `/api/v1/portal/authorizations/${begun.id}/allow`;
  const allowed = await withCookie(app, person.token)('POST', path, answer);
  if (allowed.status !== 200) throw new Error(`allow answered ${allowed.status}: ${JSON.stringify(allowed.body)}`);
  const response = await goOn(allowed.body.continueAt, [...begun.cookies, ...allowed.headers.getSetCookie()]);
  return new URL(response.headers.get('location') ?? assertLocation(response));
}

export async function tokenRequest(app: Server, parameters: Record<string, string>): Promise<TestResponse> {
  const headers = { 'x-api-key': '', 'content-type': 'application/x-www-form-urlencoded' };
  return app.request('POST', '/oauth/token', String(new URLSearchParams(parameters)), headers);
}

export function exchange(app: Server, { clientId, verifier, redirectUri }: Begun, code: string): Promise<TestResponse> {
  const parameters = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id: clientId };
  return tokenRequest(app, { ...parameters, code_verifier: verifier });
}

export function refresh(app: Server, clientId: string, token: string): Promise<TestResponse> {
  return tokenRequest(app, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
}

export interface Connected {
  clientId: string;
  tokens: Tokens;
  /** A request with the access token. */
  request: TestApp['request'];
}

/** The whole chain: an application registers, the person allows it, and it fetches its tokens. */
export async function connect(
  app: Server,
  person: Allowing,
  { days, ...asked }: Asked & { days?: number } = {},
): Promise<Connected> {
  const begun = await authorize(app, asked);
  const scopes = (asked.scope ?? 'mcp:read knowledge:read').split(' ');
  const address = await allow(app, person, begun, { scopes, ...(days !== undefined && { days }) });
  const { body: tokens } = await exchange(app, begun, address.searchParams.get('code') ?? '');
  return { clientId: begun.clientId, tokens, request: withAccessToken(app, tokens.access_token) };
}

export function withAccessToken(app: Server, token: string): TestApp['request'] {
  return (method, path, body, headers) =>
    app.request(method, path, body, { 'x-api-key': '', authorization: `Bearer ${token}`, ...headers });
}

export const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

/** One message to the MCP endpoint with an access token. */
export function callMcp(app: Server, token: string, message: object = LIST_TOOLS): Promise<TestResponse> {
  return withAccessToken(app, token)('POST', '/mcp', message, { accept: 'application/json, text/event-stream' });
}

function assertLocation(response: Response): never {
  throw new Error(`the authorization server answered ${response.status} without an address`);
}
