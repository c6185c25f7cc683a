import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { AccessLimits } from '../../src/core/base/filters/limits.ts';
import { routes } from '../../src/http/app.ts';
import { appOfTenant, type TestApp } from '../support/app.ts';
import { connector } from '../support/connectors.ts';
import { UPDATES_GOLDEN } from '../support/golden.ts';
import { ingested } from '../support/knowledge.ts';
import { newPerson } from '../support/people.ts';
import { appOfThisFile } from '../support/shared.ts';
import { rpc } from '../tools/mcp-requests.ts';

/*
 * Limits below the tenant, route by route and tool by tool: what is refused under which limit, and
 * that no other answer tells of what lies outside. The table is docs/limits-below-tenant.md;
 * UPDATE_GOLDEN=1 writes it.
 */

const PAGE = new URL('../../docs/limits-below-tenant.md', import.meta.url);
const OBSERVED = '/api/v1/runtime/v1/observability';
const RUNTIME = '/api/v1/runtime/observability';
const VECTORS = '/api/v1/runtime/v1/vectors';

const sharedApp = appOfThisFile({ rateLimit: 0 });

/** Inside: agent `support`, event `order`, `country` BR, threads of two orders, store `help`, connector `pets`. */
const HELD: Record<keyof AccessLimits, AccessLimits> = {
  agents: { agents: ['support'] },
  eventNames: { eventNames: ['order'] },
  filters: { filters: [{ propertyKey: 'country', operator: 'eq', value: 'BR' }] },
  segment: { segment: 'brazil' },
  vectorStores: { vectorStores: ['help'] },
  connectors: { connectors: ['pets'] },
  models: { models: ['gpt-small'] },
};
const LIMITS = Object.keys(HELD) as (keyof AccessLimits)[];
const OF_EVENTS = LIMITS.slice(0, 4);

/** In the events outside, wherever a name or a text can be, and in all that is of other stores and connectors. */
const OUTSIDE = /zebra/i;
/** The vector store outside, which events of the runtime name. */
const OF_STORE = /quagga/i;
/** The agent outside, and what is its own. */
const OF_AGENT = /zebra|giraffe/i;
/** Shared definitions about an event outside: hidden by `eventNames`, and shown to the others. */
const DEFINED = /okapi/i;

const THRESHOLD = { type: 'threshold', operator: 'gt', value: 1 };

interface Ids {
  card: string;
  tab: string;
  defined: string;
  execution: string;
  job: string;
  document: string;
  cases: string;
  alert: string;
  digest: string;
}

async function filled(app: TestApp): Promise<Ids> {
  const made = async (path: string, body: object) => {
    const answer = await app.request('POST', path, body);
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const order = (number: number) => ({
    ...{ eventName: 'order', agentId: 'support', threadId: 't-1', executionId: `inside-${number}` },
    properties: { country: 'BR', amount: number },
  });
  const outside = (number: number) => ({
    ...{ eventName: 'zebra_sold', agentId: 'giraffe', threadId: `zebra-${number}`, executionId: 'zebra-execution' },
    properties: { country: 'zebraland', zebra_key: `zebra ${number}`, amount: 1_000 },
  });
  await app.ingest([order(1), order(2), outside(3), outside(4), outside(5)]);
  const number = (eventName: string) => ({ cardType: 'number', config: { eventName, aggregation: 'count' } });
  const tab = await made(`${RUNTIME}/dashboard-tabs`, { name: 'giraffe tab', agentId: 'giraffe' });
  const card = await made(`${RUNTIME}/dashboard-cards`, {
    ...{ title: 'giraffe card', agentId: 'giraffe', ...number('zebra_sold'), tabId: tab.tab.id },
  });
  const shared = await made(`${RUNTIME}/dashboard-tabs`, { name: 'Shared' });
  const defined = await made(`${RUNTIME}/dashboard-cards`, {
    ...{ title: 'okapi card', tabId: shared.tab.id, idempotencyKey: 'taken', ...number('okapi_sold') },
  });
  const formula = { eventName: 'okapi_sold', aggregation: 'count' };
  await made(`${RUNTIME}/metrics`, { name: 'okapi_metric', title: 'okapi', formula });
  const share = { ...formula, eventName: 'order', aggregation: 'rate', numerator: { eventName: 'okapi_sold' } };
  await made(`${RUNTIME}/metrics`, { name: 'share', title: 'Share of okapis', formula: share });
  await made(`${RUNTIME}/terms`, { term: 'okapi', definition: 'An okapi.', metric: 'okapi_metric' });
  await made(`${RUNTIME}/segments`, {
    ...{ name: 'okapi_segment', by: 'threadId', conditions: [{ eventName: 'okapi_sold' }] },
  });
  await made(`${RUNTIME}/segments`, {
    name: 'brazil',
    by: 'threadId',
    conditions: [{ eventName: 'order', atLeast: 2 }],
  });
  await made(`${RUNTIME}/annotations`, { text: 'A zebra was sold' });
  const alert = await made(`${RUNTIME}/alerts`, {
    ...{ title: 'zebra alert', condition: THRESHOLD },
    question: { ...{ eventName: 'zebra_sold', agentId: 'giraffe', aggregation: 'count' }, dateGrouping: 'day' },
  });
  const digest = await made(`${RUNTIME}/digests`, { title: 'zebra digest', cardIds: [card.id] });
  const execution = { agentId: 'giraffe', threadId: 'zebra-3', name: 'zebra run', output: 'zebra' };
  await made(`${OBSERVED}/executions`, { id: 'zebra-execution', ...execution, messages: [] });
  const job = await ingested(app, { name: 'quagga.md', content: '# Quaggas' }, { vectorStore: 'quagga' });
  await ingested(app, { name: 'help.md', content: '# Help' }, { vectorStore: 'help' });
  await app.runtime.connectors.apply(
    app.tenantId,
    [connector(), connector({ slug: 'zebra', name: 'Zebras', expose: undefined })].map(({ expose: _, ...one }) => one),
    null,
  );
  const question = { eventName: 'zebra_sold', aggregation: 'count' };
  const { result } = await rpc(app, 'tools/call', {
    name: 'aggregate_events',
    arguments: { ...question, agentId: '*' },
  });
  const { cases } = result.structuredContent.basis;
  return {
    ...{ card: card.id, tab: tab.tab.id, defined: defined.id, execution: 'zebra-execution', cases },
    ...{ job: job.jobId, document: job.documentId, alert: alert.alert.id, digest: digest.digest.id },
  };
}

type Question = { path?: string; body?: unknown };

/** How each route that has something to hold is asked about what lies outside. */
function questions({
  card,
  tab,
  defined,
  execution,
  job,
  document,
  cases,
  alert,
  digest,
}: Ids): Record<string, Question[]> {
  const of = (names: object) => ({ aggregation: 'count', ...names });
  const executions = `${OBSERVED}/executions`;
  const cards = `${RUNTIME}/dashboard-cards`;
  const tabs = `${RUNTIME}/dashboard-tabs`;
  const stores = `${VECTORS}/stores`;
  const content = { cardType: 'number', config: of({ eventName: 'order' }) };
  const answered = (question: object) =>
    [of({ eventName: 'zebra_sold', agentId: '*' }), question].map((body) => ({ body }));
  return {
    [`POST ${OBSERVED}/events`]: [{ body: { events: [{ eventName: 'order', properties: { country: 'BR' } }] } }],
    [`GET ${OBSERVED}/events/feed`]: [
      {},
      { path: '?agentId=*' },
      { path: '?agentId=giraffe' },
      { path: '?eventName=order&agentId=*' },
    ],
    [`POST ${OBSERVED}/events/query`]: [
      { body: { eventName: 'order', agentId: '*' } },
      { body: { eventName: 'order', agentId: '*', mode: 'aggregate', groupBy: 'country' } },
      { body: { eventName: 'orders', agentId: '*', filters: [{ propertyKey: 'zebra', operator: 'exists' }] } },
    ],
    'POST /api/v1/portal/aggregate': answered(of({ eventName: 'order', agentId: '*', group_by: 'agentId' })),
    'GET /api/v1/portal/event-names': [{ path: '?agentId=*' }, { path: '?search=zebr' }],
    'GET /api/v1/portal/event-properties': [{ path: '?agentId=*&eventName=order' }],
    'GET /api/v1/portal/property-values': [{ path: '?agentId=*&eventName=order&propertyKey=country' }],
    'GET /api/v1/portal/agents': [{}],
    'GET /api/v1/portal/first-hour': [{}],
    'PUT /api/v1/portal/first-hour': [{ body: { putAway: false } }],
    'GET /api/v1/portal/sample-data': [{}],
    [`GET ${executions}`]: [{}, { path: '?agentId=*' }, { path: '?agentId=giraffe' }, { path: '?search=zebra' }],
    [`GET ${executions}/:executionId`]: [{ path: execution }],
    [`GET ${executions}/:executionId/steps`]: [{ path: `${execution}/steps` }],
    [`POST ${executions}`]: [{ body: { id: execution, output: 'mine' } }],
    [`POST ${executions}/:executionId/steps`]: [
      {
        path: `${execution}/steps`,
        body: { steps: [{ id: 's', kind: 'tool', name: 'n', startedAt: '2026-03-01T12:00:00Z' }] },
      },
    ],
    [`GET ${cards}`]: [{ path: '?agentId=*' }, { path: '?agentId=giraffe' }],
    [`POST ${cards}`]: [{ body: { title: 'Orders', ...content } }],
    [`GET ${cards}/:id`]: [{ path: card }],
    [`PATCH ${cards}/:id`]: [{ path: card, body: { title: 'Mine' } }],
    [`DELETE ${cards}/:id`]: [{ path: card }],
    [`GET ${cards}/:id/render`]: [{ path: `${card}/render` }, { path: `${defined}/render` }],
    [`POST ${cards}/render`]: [{ body: { ids: [card] } }],
    [`POST ${cards}/preview`]: [{ body: { title: 'P', ...content, config: of({ eventName: 'zebra_sol' }) } }],
    [`GET ${tabs}`]: [{ path: '?agentId=*' }],
    [`POST ${tabs}`]: [{ body: { name: 'Mine' } }],
    [`GET ${tabs}/:id`]: [{ path: tab }],
    [`PATCH ${tabs}/:id`]: [{ path: tab, body: { name: 'Mine' } }],
    [`POST ${tabs}/:id/links`]: [{ path: `${tab}/links`, body: {} }],
    [`GET ${tabs}/:id/links`]: [{ path: `${tab}/links` }],
    [`DELETE ${tabs}/:id/links/:linkId`]: [{ path: `${tab}/links/${digest}` }],
    [`DELETE ${tabs}/:id`]: [{ path: tab }],
    [`GET ${RUNTIME}/metrics`]: [{}, { path: '?search=okapi' }],
    [`GET ${RUNTIME}/metrics/:name`]: [{ path: 'okapi_metric' }, { path: 'share' }, { path: 'okapi' }],
    [`GET ${RUNTIME}/metrics/:name/versions`]: [
      { path: 'okapi_metric/versions' },
      { path: 'okapi_metric/versions?offset=1000' },
    ],
    [`GET ${RUNTIME}/metrics/:name/diff`]: [{ path: 'okapi_metric/diff' }],
    [`GET ${RUNTIME}/terms`]: [{}],
    [`GET ${RUNTIME}/terms/:term`]: [{ path: 'okapi' }],
    [`GET ${RUNTIME}/segments`]: [{}],
    [`GET ${RUNTIME}/segments/:name`]: [{ path: 'okapi_segment' }, { path: 'brasil' }],
    [`GET ${RUNTIME}/annotations`]: [{}],
    [`POST ${RUNTIME}/explain`]: answered(
      of({ eventName: 'order', agentId: '*', dateFrom: '-7d', compareTo: 'previous_period' }),
    ),
    [`GET ${RUNTIME}/cases/:handle`]: [{ path: cases }],
    ...scheduledQuestions(`${RUNTIME}/alerts`, alert, {
      ...{ title: 'Orders', condition: THRESHOLD },
      question: { eventName: 'order', agentId: '*', aggregation: 'count' },
    }),
    ...scheduledQuestions(`${RUNTIME}/digests`, digest, { title: 'Orders', cardIds: [card] }),
    [`POST ${VECTORS}/files/ingest`]: [],
    [`GET ${VECTORS}/ingestion-jobs/:jobId`]: [{ path: job }],
    'GET /runtime/v1/vectors/ingestion-jobs/:jobId': [{ path: job }],
    [`POST ${VECTORS}/ingestion-jobs/:jobId/cancel`]: [{ path: `${job}/cancel` }],
    [`GET ${VECTORS}/files/limits`]: [{}],
    [`GET ${stores}`]: [{}],
    [`POST ${stores}`]: [{ body: { name: 'quagga' } }],
    [`GET ${stores}/:name`]: [{ path: 'quagga' }],
    [`PATCH ${stores}/:name`]: [
      { path: 'quagga', body: { name: 'quagga-2' } },
      { path: 'help', body: { name: 'quagga' } },
    ],
    [`DELETE ${stores}/:name`]: [{ path: 'quagga' }],
    [`GET ${stores}/:name/ingestion-jobs`]: [{ path: 'quagga/ingestion-jobs' }],
    [`GET ${stores}/:name/documents`]: [{ path: 'quagga/documents' }],
    [`GET ${stores}/:name/documents/:documentId`]: [{ path: `help/documents/${document}` }],
    [`DELETE ${stores}/:name/documents/:documentId`]: [{ path: `help/documents/${document}` }],
    [`POST ${stores}/:name/search`]: [{ path: 'quagga/search', body: { query: 'quaggas' } }],
    'POST /api/v1/runtime/v1/connectors/:connector': [{ path: 'zebra', body: { resource: 'list' } }],
    'POST /api/v1/runtime/v1/chat/stream': [
      { body: { provider: 'openai', model: 'gpt-zebra', messages: [{ role: 'user', content: 'Hi' }] } },
    ],
    'GET /api/v1/runtime/v1/usage': [{}],
  };
}

function scheduledQuestions(path: string, id: string, body: object): Record<string, Question[]> {
  return {
    [`GET ${path}`]: [{}],
    [`POST ${path}`]: [{ body }],
    [`GET ${path}/:id`]: [{ path: id }],
    [`PATCH ${path}/:id`]: [{ path: id, body: { title: 'Mine' } }],
    [`DELETE ${path}/:id`]: [{ path: id }],
    [`POST ${path}/:id/test`]: [{ path: `${id}/test` }],
    [`GET ${path}/:id/history`]: [{ path: `${id}/history` }],
    [`GET ${path}/:id/deliveries`]: [{ path: `${id}/deliveries` }],
  };
}

/** What an answer may repeat of the question. */
function withoutEcho(text: string, question: Question): string {
  const asked = `${decodeURIComponent(question.path ?? '')} ${JSON.stringify(question.body ?? '')}`;
  const words = asked.match(/[\w-]*(?:zebra|zebr|okapi|giraffe|quagga|quagg)[\w-]*/gi) ?? [];
  return words.sort((one, other) => other.length - one.length).reduce((left, word) => left.replaceAll(word, ''), text);
}

/** Routes of one's own account, open ones (a link is held to its maker's limits) and those of administrators. */
const NOTHING_TO_HOLD =
  /\/portal\/(login|logout|me|sessions|keys|grants|authorizations|invitations|settings)\b|^GET \/(healthz$|readyz$|shared\/)/;

interface Row {
  name: string;
  refused: (keyof AccessLimits)[];
}

test('Limits: every route is held to them or refuses who has them', async (t) => {
  const app = await sharedApp();
  const ids = await filled(app);
  const asked = questions(ids);
  const credentials = await credentialsOf(app);
  const rows: Row[] = [];
  for (const { method, path, access } of routes) {
    if (access === 'portal:administrator' || access === 'portal:operator') continue;
    const name = `${method.toUpperCase()} ${path}`;
    if (NOTHING_TO_HOLD.test(name)) continue;
    const row: Row = { name, refused: [] };
    for (const limit of LIMITS) {
      const headers = await headersFor(app, access, limit, credentials);
      const first = await app.request(method.toUpperCase(), addressOf(path), bodyOf(method, {}), headers);
      if (first.status === 403 && new RegExp(`limits\\.${limit}`).test(first.body.message)) {
        row.refused.push(limit);
        continue;
      }
      if (!tellsOf(limit, name)) continue;
      const list = asked[name] ?? assert.fail(`${name}: whoever adds a route that limits hold adds its questions`);
      for (const question of list) {
        const at = addressOf(path, question.path);
        const answer = await app.request(method.toUpperCase(), at, bodyOf(method, question.body), headers);
        const text = withoutEcho(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body), question);
        const label = `${name} ${question.path ?? ''} with ${limit}: ${answer.status} ${text}`;
        assert.notEqual(answer.status, 500, label);
        const isDefinition = name.includes('/dashboard-') && (limit === 'filters' || limit === 'segment');
        assert.doesNotMatch(text, isDefinition ? /"value":3|"matchedEvents":[1-9]/ : outsideOf(limit), label);
        if (limit === 'eventNames') assert.doesNotMatch(text, DEFINED, label);
      }
    }
    rows.push(row);
  }
  compare(t, rows);
});

test('Limits: a card outside is not overwritten by its key, and says why', async (t) => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'overwriting' });
  const own = await appOfTenant(t, app, 'overwriting');
  const { defined } = await filled(own);
  const key = await own.newKey({ limits: HELD.eventNames });
  const card = { title: 'Mine', cardType: 'number', config: { eventName: 'order', aggregation: 'count' } };
  const body = { ...card, idempotencyKey: 'taken' };
  const answer = await own.request('POST', `${RUNTIME}/dashboard-cards`, body, { 'x-api-key': key });
  assert.equal(answer.status, 403);
  assert.match(answer.body.message, /limits\.eventNames/);
  assert.equal((await own.request('GET', `${RUNTIME}/dashboard-cards/${defined}`)).body.card?.title, 'okapi card');
});

test('Limits: a card whose metric is outside is, by whatever name it has it', async (t) => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'titled metrics' });
  const own = await appOfTenant(t, app, 'titled metrics');
  await filled(own);
  const headers = { 'x-api-key': await own.newKey({ limits: HELD.eventNames }) };
  for (const metric of ['okapi_metric', 'Okapi', 'Share of okapis', 'share@1']) {
    const body = { title: metric, cardType: 'number', config: { metric } };
    const { card } = (await own.request('POST', `${RUNTIME}/dashboard-cards`, body)).body;
    const listed = (await own.request('GET', `${RUNTIME}/dashboard-cards`, undefined, headers)).body.cards;
    assert.deepEqual(
      listed.filter(({ title }: { title: string }) => title === metric),
      [],
    );
    const alone = await own.request('GET', `${RUNTIME}/dashboard-cards/${card.id}`, undefined, headers);
    assert.deepEqual([metric, alone.status], [metric, 403]);
  }
});

test('Limits: an alert reads what its maker may, and is seen by who may read it', async (t) => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'alerts' });
  const own = await appOfTenant(t, app, 'alerts');
  const day = new Date(Date.now() - 86_400_000).toISOString();
  const sold = (country: string, agentId = 'support') => ({
    ...{ eventName: 'order', agentId, timestamp: day, properties: { country } },
  });
  await own.ingest([sold('BR'), sold('BR'), sold('DE'), sold('BR', 'giraffe')]);
  const question = { eventName: 'order', agentId: '*', aggregation: 'count' };
  const alert = { title: 'Orders', question, condition: { type: 'threshold', operator: 'gt', value: 0 }, targets: [] };
  const keys = {
    all: await own.newKey(),
    brazil: await own.newKey({ limits: HELD.filters }),
    support: await own.newKey({ limits: { ...HELD.filters, ...HELD.agents } }),
  };
  const as = (by: keyof typeof keys, method: string, path: string, body?: object) =>
    own.request(method, `${RUNTIME}/alerts${path}`, body, { 'x-api-key': keys[by] });
  const ids = {} as Record<keyof typeof keys, string>;
  for (const by of ['all', 'brazil', 'support'] as const) ids[by] = (await as(by, 'POST', '', alert)).body.alert.id;
  const values = { all: 4, brazil: 3, support: 2 };
  for (const by of ['all', 'brazil', 'support'] as const) {
    assert.equal((await as(by, 'POST', `/${ids[by]}/test`, {})).body.test.value, values[by], by);
    const within = { all: ['all', 'brazil', 'support'], brazil: ['brazil', 'support'], support: ['support'] }[by];
    const listed = (await as(by, 'GET', '')).body;
    const names = Object.entries(ids).flatMap(([name, id]) =>
      listed.alerts.some((one: { id: string }) => one.id === id) ? [name] : [],
    );
    assert.deepEqual([names, listed.total], [within, within.length], by);
    for (const [name, id] of Object.entries(ids)) {
      assert.equal((await as(by, 'GET', `/${id}`)).status, within.includes(name) ? 200 : 404, `${by} ${name}`);
      if (!within.includes(name)) assert.equal((await as(by, 'DELETE', `/${id}`)).status, 404, `${by} ${name}`);
    }
  }
  const changed = await as('all', 'PATCH', `/${ids.support}`, { title: 'Changed' });
  assert.deepEqual(changed.body.alert.limits, [{ ...HELD.agents, ...HELD.filters }]);
  assert.equal((await as('support', 'POST', `/${ids.support}/test`, {})).body.test.value, 2, 'it stays held');
});

test('Limits: who is held to less rotates no key that reaches further', async () => {
  const app = await sharedApp();
  const person = await newPerson(app, { role: 'USER' });
  const made = await person.request('POST', '/api/v1/portal/keys', { label: 'before', scopes: ['events:read'] });
  await app.runtime.tenants.changeSettings(
    app.tenantId,
    { roleLimits: { USER: HELD.agents, VIEWER: HELD.models } },
    null,
  );
  const rotated = await person.request('POST', `/api/v1/portal/keys/${made.body.id}/rotate`, {});
  assert.equal(rotated.status, 403);
  assert.match(rotated.body.message, /limits\.agents/);
  const within = await person.request('POST', '/api/v1/portal/keys', { label: 'now', scopes: ['events:read'] });
  assert.deepEqual(within.body.limits, HELD.agents);
  assert.equal((await person.request('GET', '/api/v1/portal/settings')).body.roleLimits, null);
  await app.runtime.tenants.changeSettings(app.tenantId, { roleLimits: null }, null);
});

function outsideOf(limit: keyof AccessLimits): RegExp {
  if (limit === 'vectorStores') return OF_STORE;
  return limit === 'agents' ? OF_AGENT : OUTSIDE;
}

/** The limits under which an answer could tell of something outside. */
function tellsOf(limit: keyof AccessLimits, name: string): boolean {
  if (name.includes('/vectors/')) return limit === 'vectorStores';
  if (name.includes('/connectors/')) return limit === 'connectors';
  if (name.includes('/chat/')) return limit === 'models';
  return OF_EVENTS.includes(limit);
}

/** A key with the limit, or a viewer whose role is held to it. */
async function headersFor(
  app: TestApp,
  access: string,
  limit: keyof AccessLimits,
  credentials: Credentials,
): Promise<Record<string, string>> {
  const { keys, viewer } = credentials;
  if (!access.startsWith('portal:')) return { 'x-api-key': keys[limit] };
  await app.runtime.tenants.changeSettings(app.tenantId, { roleLimits: { VIEWER: HELD[limit] } }, null);
  return { 'x-api-key': '', authorization: `Bearer ${viewer}` };
}

interface Credentials {
  keys: Record<keyof AccessLimits, string>;
  viewer: string;
}

async function credentialsOf(app: TestApp): Promise<Credentials> {
  const keys = {} as Credentials['keys'];
  for (const limit of LIMITS) keys[limit] = await app.newKey({ limits: HELD[limit] });
  return { keys, viewer: (await newPerson(app, { role: 'VIEWER' })).token };
}

function addressOf(path: string, end = ''): string {
  if (end.startsWith('?')) return path + end;
  if (end === '') return path.replace(/:\w+/g, '0190a5a0-0000-7000-8000-000000000000');
  return `${path.slice(0, path.indexOf(':'))}${end}`;
}

function bodyOf(method: string, body: unknown): unknown {
  return method === 'get' || method === 'delete' ? undefined : (body ?? {});
}

function compare(t: TestContext, rows: Row[]): void {
  const lines = rows.map(({ name, refused }) => `| \`${name}\` | ${refused.map((one) => `\`${one}\``).join(', ')} |`);
  const table = ['| Endpoint | Refused under |', '| --- | --- |', ...lines].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  const shown = /\| Endpoint[\s\S]*?(?=\n\n|\n$)/.exec(page)?.[0] ?? '';
  if (UPDATES_GOLDEN) {
    writeFileSync(PAGE, page.replace(shown, table));
    t.diagnostic('docs/limits-below-tenant.md was written');
  } else assert.equal(table, shown, 'docs/limits-below-tenant.md shows another table; UPDATE_GOLDEN=1 writes it');
}

/** A handle holds the names of the question that it was made for. */
const NAMED_BY_HANDLE = 'zebra_sold';

/** What each tool is asked about what lies outside, with arguments that a limit does not refuse. */
function calls({ card, defined, execution, cases }: Ids): Record<string, object[]> {
  const asked = { eventName: 'order', aggregation: 'count', agentId: '*' };
  const content = { cardType: 'number', config: { eventName: 'order', aggregation: 'count' } };
  return {
    describe_workspace: [{}, { agentId: '*' }, { search: 'zebr' }, { eventName: 'zebra_sol' }],
    aggregate_events: [asked, { ...asked, eventName: 'zebra_sold' }, { ...asked, metric: 'okapi' }],
    query_events: [
      { eventName: 'order', agentId: '*' },
      { cases },
      { eventName: 'order', agentId: '*', segment: 'okapi' },
    ],
    explain_change: [{ ...asked, dateFrom: '-7d' }],
    render_dashboard_card: [
      { cardId: 'nothing like it' },
      { tab: 'nothing' },
      { tab: 'Shared' },
      { cardId: card },
      { cardId: defined },
    ],
    save_card: [
      { title: 'Orders', ...content, tab: 'nothing' },
      { cardId: 'nothing', title: 'Mine' },
    ],
    save_tab: [{ name: 'Mine', layout: [{ cardId: 'nothing', x: 0, y: 0, w: 1, h: 1 }] }],
    delete_card: [{ cardId: 'nothing' }],
    search_knowledge: [{ query: 'quaggas' }, { query: 'help', vectorStore: 'quagg' }],
    search_executions: [{}, { search: 'zebra' }],
    get_execution: [{ executionId: execution }],
    report_gap: [{ question: 'Why?' }],
    create_alert: [{ title: 'Orders', question: asked, condition: THRESHOLD }],
    track_event: [{ eventName: 'order', properties: {} }],
  };
}

test('Limits: no tool, resource or prompt tells of what lies outside', async (t) => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'tools' });
  const own = await appOfTenant(t, app, 'tools');
  const asked = calls(await filled(own));
  for (const limit of LIMITS.filter((one) => one !== 'connectors' && one !== 'models')) {
    const key = await own.newKey({ limits: HELD[limit], agentId: 'support' });
    const { result } = await rpc(own, 'tools/list', {}, key);
    for (const { name } of result.tools as { name: string }[]) {
      if (limit === 'vectorStores' && name !== 'search_knowledge') continue;
      const list = asked[name] ?? assert.fail(`${name}: whoever adds a tool that limits hold adds its calls`);
      for (const args of list) {
        const answer = await rpc(own, 'tools/call', { name, arguments: args }, key);
        const { content, structuredContent } = answer.result ?? { content: answer.error };
        const text = withoutEcho(JSON.stringify([content, structuredContent]), {
          body: 'cases' in args ? NAMED_BY_HANDLE : args,
        });
        const label = `${name} ${JSON.stringify(args)} with ${limit}: ${text}`;
        if (name === 'search_knowledge' && limit !== 'vectorStores') continue;
        const isDefinition = /card|tab|workspace/.test(name) && (limit === 'filters' || limit === 'segment');
        if (isDefinition) assert.doesNotMatch(text, /zebra_key|zebraland|"value":3/, label);
        else assert.doesNotMatch(text, outsideOf(limit), label);
        if (limit === 'eventNames') assert.doesNotMatch(text, DEFINED, label);
      }
    }
    if (limit === 'vectorStores') continue;
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['prompts/get', { name: 'weekly_report', arguments: { agentId: '*' } }],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'weekly_report' }, argument: { name: 'agentId', value: '' } },
      ],
    ] as const) {
      const text = JSON.stringify(await rpc(own, method, params, key));
      const isDefinition = limit === 'filters' || limit === 'segment';
      const pattern = isDefinition ? /zebra_key|zebraland/ : outsideOf(limit);
      assert.doesNotMatch(text, pattern, `${method} with ${limit}: ${text}`);
    }
  }
});
