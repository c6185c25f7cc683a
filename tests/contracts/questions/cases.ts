import assert from 'node:assert/strict';
import type { TestContext, test } from 'node:test';
import fc from 'fast-check';
import { askCases } from '../../../src/core/analytics/events/cases/ask-cases.ts';
import { casesQuestion, decodeHandle } from '../../../src/core/analytics/events/cases/handle.ts';
import { answerAggregate, answerFunnel, answerTable } from '../../../src/core/analytics/events/questions/answer.ts';
import { askTable, type QueryContext } from '../../../src/core/analytics/events/questions/ask.ts';
import type { Caller } from '../../../src/core/base/shared/caller.ts';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { storedEvent } from '../../reference/differential.ts';
import { type Request, requestArbitrary } from '../../reference/generators.ts';
import { tableQuestion } from '../../reference/questions.ts';
import { type Asked, differentialRuns, differentialSeed, type OpenStore, sampleDataset } from './differential.ts';

const options = { seed: differentialSeed(20_240_331), runs: 0, datasets: 4, eventsPerDataset: 120 };
const NO_EXECUTIONS = { newestOfThreads: async () => new Map<string, string[]>() };
const AFTERWARDS = 400 * 86_400_000;

/** A handle is opened with another agent, in another zone and a year later, as only a handle that holds all can be. */
async function compareHandles(t: TestContext, openStore: OpenStore, numRuns: number): Promise<void> {
  t.diagnostic(`DIFFERENTIAL_SEED=${options.seed} DIFFERENTIAL_RUNS=${numRuns}`);
  const store = await openStore(t);
  for (let index = 0; index < options.datasets; index += 1) {
    const { tenantId, timezone, events, ...dataset } = sampleDataset(index, options);
    // A handle's segment counts no events ahead of now.
    const now = Math.max(dataset.now, ...events.map(({ timestamp }) => timestamp));
    const { receipt } = await store.append(tenantId, events.map(storedEvent));
    assert.ok(await store.waitFor(receipt, 30_000));
    const contextOf = (agentId: string | null, zone: string, at: number): QueryContext => {
      const caller = { tenantId, agentId, timezone: zone } as Caller;
      return { store, caller, effects: { now: () => at } };
    };
    const requests = requestArbitrary(sampleDataset(index, options)).filter(hasHandle);
    const property = fc.asyncProperty(requests, async (request) => {
      const basis = await basisOf(request, contextOf(request.agentId, timezone, now));
      if (basis === null) return;
      const later = contextOf('someone', 'Asia/Tokyo', now + AFTERWARDS);
      const cases = decodeHandle(basis.cases!, 'cases');
      const opened = { ...later, effects: { now: () => cases.now ?? now + AFTERWARDS } };
      const page = { limit: 5, offset: 0 };
      const {
        total,
        events: newest,
        ...belonging
      } = await askCases({ ...casesQuestion(cases), ...page }, opened, NO_EXECUTIONS);
      assert.equal(total, basis.matchedEvents, basis.cases);
      assert.equal(newest.length, Math.min(5, total));
      const counted = await askTable({ ...tableQuestion({ eventName: 'x' }), ...casesQuestion(cases) }, opened);
      assert.equal(counted.table.total, total);
      const threads = new Set(counted.table.rows.map(({ threadId }) => threadId).filter((one) => one !== null));
      // A page has 100 rows.
      if (total <= 100) assert.equal(belonging.totalThreads, threads.size);
      assert.equal(belonging.threads.length, belonging.totalThreads);
    });
    await fc.assert(property, { seed: options.seed + index, numRuns: Math.ceil(numRuns / options.datasets) });
  }
}

function hasHandle({ kind, input }: Request): boolean {
  const isOfNumbers = 'mode' in input && (input.mode === 'aggregate' || input.mode === 'retention');
  return kind === 'kpi' || kind === 'funnel' || (kind === 'table' && isOfNumbers);
}

/** Null: the question is refused. */
async function basisOf({ kind, input }: Request, context: QueryContext) {
  try {
    if (kind === 'kpi') return (await answerAggregate(input, context)).basis;
    if (kind === 'funnel') return (await answerFunnel(input, context)).basis;
    return kind === 'table' ? (await answerTable(input, context)).basis : null;
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'invalid') return null;
    throw error;
  }
}

export function testCases({ name, openStore }: Asked, define: typeof test, defineRare: typeof test): void {
  define(`Handles on ${name}: their events are as many as the number counted`, (t) =>
    compareHandles(t, openStore, differentialRuns(12)),
  );

  defineRare(`Handles on ${name}: the events of many more are as many as the numbers counted`, (t) =>
    compareHandles(t, openStore, differentialRuns(600)),
  );
}
