import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestApp } from '../../support/app.ts';
import { goOn, REDIRECT } from '../../support/oauth.ts';
import { newPerson, type Person, withCookie } from '../../support/people.ts';
import { tenantsOfThisFile } from '../../support/shared.ts';

const newApp = tenantsOfThisFile();

/* The whole chain with clients that are not of this project: the OAuth providers of both MCP libraries. */

interface Stored {
  // biome-ignore lint/suspicious/noExplicitAny: the two libraries have types of their own for it
  [name: string]: any;
}

/** What a host keeps, and a browser in which the person allows whatever is asked. */
class Host {
  readonly stored: Stored = {};
  readonly asked: URL[] = [];
  code = '';
  iss: string | null = null;
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: 'A host',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  private readonly app: TestApp;
  private readonly person: Person;

  constructor(app: TestApp, person: Person) {
    this.app = app;
    this.person = person;
  }

  state = () => 'a state';
  clientInformation = () => this.stored.client;
  saveClientInformation = (client: unknown) => {
    this.stored.client = client;
  };
  tokens = () => this.stored.tokens;
  saveTokens = (tokens: unknown) => {
    this.stored.tokens = tokens;
  };
  saveCodeVerifier = (verifier: string) => {
    this.stored.verifier = verifier;
  };
  codeVerifier = () => this.stored.verifier;
  saveDiscoveryState = (state: unknown) => {
    this.stored.discovery = state;
  };
  discoveryState = () => this.stored.discovery;

  async redirectToAuthorization(address: URL): Promise<void> {
    this.asked.push(address);
    const begun = await fetch(address, { redirect: 'manual' });
    const id = begun.headers.get('location')!.split('/').at(-1)!;
    const send = withCookie(this.app, this.person.token);
    const request = await send('GET', `/api/v1/portal/authorizations/${id}`);
    const scopes = request.body.scopes.map(({ scope }: { scope: string }) => scope);
    const allowed = await send('POST', `/api/v1/portal/authorizations/${id}/allow`, { scopes });
    const back = await goOn(allowed.body.continueAt, [
      ...begun.headers.getSetCookie(),
      ...allowed.headers.getSetCookie(),
    ]);
    const { searchParams } = new URL(back.headers.get('location')!);
    this.code = searchParams.get('code') ?? '';
    this.iss = searchParams.get('iss');
  }
}

/** Connects, is sent to log in, and connects again with the token. */
async function connectV2(app: TestApp, host: Host): Promise<Client> {
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
      authProvider: host as unknown as OAuthClientProvider,
    });
  const first = transport();
  const refused = new Client({ name: 'v2', version: '1.0.0' });
  await assert.rejects(refused.connect(first), /Unauthorized/i);
  await first.finishAuth(
    new URLSearchParams({ code: host.code, state: 'a state', ...(host.iss && { iss: host.iss }) }),
  );
  const client = new Client({ name: 'v2', version: '1.0.0' });
  await client.connect(transport());
  return client;
}

test('OAuth clients: the v2 library registers, logs in, calls and refreshes', async (t) => {
  const app = await newApp(t);
  const host = new Host(app, await newPerson(app));
  const client = await connectV2(app, host);
  t.after(() => client.close());
  assert.ok((await client.listTools()).tools.some(({ name }) => name === 'aggregate_events'));
  assert.equal(host.asked[0]?.searchParams.get('scope'), 'mcp:read knowledge:read');
  assert.equal(host.asked[0]?.searchParams.get('resource'), `${app.url}/mcp`);
  const before = host.stored.tokens.refresh_token;
  host.stored.tokens.access_token = 'x'.repeat(43);
  assert.ok((await client.listTools()).tools.length > 0, 'a void token is renewed');
  assert.notEqual(host.stored.tokens.refresh_token, before);
  assert.equal(host.asked.length, 1, 'without a person');
});

test('OAuth clients: the v2 library asks again for the scope of a tool (step-up)', async (t) => {
  const app = await newApp(t);
  const host = new Host(app, await newPerson(app));
  const client = await connectV2(app, host);
  t.after(() => client.close());
  const call = { name: 'create_annotation', arguments: { text: 'Release 2.3' } };
  await client.callTool(call).catch(() => undefined);
  const scopes = new Set(host.asked.at(-1)?.searchParams.get('scope')?.split(' '));
  assert.deepEqual(scopes, new Set(['mcp:read', 'knowledge:read', 'metrics:write']));
});

test('OAuth clients: the v1 library registers, logs in and calls', async (t) => {
  const app = await newApp(t);
  const host = new Host(app, await newPerson(app));
  const transport = () => new V1Transport(new URL(`${app.url}/mcp`), { authProvider: host as never });
  const first = transport();
  await assert.rejects(new V1Client({ name: 'v1', version: '1.0.0' }).connect(first as never), /Unauthorized/i);
  await first.finishAuth(host.code);
  const client = new V1Client({ name: 'v1', version: '1.0.0' });
  await client.connect(transport() as never);
  t.after(() => client.close());
  assert.ok((await client.listTools()).tools.some(({ name }) => name === 'aggregate_events'));
});
