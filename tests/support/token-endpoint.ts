import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { TestApp } from './app.ts';
import { HOSTS } from './connectors.ts';
import { type AskedOfApi, applyConnector, json, petsAt, startApi, type TestApi } from './outside-api.ts';

export const CLIENT_SECRET = 'client s3cret:of/the+shop';

type Answer = (asked: AskedOfApi, response: ServerResponse) => unknown;

/** An API whose tokens an endpoint of its own hands out: `token-1`, `token-2` and so on, the last of which the API takes. */
export interface TokenApi {
  api: TestApi;
  endpoint: TestApi;
  /** How the endpoint answers from now on; null: with a token. */
  answerWith(answer: Answer | null): void;
  /** The API takes no token that was handed out so far. */
  revoke(): void;
  /** The tokens that the API was asked with. */
  shown(): string[];
}

export async function startTokenApi(t: TestContext, members: object = {}): Promise<TokenApi> {
  let special: Answer | null = null;
  let issued = 0;
  let revoked = 0;
  const endpoint = await startApi(t, (asked, response) => {
    if (special) return special(asked, response);
    issued += 1;
    return json(response, 200, {
      access_token: `token-${issued}`,
      token_type: 'Bearer',
      expires_in: 3_600,
      ...members,
    });
  });
  const api = await startApi(t, ({ headers }, response) => {
    const number = Number(/^Bearer token-(\d+)$/.exec(headers.authorization ?? '')?.[1] ?? 0);
    return number > revoked ? json(response, 200, { as: number }) : json(response, 401, { error: 'invalid_token' });
  });
  return {
    api,
    endpoint,
    answerWith: (answer) => {
      special = answer;
    },
    revoke: () => {
      revoked = issued;
    },
    shown: () => api.asked.map(({ headers }) => headers.authorization ?? ''),
  };
}

/** A connector `pets` of the API, and the credential `shop` that it uses. */
export async function applyTokenApi(
  app: TestApp,
  { api, endpoint }: Pick<TokenApi, 'api' | 'endpoint'>,
  { auth = {}, tenant = app.tenantId, ...changes }: { auth?: object; tenant?: string; [member: string]: unknown } = {},
): Promise<void> {
  const { id } = await app.runtime.tenants.get(tenant);
  await app.runtime.credentials.set(
    id,
    { name: 'shop', username: 'the shop', secret: CLIENT_SECRET, hosts: HOSTS },
    null,
  );
  const definition = petsAt(api.url, {
    environments: { production: { baseUrl: `${api.url}/v1`, secret: { credential: 'shop' } } },
    auth: { type: 'oauth2', tokenUrl: `${endpoint.url}/token`, ...auth },
    credentials: ['shop'],
    retry: { attempts: 1 },
    ...changes,
  });
  await applyConnector(app, definition, tenant);
}
