import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { discoverEvents, discoverProperties } from '../../../src/core/analytics/events/discovery/discovery.ts';
import { eventsWithin } from '../../../src/core/analytics/events/held-events.ts';
import {
  answerAggregate,
  answerFunnel,
  answerTable,
  queryFeed,
} from '../../../src/core/analytics/events/questions/answer.ts';
import type { QueryContext } from '../../../src/core/analytics/events/questions/ask.ts';
import type { DefinedSegment } from '../../../src/core/analytics/events/questions/question.ts';
import type { EventStore } from '../../../src/core/analytics/events/store.ts';
import type { AccessLimits } from '../../../src/core/base/filters/limits.ts';
import type { Caller } from '../../../src/core/base/shared/caller.ts';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { withMethods } from '../../../src/core/base/shared/with-methods.ts';
import { AGENTS, type Dataset, EVENT_NAMES } from '../../reference/datasets.ts';
import { storedEvent } from '../../reference/differential.ts';
import { filtersArbitrary, type Request, requestArbitrary } from '../../reference/generators.ts';
import { ofSubjects } from '../../reference/segments.ts';
import { passes } from '../../reference/selection.ts';
import { differentialSeed, type OpenStore, sampleDataset } from './differential.ts';

/*
 * The answers to a caller with limits are those of a tenant that has only the events within them:
 * values, totals, notes, nearest names, discovery. Both make the store work equally often, so that
 * times tell nothing either.
 */

const SEGMENT: DefinedSegment = {
  name: 'often',
  by: 'threadId',
  conditions: [{ eventName: 'purchase', atLeast: 2 }],
};

function limitsArbitrary(dataset: Dataset): fc.Arbitrary<AccessLimits> {
  const some = <Name>(names: readonly Name[]) =>
    fc.option(fc.subarray([...names], { minLength: 1 }), { nil: undefined });
  return fc
    .record({
      agents: some(AGENTS),
      eventNames: some([...EVENT_NAMES, 'unheard of']),
      filters: fc.option(filtersArbitrary(dataset), { nil: undefined, freq: 2 }),
      segment: fc.option(fc.constant(SEGMENT.name), { nil: undefined, freq: 2 }),
    })
    .map(({ filters, ...limits }) => ({ ...limits, ...(filters?.length ? { filters } : {}) }));
}

export async function compareWithOwnTenant(
  t: TestContext,
  openStore: OpenStore,
  { runs, datasets }: { runs: number; datasets: number },
): Promise<void> {
  const seed = differentialSeed(20_261_130);
  t.diagnostic(`DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_RUNS=${runs}`);
  const store = await openStore(t);
  let answered = 0;
  for (let index = 0; index < datasets; index += 1) {
    const dataset = sampleDataset(index, { seed, runs, datasets, eventsPerDataset: 150 });
    await append(store, dataset);
    const [limits] = fc.sample(limitsArbitrary(dataset), { seed: seed + index, numRuns: 1 });
    const own = { ...dataset, tenantId: `${dataset.tenantId} alone`, events: eventsIn(dataset, limits!) };
    await append(store, own);
    const held = contextOf(store, dataset, [limits!]);
    const alone = contextOf(store, own);
    assert.deepEqual(await discovered(held), await discovered(alone), JSON.stringify(limits));
    const property = fc.asyncProperty(requestArbitrary(dataset), async (request) => {
      const by = (context: QueryContext) => ({ ...context, caller: { ...context.caller, agentId: request.agentId } });
      const answer = await answerOf(request, by(held));
      assert.deepEqual(answer, await answerOf(request, by(alone)), JSON.stringify(limits));
      if (typeof answer !== 'string') answered += 1;
      // The segment of limits is computed from all events, of which the other tenant has fewer.
      if (limits!.segment !== undefined) return;
      const [work, alike] = [dataset, own].map(async (tenant) => {
        const { store: counting, calls } = counted(store);
        await answerOf(request, by(contextOf(counting, tenant, [limits!])));
        return calls;
      });
      assert.deepEqual(await work, await alike, `${JSON.stringify(limits)}: what is outside makes other work`);
    });
    await fc.assert(property, { seed: seed + index, numRuns: Math.ceil(runs / datasets) });
  }
  assert.ok(answered > runs / 3, `only ${answered} of ${runs} questions were answered`);
}

async function append(store: EventStore, { tenantId, events }: Dataset): Promise<void> {
  if (events.length === 0) return;
  const { receipt } = await store.append(tenantId, events.map(storedEvent));
  assert.ok(await store.waitFor(receipt, 30_000));
}

/** By the reference evaluator. */
function eventsIn(dataset: Dataset, { agents, eventNames, filters, segment }: AccessLimits) {
  const dates = { now: dataset.now, timezone: dataset.timezone };
  const isOfSegment = segment === undefined ? () => true : ofSubjects(SEGMENT, dates, { ...dataset, agentId: null });
  return dataset.events.filter(
    (event) =>
      (agents?.includes(event.agentId) ?? true) &&
      (eventNames?.includes(event.eventName) ?? true) &&
      passes(filters, event, dates) &&
      isOfSegment(event),
  );
}

function contextOf(store: EventStore, { tenantId, timezone, now }: Dataset, limits?: AccessLimits[]): QueryContext {
  const caller: Caller = {
    ...{ tenantId, agentId: null, timezone, label: 'test', scopes: ['*'], userId: null, role: null },
    ...{ credential: { kind: 'key', id: 'test' }, ...(limits && { limits }) },
  };
  const parts = { store: byKeys(store), segments: { resolve: async () => SEGMENT } };
  return { store: eventsWithin(parts, caller, { now, timezone }), caller, effects: { now: () => now } };
}

/** With the numbers of calls by method. */
function counted(store: EventStore) {
  const calls = { query: 0, knownEvents: 0, knownProperties: 0 };
  const counting = withMethods<EventStore>(store, {
    query: (...asked) => {
      calls.query += 1;
      return store.query(...asked);
    },
    knownEvents: (...asked) => {
      calls.knownEvents += 1;
      return store.knownEvents(...asked);
    },
    knownProperties: (...asked) => {
      calls.knownProperties += 1;
      return store.knownProperties(...asked);
    },
  });
  return { store: counting, calls };
}

/** Properties by key, in place of their first appearance. */
function byKeys(store: EventStore): EventStore {
  return withMethods<EventStore>(store, {
    knownProperties: async (...asked) => (await store.knownProperties(...asked)).sort(byKey),
  });
}

async function discovered(context: QueryContext) {
  const events = await discoverEvents(context, {});
  const asked = events.map(async ({ eventName }) => {
    const found = await discoverProperties(context, { eventName, values: 5, sample: 1_000 });
    return found.map((property) => ({ ...property, type: property.type.split('|').sort().join('|') })).sort(byKey);
  });
  return { events: events.sort(byName), properties: await Promise.all(asked) };
}

/** A text for a refusal. */
async function answerOf(request: Request, context: QueryContext): Promise<unknown> {
  try {
    switch (request.kind) {
      case 'kpi':
        return await answerAggregate(request.input, context);
      case 'funnel':
        return await answerFunnel(request.input, context);
      case 'feed':
        return await queryFeed(request.input, context);
      case 'table': {
        const answer = await answerTable(request.input, context);
        return { ...answer, columns: answer.columns.toSorted(byKey) };
      }
    }
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'invalid') return error.message;
    throw error;
  }
}

const byKey = (one: { key: string }, other: { key: string }) => (one.key < other.key ? -1 : 1);
const byName = (one: { eventName: string }, other: { eventName: string }) => (one.eventName < other.eventName ? -1 : 1);
