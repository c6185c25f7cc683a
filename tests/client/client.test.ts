import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import {
  AgentRuntimeError,
  createClient,
  dataOf,
  multipart,
  type Schemas,
} from '../../clients/typescript/src/index.ts';
import { clientTypes, committedTypes } from '../../packaging/client/generate.ts';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { chatApp } from '../support/chat.ts';
import { ended } from '../support/knowledge.ts';
import { newUser } from '../support/people.ts';
import { appOfThisFile } from '../support/shared.ts';

/*
 * Written as an application would use the client; `npm run types` type-checks it against the API.
 */

const sharedApp = appOfThisFile({ rateLimit: 0 });

const EVENTS = '/api/v1/runtime/v1/observability/events';
const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
const REVIEWS = '/api/v1/runtime/v1/observability/reviews';
const CARDS = '/api/v1/runtime/observability/dashboard-cards';
const TABS = '/api/v1/runtime/observability/dashboard-tabs';
const INGEST = '/api/v1/runtime/v1/vectors/files/ingest';

async function sharedClient() {
  const { url, key } = await sharedApp();
  return createClient({ baseUrl: url, apiKey: key });
}

test('client: events are sent, read as a feed and queried', async () => {
  const client = await sharedClient();
  const events: Schemas['IngestEvent'][] = [
    { eventName: 'ticket_resolved', properties: { plan: 'pro', minutes: 12 } },
    { eventName: 'ticket_resolved', properties: { plan: 'free', minutes: 30 } },
  ];
  const { accepted, receipt } = await dataOf(client.POST(EVENTS, { body: { events } }));
  assert.equal(accepted, 2);
  const feed = await dataOf(
    client.GET(`${EVENTS}/feed`, {
      params: { query: { eventName: 'ticket_resolved', limit: 1 }, header: { 'x-wait-for': receipt } },
    }),
  );
  assert.deepEqual([feed.total, feed.events.length], [2, 1]);
  const table = await dataOf(
    client.POST(`${EVENTS}/query`, {
      body: {
        eventName: 'ticket_resolved',
        mode: 'aggregate',
        groupBy: 'plan',
        metrics: [{ aggregation: 'avg', propertyKey: 'minutes', alias: 'minutes' }],
        sortBy: 'minutes',
      },
    }),
  );
  assert.deepEqual(table.rows, [
    { plan: 'free', minutes: 30 },
    { plan: 'pro', minutes: 12 },
  ]);
});

test('client: an execution is recorded, reviewed, corrected and exported', async () => {
  const client = await sharedClient();
  const execution: Schemas['Execution'] = await dataOf(
    client.POST(EXECUTIONS, { body: { messages: [{ role: 'user', content: 'Quando chega?' }], output: 'Amanhã.' } }),
  );
  const executionId = execution.id;
  const made: Schemas['Review'] = await dataOf(
    client.POST(`${EXECUTIONS}/{executionId}/reviews`, {
      params: { path: { executionId } },
      body: { rating: 'bad', comment: 'A data de entrega estava errada.' },
    }),
  );
  const params = { path: { reviewId: made.id } };
  const changed = await dataOf(
    client.PATCH(`${REVIEWS}/{reviewId}`, { params, body: { status: 'resolved', correctedOutput: 'Na quinta.' } }),
  );
  assert.equal(changed.status, 'resolved');
  const list = await dataOf(client.GET(REVIEWS, { params: { query: { search: 'datas erradas', rating: 'bad' } } }));
  assert.deepEqual(list.reviews, [changed]);
  const lines = await client.GET(`${REVIEWS}/export/training-data`, {
    params: { query: { format: 'dpo-jsonl' } },
    parseAs: 'text',
  });
  assert.equal(JSON.parse(String(lines.data)).preferred_output[0].content, 'Na quinta.');
  const { response, data } = await client.DELETE(`${REVIEWS}/{reviewId}`, { params });
  assert.deepEqual([response.status, data], [204, undefined]);
});

test('client: a dashboard card is created and rendered', async () => {
  const client = await sharedClient();
  const { tab } = await dataOf(client.POST(TABS, { body: { name: 'Support' } }));
  const { card } = await dataOf(
    client.POST(CARDS, {
      body: {
        title: 'Tickets',
        cardType: 'number',
        tabId: tab.id,
        config: { eventName: 'ticket_opened', aggregation: 'count', dateFrom: '-7d' },
      },
    }),
  );
  const rendered = await dataOf(client.GET(`${CARDS}/{id}/render`, { params: { path: { id: card.id } } }));
  assert.ok('value' in rendered.data);
  assert.equal(rendered.data.value, 0);
  const asked = { params: { path: { id: card.id } }, headers: { accept: 'image/png' }, parseAs: 'blob' } as const;
  const picture = await dataOf(client.GET(`${CARDS}/{id}/render`, asked));
  assert.equal(picture.type, 'image/png');
});

test('client: a portal token from a login is accepted by the portal', async () => {
  const app = await sharedApp();
  const password = 'correct horse battery staple';
  await newUser(app, { email: 'ada@example.com', name: 'Ada Lima', role: 'ADMIN', password });
  const keyClient = createClient({ baseUrl: app.url, apiKey: app.key });
  const opened = await dataOf(keyClient.POST('/api/v1/portal/login', { body: { email: 'ada@example.com', password } }));
  assert.ok('token' in opened, 'no second factor is needed');
  const portal = createClient({ baseUrl: app.url, apiKey: opened.token });
  assert.equal((await dataOf(portal.GET('/api/v1/portal/me'))).user.name, 'Ada Lima');
  const user = await dataOf(
    portal.POST('/api/v1/portal/users', { body: { email: 'ana@example.com', name: 'Ana Silva', role: 'USER' } }),
  );
  const changed: Schemas['User'] = await dataOf(
    keyClient.PATCH('/api/v1/runtime/users/{id}', { params: { path: { id: user.id } }, body: { role: 'VIEWER' } }),
  );
  assert.equal(changed.role, 'VIEWER');
});

test('client: a file is ingested and searched', async () => {
  const app = await sharedApp();
  const client = await sharedClient();
  const file = new File(['# Refunds\n\nUp to five working days.\n'], 'faq.md');
  const { jobId } = await dataOf(
    client.POST(INGEST, { body: { file, vectorStore: 'help', metadata: '{"lang":"en"}' }, bodySerializer: multipart }),
  );
  await ended(app, jobId);
  const { results } = await dataOf(
    client.POST('/api/v1/runtime/v1/vectors/stores/{name}/search', {
      params: { path: { name: 'help' } },
      body: { query: 'refunds', filter: { lang: 'en' } },
    }),
  );
  assert.deepEqual([results.length, results[0]?.source.name], [1, 'faq.md']);
});

test('client: a chat is read as it streams', async (t) => {
  const app = await chatApp(t);
  const client = createClient({ baseUrl: app.url, apiKey: app.key });
  const { data, response } = await client.POST('/api/v1/runtime/v1/chat/stream', {
    body: app.ask() as Schemas['ChatRequest'],
    parseAs: 'stream',
  });
  let text = '';
  for await (const chunk of data!.pipeThrough(new TextDecoderStream())) text += chunk;
  assert.equal(text, 'Olá mundo 🌍');
  assert.ok(response.headers.get('x-execution-id'));
});

test('AgentRuntimeError: carries status, messages and body of an error response', async () => {
  const client = await sharedClient();
  const { error, data } = await client.POST(EVENTS, { body: { events: [] } });
  assert.equal(data, undefined);
  const body: Schemas['Error'] | undefined = error;
  assert.deepEqual([body?.statusCode, body?.message], [400, ['events: must hold at least one event']]);
  await assert.rejects(
    dataOf(client.GET(`${REVIEWS}/{reviewId}`, { params: { path: { reviewId: 'none' } } })),
    (thrown) => {
      assert.ok(thrown instanceof AgentRuntimeError);
      assert.equal(thrown.status, 404);
      assert.deepEqual(thrown.messages, [thrown.message]);
      assert.equal(typeof thrown.requestId, 'string');
      return true;
    },
  );
});

test('AgentRuntimeError: a failed connector call keeps its envelope', async () => {
  const client = await sharedClient();
  const call = client.POST('/api/v1/runtime/v1/connectors/{connector}', {
    params: { path: { connector: 'nowhere' } },
    body: { resource: 'any' },
  });
  await assert.rejects(dataOf(call), (thrown) => {
    assert.ok(thrown instanceof AgentRuntimeError && thrown.status === 404);
    assert.match(thrown.message, /^connector: there is no connector "nowhere"/);
    assert.deepEqual(thrown.body, { success: false, error: thrown.message });
    return true;
  });
});

test('AgentRuntimeError: without a response it has the code connection and its cause', async () => {
  const cause = new TypeError('fetch failed');
  const fetch = () => Promise.reject(cause);
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ar_KEY', fetch });
  await assert.rejects(client.GET('/healthz'), (thrown) => {
    assert.ok(thrown instanceof AgentRuntimeError);
    assert.deepEqual([thrown.code, thrown.status, thrown.cause], ['connection', 0, cause]);
    assert.equal(thrown.message, 'No complete response: fetch failed');
    return true;
  });
  const signal = AbortSignal.abort(cause);
  await assert.rejects(client.GET('/healthz', { signal }), cause);
});

test('AgentRuntimeError: a rate-limited request carries retryAfter', async (t) => {
  const { url, key } = await testApp(t, { rateLimit: 1, rateLimitBurst: 1 });
  const client = createClient({ baseUrl: url, apiKey: key });
  await dataOf(client.GET(REVIEWS));
  await assert.rejects(dataOf(client.GET(REVIEWS)), (thrown) => {
    assert.ok(thrown instanceof AgentRuntimeError && thrown.code === 'rate_limited');
    assert.ok(thrown.retryAfter !== null && thrown.retryAfter > 0);
    return true;
  });
});

test('createClient: a custom fetch receives every request with the credential', async () => {
  const { url, key } = await sharedApp();
  const seen: string[] = [];
  const watching = (request: Request) => {
    seen.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get('authorization')}`);
    return fetch(request);
  };
  await dataOf(createClient({ baseUrl: url, apiKey: key, fetch: watching }).GET('/healthz'));
  assert.deepEqual(seen, [`GET /healthz Bearer ${key}`]);
});

/** Never run: the compiler must refuse what the API refuses. */
export async function refusedByTypes(_: TestContext) {
  const client = await sharedClient();
  // @ts-expect-error: there is no such path
  await client.GET('/api/v1/runtime/v1/nothing');
  // @ts-expect-error: an event has a name
  await client.POST(EVENTS, { body: { events: [{ properties: {} }] } });
  // @ts-expect-error: no such rating
  await client.GET(REVIEWS, { params: { query: { rating: 'excellent' } } });
}

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'clients/typescript');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

test('clients/typescript/api.d.ts: is generated from the current API', async () => {
  const isSame = (await clientTypes()) === committedTypes();
  assert.ok(isSame, 'the API has changed: run `npm run client` and commit clients/typescript');
});

test('clients/typescript/lib: is compiled from the current sources', async (t) => {
  const compiled = temporaryDirectory(t);
  await promisify(execFile)(process.execPath, [TSC, '-p', CLIENT, '--outDir', compiled]);
  const committed = join(CLIENT, 'lib');
  assert.deepEqual(readdirSync(committed).sort(), readdirSync(compiled).sort());
  for (const name of readdirSync(compiled)) {
    const isSame = readFileSync(join(compiled, name), 'utf8') === readFileSync(join(committed, name), 'utf8');
    assert.ok(isSame, `${name}: the sources have changed: run \`npm run client\` and commit clients/typescript`);
  }
});

const run = promisify(execFile);

test('checkout: the client is imported by name without a build', async () => {
  const source = `import { createClient } from 'agent-runtime/client';
const fetch = async (request) => Response.json({ url: request.url });
console.log((await createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ar_KEY', fetch }).GET('/healthz')).data.url);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', source], { cwd: ROOT });
  assert.equal(stdout, 'http://127.0.0.1:1/healthz\n');
  assert.ok(import.meta.resolve('agent-runtime/client').endsWith('/clients/typescript/lib/index.js'));
});
