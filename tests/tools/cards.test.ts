import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { openRuntime } from '../../src/app/runtime.ts';
import { createServerApp } from '../../src/app/server.ts';
import { listen, urlOf } from '../../src/commands/server/listen.ts';
import { loadConfig } from '../../src/config.ts';
import { CARD_TYPES } from '../../src/core/analytics/dashboards/config-schema.ts';
import type { RenderedCard } from '../../src/core/analytics/dashboards/render.ts';
import { upsertCardSchema } from '../../src/core/analytics/dashboards/schema.ts';
import { withNote } from '../../src/core/analytics/events/questions/notes.ts';
import type { Caller } from '../../src/core/base/shared/caller.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { parse } from '../../src/core/base/shared/parse.ts';
import { createLog } from '../../src/logging/log.ts';
import { closeServer } from '../../src/ownership/close-server.ts';
import { openEventsAtFirstUse } from '../../src/storage/events/duckdb/first-use.ts';
import { SqlTenantStore } from '../../src/storage/state/sql/tenants.ts';
import { openStateDatabase } from '../../src/storage/state/sqlite/database.ts';
import { shownCard as withWords } from '../../src/tools/text/shown.ts';
import { cardDifference } from '../reference/card-difference.ts';
import { aMonthBefore, cardArbitrary, expectedCard, type GeneratedCard } from '../reference/cards.ts';
import { type Dataset, datasetArbitrary } from '../reference/datasets.ts';
import { storedEvent } from '../reference/differential.ts';
import { temporaryDirectory } from '../support/app.ts';
import { assertSameAnswer } from './same-answer.ts';
import { v2Client } from './support.ts';

/*
 * Cards of every type over generated events, by the reference evaluator. CARDS_SEED repeats a run, CARDS_RUNS makes it
 * longer; a failure names the seed and the smallest card that fast-check could find.
 */
const SEED = Number(process.env.CARDS_SEED ?? 20_241_103);
const RUNS_PER_TYPE = Number(process.env.CARDS_RUNS ?? 10);
const DATASETS = 12;
const CARDS = '/api/v1/runtime/observability/dashboard-cards';

/** A tenant with generated events, and an unbound key. */
interface TestTenant {
  dataset: Dataset;
  caller: Caller;
  key: string;
}

let server: Awaited<ReturnType<typeof startServer>>;
let tenants: TestTenant[];

const cleanups: (() => unknown)[] = [];
after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});
const wholeFile = { after: (cleanup: () => unknown) => cleanups.push(cleanup) } as unknown as TestContext;

before(async () => {
  server = await startServer();
  tenants = await Promise.all(Array.from({ length: DATASETS }, (_, index) => makeTestTenant(index)));
});

for (const cardType of CARD_TYPES) {
  test(`render: ${cardType} cards equal the reference evaluator`, async (t) => {
    t.diagnostic(`CARDS_SEED=${SEED} CARDS_RUNS=${RUNS_PER_TYPE}`);
    const seen = { cards: 0, refused: 0, matched: 0 };
    for (const [index, tenant] of tenants.entries()) {
      server.clock.now = tenant.dataset.now;
      const sameAnswer = fc.asyncProperty(cardArbitrary(tenant.dataset, cardType), async (card) => {
        const expected = expectedCard(card, tenant.dataset);
        const actual = await shownCard(tenant, card);
        seen.cards += 1;
        seen.refused += Number(actual === 'refused');
        seen.matched += Number(actual !== 'refused' && actual.basis.matchedEvents > 0);
        const found =
          expected === 'refused' || actual === 'refused'
            ? expected === actual
              ? null
              : `${actual === 'refused' ? 'refused' : 'shown'}, but should be otherwise`
            : cardDifference(actual, expected);
        if (found !== null) throw new Error(`${found}\n${JSON.stringify(card)}`);
      });
      await fc.assert(sameAnswer, { seed: SEED + index, numRuns: Math.ceil(RUNS_PER_TYPE / DATASETS) });
    }
    t.diagnostic(`${seen.cards} cards, ${seen.refused} of them refused, ${seen.matched} that matched events`);
    assert.ok(seen.matched >= seen.cards / 4 && seen.refused <= seen.cards / 4, 'what is generated proves little');
  });
}

test('render: tool, REST and core say the same, REST the notes also one by one', async (t) => {
  for (const [index, tenant] of tenants.entries()) {
    server.clock.now = tenant.dataset.now;
    const client = await v2Client()(t, { kind: 'http', url: `${server.url}/mcp`, key: tenant.key });
    for (const [at, cardType] of CARD_TYPES.entries()) {
      if ((index + at) % 4 !== 0) continue;
      const [card] = fc.sample(cardArbitrary(tenant.dataset, cardType), { seed: SEED + index, numRuns: 1 });
      const id = await storedCard(tenant, card!);
      if (id === 'refused') continue;
      const fromCore = await server.runtime.dashboards.render(tenant.caller, id, 'dashboards:read');
      const response = await fetch(`${server.url}${CARDS}/${id}/render`, { headers: { 'x-api-key': tenant.key } });
      const fromRest = await response.text();
      assert.equal(response.status, 200, fromRest);
      const { notes } = fromCore;
      const asked = { ...withNote(fromCore), ...(notes.length > 0 ? { notes } : {}) };
      assert.equal(fromRest, JSON.stringify(asked), JSON.stringify(card));
      const fromTool = await client.call('render_dashboard_card', { cardId: id });
      assert.equal(fromTool.isError, false, fromTool.text);
      const shown = withWords(withNote(fromCore) as RenderedCard);
      assert.deepEqual(fromTool.data, JSON.parse(JSON.stringify(shown)), JSON.stringify(card));
      assertSameAnswer(fromTool.text, fromTool.data);
    }
  }
});

test('render: without dateFrom a card begins at local midnight 30 days ago, across DST', async () => {
  const tenant = tenants.find(({ dataset }) => dataset.timezone === 'America/Los_Angeles')!;
  // Half past noon on the 8th of April 2024; the clocks went forward on the 10th of March at two.
  server.clock.now = Date.parse('2024-04-08T12:30:00-07:00');
  const caller = { ...tenant.caller, tenantId: await makeTenant('thirty days', 'America/Los_Angeles') };
  const times = ['2024-03-08T23:59:59.999-08:00', '2024-03-09T00:00:00-08:00', '2024-04-08T12:30:00-07:00'];
  const events = times.map((time, at) => ({
    ...{ id: `${at}`, agentId: 'support', eventName: 'e', threadId: null, executionId: null, properties: {} },
    timestamp: Date.parse(time),
  }));
  await append(caller.tenantId, events);
  const content = { eventName: 'e', aggregation: 'count' };
  const number = await shownCard({ caller }, { agentId: 'support', cardType: 'number', config: content });
  assert.notEqual(number, 'refused');
  assert.deepEqual(number, {
    card: (number as RenderedCard).card,
    data: { value: 2, formatted: '2' },
    basis: {
      cases: (number as RenderedCard).basis.cases,
      ...{ eventName: 'e', agentId: 'support', filters: [], timezone: 'America/Los_Angeles' },
      ...{ from: '2024-03-09T08:00:00.000Z', to: '2024-04-08T19:30:00.000Z' },
      ...{ matchedEvents: 2, lastEventAt: '2024-04-08T19:30:00.000Z', aggregation: 'count' },
    },
  });
  const line = await shownCard({ caller }, { agentId: 'support', cardType: 'line', config: content });
  const { series } = (line as RenderedCard).data as { series: { bucket: string; value: number }[] };
  assert.equal(series.length, 31);
  assert.deepEqual(series[0], { bucket: '2024-03-09T00:00:00-08:00', value: 1 });
  assert.deepEqual(series[2], { bucket: '2024-03-11T00:00:00-07:00', value: 0 });
  assert.deepEqual(series.at(-1), { bucket: '2024-04-08T00:00:00-07:00', value: 1 });
});

test('render: a funnel without a window has two weeks from its first step', async () => {
  server.clock.now = Date.parse('2024-06-30T00:00:00Z');
  const caller = { ...tenants[0]!.caller, tenantId: await makeTenant('two weeks', 'UTC'), timezone: 'UTC' };
  const event = (threadId: string, eventName: string, time: string) => ({
    ...{ id: `${threadId} ${eventName}`, agentId: 'support', eventName, timestamp: Date.parse(time), threadId },
    ...{ executionId: null, properties: {} },
  });
  await append(caller.tenantId, [
    event('in time', 'asked', '2024-06-10T12:00:00Z'),
    event('in time', 'answered', '2024-06-24T12:00:00Z'),
    event('too late', 'asked', '2024-06-10T12:00:00Z'),
    event('too late', 'answered', '2024-06-24T12:00:00.001Z'),
    event('never', 'asked', '2024-06-10T12:00:00Z'),
  ]);
  const config = { steps: [{ eventName: 'asked' }, { eventName: 'answered', label: 'was answered' }] };
  const card = await shownCard({ caller }, { agentId: 'support', cardType: 'funnel', config });
  assert.deepEqual((card as RenderedCard).data, {
    steps: [
      { label: 'asked', eventName: 'asked', count: 3, conversion: 1 },
      { label: 'was answered', eventName: 'answered', count: 1, conversion: 0.333333333333333 },
    ],
  });
});

test('render: an expired card is refused with a reason, and works once changed', async () => {
  const tenant = tenants[0]!;
  server.clock.now = Date.parse('2024-03-01T00:00:00Z');
  const config = { eventName: 'purchase', aggregation: 'count', dateFrom: '2024-02-01', dateGrouping: 'hour' };
  const id = await storedCard(tenant, { agentId: 'nobody', cardType: 'line', config });
  const render = () => server.runtime.dashboards.render(tenant.caller, id, 'mcp:read');
  assert.ok(await render());
  server.clock.now = Date.parse('2024-04-01T00:00:00Z');
  await assert.rejects(render(), /1000 buckets by hour/);
  const changes = { config: { ...config, dateGrouping: 'day' } };
  await server.runtime.dashboards.updateCard(tenant.caller, id, changes);
  assert.ok(await render());
});

/** Creates a card as REST does and renders it; a string when either is refused. */
async function shownCard(tenant: { caller: Caller }, card: GeneratedCard): Promise<RenderedCard | 'refused'> {
  const id = await storedCard(tenant, card);
  if (id === 'refused') return id;
  return orRefused(server.runtime.dashboards.render(tenant.caller, id, 'dashboards:read').then(withNote));
}

async function storedCard({ caller }: { caller: Caller }, card: GeneratedCard): Promise<string> {
  const { dashboards } = server.runtime;
  const made = async () => dashboards.upsertCard(caller, parse(upsertCardSchema, { ...card, title: 'A card' }));
  const result = await orRefused(made());
  return result === 'refused' ? result : result.card.id;
}

async function orRefused<Result>(work: Promise<Result>): Promise<Result | 'refused'> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'invalid') return 'refused';
    throw error;
  }
}

async function makeTestTenant(index: number): Promise<TestTenant> {
  const generated = fc.sample(datasetArbitrary(index), { seed: SEED + index, numRuns: 1 })[0]!;
  const tenantId = await makeTenant(generated.tenantId, generated.timezone);
  const dataset = { ...aMonthBefore(generated), tenantId };
  await append(tenantId, dataset.events);
  const input = { agentId: null, label: 'test', scopes: ['*' as const], expiresAt: null };
  const { key } = await server.runtime.keys.create(tenantId, input, null);
  return { dataset, key, caller: await server.runtime.keyAuthenticator.authenticate(key) };
}

async function append(tenantId: string, events: Dataset['events']): Promise<void> {
  const { receipt } = await server.runtime.eventStore.append(tenantId, events.map(storedEvent));
  assert.ok(await server.runtime.eventStore.waitFor(receipt, 30_000), 'the events did not become visible');
}

/** A tenant with its own time zone. */
async function makeTenant(name: string, timezone: string): Promise<string> {
  const id = realEffects.newId();
  await server.tenants.create({
    id,
    name,
    timezone,
    createdAt: 0,
    retentionDays: null,
    executionRetentionDays: null,
    secondFactor: 'optional',
    passwordLogin: true,
    roleLimits: null,
  });
  return id;
}

/** A server with the test's clock. */
async function startServer() {
  const clock = { now: Date.now() };
  const config = loadConfig(
    { dataDir: temporaryDirectory(wholeFile), port: 0, logLevel: 'silent', rateLimit: 0 },
    {},
    {},
  );
  const effects = { ...realEffects, now: () => clock.now };
  // On a busy machine events may be late between two of the answers that are compared.
  const runtime = await openRuntime(config, createLog(config.logLevel), effects, (options, observer) =>
    openEventsAtFirstUse({ ...options, lateMs: 60_000 }, observer),
  );
  const listening = await listen(createServerApp(runtime), config);
  const state = await openStateDatabase(join(config.dataDir, 'state.sqlite'));
  cleanups.push(async () => {
    await closeServer(listening, 200);
    await state.destroy();
    await runtime.close();
  });
  return { clock, runtime, tenants: new SqlTenantStore(state), url: urlOf(listening, config) };
}
