import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openEventsAtFirstUse } from '../../src/storage/events/duckdb/first-use.ts';
import { tools } from '../../src/tools/server.ts';
import { type Fixture, newFixture } from '../support/api-fuzz/fixture.ts';
import { hintsOf } from '../support/api-fuzz/hints.ts';
import { type Operation, operations } from '../support/api-fuzz/operations.ts';
import { learn } from '../support/api-fuzz/pools.ts';
import { type Random, randomOf } from '../support/api-fuzz/random.ts';
import { requestOf } from '../support/api-fuzz/requests.ts';
import { EVENTS, skipOnServers } from '../support/app.ts';
import { IS_SOAK, rareTest } from '../support/rare.ts';
import { type Received, type Sent, ThreadClient } from '../support/turns/client.ts';
import { fillTenant, filtersOf, LONG, WIDE, words } from '../support/turns/full-tenant.ts';
import { grown, routeOf, unknownMembers } from '../support/turns/largest.ts';
import { longestTurn, unitOfWork } from '../support/turns/longest.ts';
import { JSON_HEADERS, message } from '../tools/mcp-requests.ts';

/*
 * The server answers everybody on one thread. Every route and every tool gets the largest input that it takes, in a tenant
 * that stores much, and no turn of the event loop may be long. Turns are measured against a piece of work of known size.
 */

const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
const OBSERVABILITY = '/api/v1/runtime/observability';
/** What a request may add to the memory of the process, with the client's copy of the answer. */
const MAX_MEMORY = 500 * 1024 * 1024;

/** How often a request with a long turn is repeated: a collection of garbage, or memory that the system is slow to give, passes. */
const REPEATS = 3;

class Watch {
  private readonly client: ThreadClient;
  private readonly unit = unitOfWork();
  private readonly limit: number;
  readonly seen: { what: string; turn: number; memory: number }[] = [];

  /** `limit`: in units of work. */
  constructor(t: TestContext, limit: number) {
    this.client = new ThreadClient(t);
    this.limit = limit;
  }

  /** Not watched: the first use of code loads it. */
  send(request: Sent): Promise<Received> {
    return this.client.send(request);
  }

  async watch(what: string, request: Sent): Promise<Received> {
    const first = await longestTurn(this.client.prepare(request));
    const { result, memory } = first;
    const { status, text } = result;
    let turn = first.turn / this.unit;
    for (let again = 0; turn > this.limit && again < REPEATS; again += 1) {
      const repeated = await longestTurn(this.client.prepare(request));
      if (repeated.result.status === status) turn = Math.min(turn, repeated.turn / this.unit);
    }
    this.seen.push({ what: `${what} -> ${status}`, turn, memory });
    assert.ok(status >= 200 && status !== 500, `${what} -> ${status} ${text.slice(0, 300)}`);
    return result;
  }

  assertShort(t: TestContext): void {
    const longest = this.seen.toSorted((one, other) => other.turn - one.turn);
    for (const { what, turn } of longest.slice(0, 8)) t.diagnostic(`${turn.toFixed(2)} units: ${what}`);
    const tooLong = longest
      .filter(({ turn }) => turn > this.limit)
      .map(({ what, turn }) => `${what}: ${turn.toFixed(2)}`);
    assert.deepEqual(tooLong, [], `turns of more than ${this.limit} units, of ${this.unit} ms each`);
    const tooMuch = this.seen.filter(({ memory }) => memory > MAX_MEMORY).map(({ what }) => what);
    assert.deepEqual(tooMuch, [], 'memory');
  }
}

/** Ends what the test needs, or is no request with an answer. */
const LEFT_OUT = new Set(['postPortalLogout', 'deletePortalSessions', 'postPortalMePassword']);

/** A right request of every route, and as large a body as it takes, right and wrong. */
async function everyRoute(fixture: Fixture, watch: Watch): Promise<void> {
  const random = randomOf(7);
  for (const operation of operations) {
    if (LEFT_OUT.has(operation.id)) continue;
    const request = await sentOf(operation, fixture, random);
    const first = await watch.send(request);
    if (first.status < 300 && first.text.startsWith('{') && first.bytes === Buffer.byteLength(first.text)) {
      learn(fixture.own, operation.id, JSON.parse(first.text));
    }
    if (operation.method !== 'DELETE') await watch.watch(operation.id, largestPage(operation, request));
    const { maxBytes = 0 } = routeOf(operation)?.body ?? {};
    if (maxBytes === 0) continue;
    const own = hintsOf(fixture.own, random);
    const hint = (name: string) => HINTS[name] ?? (name === 'tenantId' ? fixture.app.tenantId : own(name));
    const { schema } = operation.bodies['application/json']!;
    const body = Buffer.from(JSON.stringify(grown(schema, { bytes: maxBytes * 0.7 }, hint)));
    await watch.watch(`${operation.id}, ${body.length} bytes`, { ...request, body });
    await watch.watch(`${operation.id}, unknown members`, { ...request, body: unknownMembers(maxBytes) });
  }
}

const HINTS: Record<string, unknown> = {
  operator: 'in',
  value: filtersOf(12).map((one) => (one as { value: unknown }).value)[0],
};

async function sentOf(operation: Operation, fixture: Fixture, random: Random): Promise<Sent> {
  const { method, target, headers, body } = await requestOf(operation, fixture, random, true);
  return { method, url: `${fixture.app.url}${target}`, headers, body };
}

/** With the largest limit, and a search where there is one. */
function largestPage({ parameters }: Operation, request: Sent): Sent {
  const url = new URL(request.url);
  for (const { name } of parameters.filter((one) => one.in === 'query')) {
    if (name === 'limit') url.searchParams.set(name, '1000');
  }
  return { ...request, url: url.href };
}

/** Questions and lists that make the most of what is stored. */
async function fullTenant({ app }: Fixture, watch: Watch): Promise<void> {
  const headers = { 'x-api-key': app.key, 'content-type': 'application/json' };
  const ask = (method: string, path: string, body?: object) =>
    watch.watch(`${method} ${path} ${JSON.stringify(body ?? {}).slice(0, 120)}`, {
      ...{ method, url: `${app.url}${path}`, headers },
      body: body && Buffer.from(JSON.stringify(body)),
    });
  const grouped = { eventName: LONG, aggregation: 'count', group_by: 'text', limit: 500, dateFrom: '-38d' };
  for (const question of [
    { eventName: LONG, limit: 1_000 },
    { eventName: LONG, limit: 1_000, columns: ['text'], sortBy: 'amount' },
    { eventName: WIDE, limit: 1_000 },
    { eventName: LONG, mode: 'aggregate', groupBy: 'text', limit: 1_000 },
    { eventName: LONG, filters: filtersOf(500) },
  ]) {
    await ask('POST', `${EVENTS}/query`, question);
  }
  await ask('GET', `${EVENTS}/feed?eventName=${LONG}&limit=100`);
  await ask('GET', `${EVENTS}/feed?eventName=${WIDE}&limit=100`);
  const wide = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`key_${index}`, index]));
  await ask('POST', EVENTS, { events: Array.from({ length: 5_000 }, () => ({ eventName: 'sent', properties: wide })) });
  await ask('POST', `${OBSERVABILITY}/dashboard-cards/preview`, {
    ...{ agentId: 'support', title: 'Texts', cardType: 'line' },
    config: { ...grouped, groupBy: 'text', group_by: undefined, limit: undefined, dateGrouping: 'hour' },
  });
  for (const list of ['segments', 'metrics', 'terms', 'annotations', 'metrics/metric_0/versions', 'dashboard-cards']) {
    await ask('GET', `${OBSERVABILITY}/${list}?${list === 'dashboard-cards' ? '' : 'limit=1000'}`);
  }
  for (const list of ['segments', 'metrics', 'terms']) {
    await ask('GET', `${OBSERVABILITY}/${list}?limit=1000&search=${encodeURIComponent(words(200))}`);
    await ask('GET', `${OBSERVABILITY}/${list}/${list === 'terms' ? 'nothing' : 'order_refunds_of_customers'}`);
  }
  const message = { role: 'user', content: words(2_000) };
  await ask('POST', EXECUTIONS, { id: 'large', messages: Array.from({ length: 400 }, () => message) });
  await ask('GET', `${EXECUTIONS}/large`);
  // What follows a change reads the changed definition alone.
  await ask('PATCH', `${OBSERVABILITY}/metrics/metric_1`, { title: 'Changed' });
  await ask('POST', `${OBSERVABILITY}/explain`, { metric: 'metric_2', dateFrom: '-7d', properties: ['text'] });
  await ask('POST', `${OBSERVABILITY}/explain`, { metric: words(100), dateFrom: '-7d' });
}

const definition = {
  name: 'proposed',
  title: words(200),
  description: words(2_000),
  goodDirection: 'up',
  formula: { eventName: LONG, aggregation: 'count', filters: filtersOf(100) },
};

/** The largest arguments of each tool. */
const LARGEST: Record<string, object[]> = {
  describe_workspace: [{}, { search: words(200) }, { eventName: WIDE }],
  aggregate_events: [
    { eventName: LONG, aggregation: 'count', group_by: 'text', limit: 500, dateGrouping: 'hour', dateFrom: '-38d' },
    {
      eventName: LONG,
      aggregation: 'count',
      group_by: 'text',
      limit: 500,
      dateFrom: '-7d',
      compareTo: 'previous_period',
    },
    { eventName: LONG, aggregation: 'count', filters: filtersOf(500) },
    { metric: words(200) },
  ],
  explain_change: [{ eventName: LONG, aggregation: 'count', dateFrom: '-7d', properties: ['text', 'threadId'] }],
  query_events: [
    { eventName: LONG, limit: 500 },
    { eventName: WIDE, limit: 500 },
    { eventName: LONG, mode: 'aggregate', groupBy: ['text', 'threadId'], limit: 500 },
  ],
  render_dashboard_card: [{ cardId: 'Card 1' }, { cardId: words(200) }],
  search_executions: [{ search: words(200), limit: 100 }],
  get_execution: [{ executionId: 'large' }],
  search_knowledge: [{ vectorStore: 'help', query: words(4_000) }],
  report_gap: [{ question: words(500), missing: words(500) }],
  propose_metric: [definition],
  track_event: [{ eventName: 'tracked', properties: { text: words(60_000) } }],
  create_annotation: [{ text: words(500), at: '2026-03-01' }],
  create_alert: [{ title: words(200), metric: 'metric_3', condition: { type: 'no_data' }, targets: [] }],
  save_card: [
    {
      title: 'Texts',
      cardType: 'table',
      config: { eventName: LONG, mode: 'raw', limit: 500, filters: filtersOf(300) },
    },
    { cardId: 'Texts', config: { eventName: WIDE, mode: 'raw', limit: 500 }, gridLayout: { x: 0, y: 0, w: 1, h: 1 } },
  ],
  save_tab: [
    {
      name: words(100).slice(0, 100).trim(),
      layout: Array.from({ length: 100 }, (_, index) => ({ cardId: `Card ${index}`, x: index, y: 0, w: 1, h: 1 })),
    },
  ],
  delete_card: [{ cardId: words(200) }],
};

async function everyTool({ app }: Fixture, watch: Watch): Promise<void> {
  assert.deepEqual(
    Object.keys(LARGEST).sort(),
    tools.map(({ name }) => name).sort(),
    'a tool without its largest arguments',
  );
  for (const [name, cases] of Object.entries(LARGEST)) {
    const unknown = JSON.parse(unknownMembers(900_000).toString()) as object;
    for (const args of [...cases, unknown]) {
      const body = Buffer.from(message('tools/call', { name, arguments: args }));
      const request = {
        method: 'POST',
        url: `${app.url}/mcp`,
        headers: { ...JSON_HEADERS, 'x-api-key': app.key },
        body,
      };
      if (args === cases[0]) await watch.send(request);
      await watch.watch(`${name} ${JSON.stringify(args).slice(0, 100)}`, request);
    }
  }
}

async function throwEverything(t: TestContext, { share, limit }: { share: number; limit: number }): Promise<void> {
  const fixture = await newFixture(t, openEventsAtFirstUse);
  await fillTenant(fixture.app, share);
  const watch = new Watch(t, limit);
  await fullTenant(fixture, watch);
  await everyTool(fixture, watch);
  await everyRoute(fixture, watch);
  watch.assertShort(t);
}

/** Half as much again as a turn may take, because a collection of garbage may come at any time. */
test(
  'Server: the largest input to a route or tool takes no long turn',
  { skip: skipOnServers || IS_SOAK, timeout: 300_000 },
  (t) => throwEverything(t, { share: 0.1, limit: 1.5 }),
);

rareTest('Server: in a full tenant no turn takes more than 100 ms', { skip: skipOnServers, timeout: 900_000 }, (t) =>
  throwEverything(t, { share: 1, limit: 1 }),
);
