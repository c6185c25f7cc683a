import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { createServerApp } from '../../src/app/server.ts';
import { routes } from '../../src/http/app.ts';
import type { TestApp } from '../support/app.ts';
import { ingested } from '../support/knowledge.ts';
import { connect } from '../support/oauth.ts';
import { newPerson } from '../support/people.ts';
import { rawRequest } from '../support/raw.ts';
import { appOfThisFile } from '../support/shared.ts';

/*
 * Faults that were published in 2026 of servers like this one, each as a test with its name. What
 * another test covers is not repeated: `COVERED` names that test, which must exist.
 */

const ROOT = join(import.meta.dirname, '../..');
const sharedApp = appOfThisFile({ rateLimit: 0 });

/** By fault: files of tests, each with the titles of those that would fail. */
const COVERED: Record<string, Record<string, string[]>> = {
  'Fault 2026: a bad credential never falls through, on any route (CVE-2026-59822)': {
    'tests/http/credentials.test.ts': [
      'Credentials: of every pair, the first that is named decides or nothing does',
      'Credentials: no route lets a bad one in for a good one beside it',
      'Credentials: a client of OAuth is not two at once',
    ],
    'tests/http/session-cookie.test.ts': ['session cookie: /mcp and other paths take none'],
  },
  'Fault 2026: a new route without a right fails (CVE-2026-0545, CVE-2026-30824)': {
    'tests/conventions.test.ts': ['routes: each requires a right or is listed as open, and has schemas and docs'],
    'tests/http/access.test.ts': ['access: every endpoint admits exactly the callers of docs/access.md'],
  },
  'Fault 2026: rights in a body are above nobody (CVE-2026-47102, CVE-2026-47101)': {
    'tests/http/bodies.test.ts': [
      'Rights: no body takes a member that would give some',
      'Rights: no query, form or event does either; nobody gives what they lack',
    ],
    'tests/http/routes/portal/keys.test.ts': [
      'POST /portal/keys: no role grants a scope that it lacks',
      'POST /portal/keys/:id/rotate: scopes that the caller lacks are refused',
    ],
    'tests/core/access/users/permissions.test.ts': ['UserPermissions: an ADMIN cannot take over a SUPER_ADMIN'],
    'tests/http/oauth/chain.test.ts': ['OAuth: nobody allows more than they have, or than was asked for'],
    'tests/http/sso/administration.test.ts': ['identity providers: nobody becomes SUPER_ADMIN by one of an ADMIN'],
  },
  'Fault 2026: an id of another tenant opens nothing (CVE-2026-70472)': {
    'tests/http/foreign-ids.test.ts': ['Ids of other tenants: every route answers as the table of SECURITY.md says'],
    'tests/http/routes/segments/cases.test.ts': [
      'Cases: a handle gives no right: not to other tenants, not without scopes',
    ],
  },
  'Fault 2026: a callback is bound to its state and browser (CVE-2026-70474)': {
    'tests/http/sso/login.test.ts': ['single sign-on: a callback counts once, for its browser and state alone'],
    'tests/http/sso/faults.test.ts': ['single sign-on: an answer of one provider is refused at the address of another'],
    'tests/http/oauth/attacks.test.ts': [
      'Attack: a request begun in one browser and allowed in another gives no code',
      'Attack: code injection: a code is bound to its client and redirect address',
    ],
  },
  'Fault 2026: no cache answers a caller with other rights (CVE-2026-35030)': {
    'tests/http/tenants-together.test.ts': [
      'Caches: the same question of callers with other rights has answers of its own',
    ],
    'tests/core/agents/connectors/credentials/tokens.test.ts': [
      'AccessTokens: every parameter of a client is part of the cache key',
    ],
    'tests/identity/fetch.test.ts': ['IdentityRequests: documents are read once, and again of another revision'],
  },
  'Fault 2026: no second door leads to private addresses (CVE-2026-134835)': {
    'tests/outbound/ways-out.test.ts': [
      'Ways out: every place that dials is listed, with whose address it is',
      'Ways out: none reaches this machine unless the operator allows it',
    ],
  },
  'Fault 2026: the address that was checked is the one dialled (CVE-2026-77242)': {
    'tests/outbound/transport-guard.test.ts': [
      'Transport: a name is looked up for every new connection',
      'Transport: a name with any private address is blocked',
      'Transport: a token endpoint at a private address is blocked',
      'followRedirects: a redirect within its origin is looked up again',
    ],
    'tests/outbound/content.test.ts': ['fetchContent: a redirect passes the SSRF guard without revealing its address'],
    'tests/senders/webhook.test.ts': [
      'sendWebhook: a name that leads to a private address is dead at once',
      'sendWebhook: a redirect is not followed',
    ],
    'tests/identity/fetch.test.ts': ['IdentityRequests: follows no redirect and reads no more than 512 KB'],
  },
  'Fault 2026: a rebound name and a foreign origin are refused (CVE-2026-61568)': {
    'tests/http/hosts.test.ts': ['checkHost: a rebound name is refused at every path, preflights included'],
    'tests/tools/mcp.test.ts': ['/mcp: a foreign Origin is refused; local and configured ones pass'],
    'tests/http/cors.test.ts': ['CORS: other origins get no headers, and responses vary by Origin'],
  },
  'Fault 2026: no route reads a body of another type (CVE-2026-21858)': {
    'tests/http/bodies.test.ts': ['Content types: no route reads a body of another type'],
  },
  'Fault 2026: a secret goes to no other server (CVE-2026-104850)': {
    'tests/http/routes/connectors/secrets.test.ts': ['POST /connectors: a credential is sent to its hosts only'],
    'tests/http/sso/administration.test.ts': ['identity providers: a stored secret goes to no other issuer'],
  },
  'Fault 2026: clients of one server object share no state (CVE-2026-25536)': {
    'tests/http/tenants-together.test.ts': [
      'MCP: a hundred tenants over the same connections get answers of their own',
    ],
  },
  'Fault 2026: nothing is open without a credential (CVE-2026-44338)': {
    'tests/http/access.test.ts': ['access: every endpoint admits exactly the callers of docs/access.md'],
  },
  'Fault 2026: packages have hashes and run no scripts (supply chain)': {
    'tests/packaging/lockfile.test.ts': [
      'package-lock.json: every downloaded package has a SHA-512 hash',
      '.npmrc: npm runs no install scripts, whose downloads no hash covers',
    ],
  },
  'Fault 2026: a throw in a background job leaves the process alive': {
    'tests/process/faults.test.ts': ['Exceptions: one in each timer, message and data handler; the server lives'],
  },
  'Fault 2026: texts of others are marked as data, not as instructions': {
    'tests/tools/answer-basis.test.ts': ['aggregate_events, query_events: event texts in answers are marked as data'],
    'tests/tools/results.test.ts': ['Texts of others: annotations, metrics, segments and titles are marked as data'],
  },
};

for (const [fault, files] of Object.entries(COVERED)) {
  test(fault, () => {
    for (const [file, titles] of Object.entries(files)) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      // A rare test is left out of `npm test`: it is no proof here.
      for (const title of titles) assert.ok(text.includes(`\ntest('${title}'`), `${file} has no test "${title}"`);
    }
  });
}

/** Paths beside the list of routes; all but the MCP endpoint and the metrics are public. */
const BESIDE_THE_LIST = new Set([
  ...['/mcp', '/mcp/server-card', '/.well-known/ai-catalog.json', '/metrics'],
  ...['', '{/*base}/mcp', '{/*base}/api', '/*rest'].map((end) => `/.well-known/oauth-protected-resource${end}`),
  ...['oauth-authorization-server', 'openid-configuration'].map((name) => `/.well-known/${name}{/*base}`),
  ...['start', 'callback', 'backchannel-logout'].map((step) => `/api/v1/portal/login/sso/:tenant/:id/${step}`),
  ...['register', 'authorize', 'authorize/:id', 'token', 'revoke', 'introspect', 'jwks'].map((end) => `/oauth/${end}`),
  ...['/openapi.json', '/docs', '/docs/plain', '/docs/reference/:name'],
  ...['/', '/*path', '/assets/*path', '/theme.js', '/favicon.svg', '/shared/:secret', '/shared/*path'],
]);

interface Layer {
  route?: { path: string | string[] };
  handle: { stack?: unknown };
}

test('Fault 2026: no path is served beside the lists (CVE-2026-2652)', async () => {
  const { runtime } = await sharedApp();
  const layers = createServerApp(runtime).router.stack as unknown as Layer[];
  const listed = new Set([...routes.map(({ path }) => path), ...BESIDE_THE_LIST]);
  const served = new Set(layers.flatMap(({ route }) => route?.path ?? []));
  assert.deepEqual([...served].sort(), [...listed].sort(), 'whoever serves another path says what guards it');
  const routers = layers.filter(({ route, handle }) => !route && handle.stack !== undefined);
  assert.deepEqual(routers, [], 'a router of its own would serve paths that nothing lists');
  const open = routes.filter(({ access }) => access === 'open');
  assert.deepEqual(
    open.filter(({ path }) => path.includes(':') && !path.startsWith('/shared/:secret.')),
    [],
    'without a credential nothing is opened by an id; a link is opened by its secret',
  );
});

const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Sent {
  isModern: boolean;
  headers: Record<string, string | string[]>;
  agent: Agent;
  id?: number;
}

interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
}

/** One message to the MCP endpoint, of either era. */
async function ask({ url }: TestApp, method: string, params: object, sent: Sent): Promise<Answered> {
  const { isModern, headers, agent, id = 1 } = sent;
  const { name, uri } = params as { name?: string; uri?: string };
  const modern = { 'mcp-protocol-version': MODERN, 'mcp-method': method, 'mcp-name': name ?? uri ?? '' };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, ...(isModern && { _meta: META }) } });
  const all = { ...ACCEPT, ...(isModern && modern), ...headers };
  const { status, text } = await rawRequest(url, 'POST', '/mcp', { headers: all, agent, body });
  return { status, body: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) };
}

const count = (eventName: string) => ({
  name: 'aggregate_events',
  arguments: { eventName, aggregation: 'count', agentId: '*' },
});

test('Fault 2026: on /mcp no bad bearer falls through to a key (CVE-2026-59822)', async (t) => {
  const app = await sharedApp();
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  t.after(() => agent.destroy());
  await app.runtime.tenants.create({ name: 'beta' });
  const ofBeta = await app.newKey({ tenant: 'beta' });
  await app.ingest([{ eventName: 'paired' }]);
  await app.ingest([{ eventName: 'paired' }, { eventName: 'paired' }], ofBeta);
  const person = await newPerson(app, { role: 'ADMIN', tenant: 'beta' });
  const { tokens } = await connect(app, person);
  const changed = (text: string) => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a');
  const keys: [text: string, events: number][] = [
    [app.key, 1],
    [ofBeta, 2],
    [changed(app.key), 401],
    ['made-up', 401],
  ];
  const bearers: [text: string, events: number][] = [
    ...keys,
    [person.token, 2],
    [tokens.access_token, 2],
    [changed(person.token), 401],
    [changed(tokens.access_token), 401],
    ['oauth2-made-up', 401],
  ];
  const asked: Promise<void>[] = [];
  const expect = (headers: Sent['headers'], expected: number) => {
    for (const isModern of [false, true]) {
      const answered = ask(app, 'tools/call', count('paired'), { isModern, headers, agent });
      const check = ({ status, body }: Answered) => {
        const found = status === 200 ? body.result.structuredContent.value : status;
        assert.equal(found, expected, JSON.stringify(headers));
      };
      asked.push(answered.then(check));
    }
  };
  for (const [bearer, events] of bearers) expect({ authorization: `Bearer ${bearer}` }, events);
  for (const [key, events] of keys) {
    expect({ 'x-api-key': key }, events);
    for (const [bearer] of bearers) {
      expect({ 'x-api-key': key, authorization: `Bearer ${bearer}` }, bearer === key ? events : 401);
      expect({ authorization: [`Bearer ${bearer}`, `Bearer ${key}`] }, 401);
    }
    for (const malformed of ['Bearer', 'Bearer ', `Bearer ${key} ${key}`])
      expect({ 'x-api-key': key, authorization: malformed }, 401);
    expect({ 'x-api-key': [key, key] }, 401);
    expect({ authorization: `Basic ${btoa(`${key}:`)}` }, 401);
  }
  for (const headers of [{}, { 'x-api-key': '' }, { authorization: '' }] as Sent['headers'][]) expect(headers, 401);
  await Promise.all(asked);
});

test('Fault 2026: over MCP no id, name or cursor opens another tenant (CVE-2026-54052)', async (t) => {
  const app = await sharedApp();
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  await app.runtime.tenants.create({ name: 'gamma' });
  const [own, strange] = [app.key, await app.newKey({ tenant: 'gamma' })];
  const made = async (path: string, body: object) =>
    (await app.request('POST', `/api/v1/runtime${path}`, body)).body as { id: string; card?: { id: string } };
  const { receipt } = await app.ingest([{ eventName: 'secret', properties: { secret: 'secret' } }]);
  const config = { eventName: 'secret', aggregation: 'count' };
  const card = await made('/observability/dashboard-cards', { title: 'secret', cardType: 'number', config });
  const runs = '/v1/observability/executions';
  for (const id of ['run-1', 'run-2'])
    await made(runs, { id, name: 'secret', messages: [{ role: 'user', content: 'secret' }] });
  const { id: serverMade } = await made(runs, { messages: [{ role: 'user', content: 'secret' }], output: 'secret' });
  await ingested(app, { name: 'secret.md', content: '# secret' }, { vectorStore: 'secrets' });
  const with_ = (key: string, isModern: boolean) => ({ isModern, agent, headers: { 'x-api-key': key } });
  const call = async (key: string, name: string, args: object, isModern = false) =>
    (await ask(app, 'tools/call', { name, arguments: args }, with_(key, isModern))).body;
  const counted = await call(own, 'aggregate_events', { eventName: 'secret', aggregation: 'count', waitFor: receipt });
  const { cases } = counted.result.structuredContent.basis;
  const page = await call(own, 'search_executions', { limit: 1 });
  const { nextCursor } = page.result.structuredContent;
  assert.equal(typeof cases, 'string');
  assert.equal(typeof nextCursor, 'string');
  const attempts: [name: string, args: object][] = [
    ['render_dashboard_card', { cardId: card.id }],
    ['render_dashboard_card', { cardId: 'secret', picture: true }],
    ['get_execution', { executionId: 'run-1' }],
    ['get_execution', { executionId: serverMade }],
    ['search_executions', { cursor: nextCursor }],
    ['query_events', { cases }],
    ['search_knowledge', { query: 'secret', vectorStore: 'secrets' }],
    ['describe_workspace', { agentId: 'support' }],
    ['aggregate_events', { eventName: 'secret', aggregation: 'count', agentId: '*', waitFor: receipt }],
  ];
  for (const isModern of [false, true]) {
    for (const [name, args] of attempts) {
      assert.match(JSON.stringify(await call(own, name, args, isModern)), /secret/, `${name}: its owner finds it`);
      const text = JSON.stringify(await call(strange, name, args, isModern));
      // What was asked comes back, and a handle of cases holds its question.
      const unasked = text.replaceAll(/(eventName\W+|Basis: )secret/g, '');
      const said = Object.values(args).reduce<string>((rest, value) => rest.replaceAll(String(value), ''), unasked);
      assert.doesNotMatch(said, /secret|run-2/, `${name} ${JSON.stringify(args)}: ${text}`);
      assert.doesNotMatch(text, /"matchedEvents":[1-9]|"value":[1-9]|"total":[1-9]/, name);
    }
    for (const uri of [`card://${card.id}.png`, 'events://schema/secret', 'events://schema/secret/secret']) {
      const { body } = await ask(app, 'resources/read', { uri }, with_(strange, isModern));
      assert.ok(body.error, `${uri}: ${JSON.stringify(body)}`);
      assert.ok((await ask(app, 'resources/read', { uri }, with_(own, isModern))).body.result, uri);
    }
  }
});

const TENANTS = 25;

test('Fault 2026: eras share sockets, and no answer is for another (CVE-2026-25536)', async (t) => {
  const app = await sharedApp();
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  t.after(() => agent.destroy());
  const asked: Promise<void>[] = [];
  const keys = await Promise.all(
    Array.from({ length: TENANTS }, async (_, number) => {
      const tenant = `together ${number}`;
      await app.runtime.tenants.create({ name: tenant });
      const key = await app.newKey({ tenant });
      await app.ingest(
        Array.from({ length: number + 1 }, () => ({ eventName: `asked_${number}` })),
        key,
      );
      return key;
    }),
  );
  for (const [number, key] of keys.entries()) {
    // Ids repeat among tenants: the connection and the order alone tell whose answer it is.
    const id = number % 3;
    for (const isModern of [false, true]) {
      const sent = { isModern, agent, headers: { 'x-api-key': key }, id };
      const check = (method: string, params: object, of: (result: Answered['body']) => unknown, expected: unknown) => {
        const answered = ask(app, method, params, sent);
        asked.push(answered.then(({ body }) => assert.deepEqual([body.id, of(body.result)], [id, expected])));
      };
      check('tools/call', count(`asked_${number}`), (result) => result.structuredContent.value, number + 1);
      // The nearest name is one of the tenant's own.
      check(
        'tools/call',
        count('asked_x'),
        ({ content }) => content[0].text.match(/asked_\d+/g)?.at(-1),
        `asked_${number}`,
      );
      check('tools/call', { name: 'get_execution', arguments: {} }, ({ isError }) => isError, true);
      const uri = `events://schema/asked_${number}`;
      check('resources/read', { uri }, ({ contents }) => JSON.parse(contents[0].text).count, number + 1);
      check('tools/list', {}, ({ tools }) => tools.length > 10, true);
    }
  }
  await Promise.all(asked);
});
