import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { explainChange } from '../../../../../src/core/analytics/events/changes/explain-change.ts';
import type { KpiQuestion } from '../../../../../src/core/analytics/events/questions/question.ts';
import type { StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import type { Caller } from '../../../../../src/core/base/shared/caller.ts';
import { valuesOf, type World, worldOf } from '../../../../core/analytics/events/changes/planted.ts';
import { rareTest } from '../../../../support/rare.ts';
import { openStore } from './open-store.ts';

/*
 * Nothing but chance divides these events between two days. Events of a thread come together and
 * have the same values, as messages of a conversation do: counted one by one, they would look like
 * many witnesses.
 */

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 3);
const THREADS = 300;
const LONGEST_THREAD = 8;
const CONTEXT = { effects: { now: () => NOW } };
const RANGE = { dateFrom: '2026-03-02', dateTo: '2026-03-02', compareTo: 'previous_period' } as const;
const NUMERATOR = { filters: [{ propertyKey: 'ok', operator: 'eq', value: true }] };

const QUESTIONS = [
  { aggregation: 'count' },
  { aggregation: 'sum', propertyKey: 'x' },
  { aggregation: 'avg', propertyKey: 'x' },
  { aggregation: 'rate', numerator: NUMERATOR },
].map((measure) => ({ eventName: 'message', ...measure, ...RANGE }) as unknown as KpiQuestion & typeof RANGE);

function shuffledEvents(world: World, seed: number): StoredEvent[] {
  const { random } = world;
  return Array.from({ length: THREADS }, (_, thread) => {
    const values = valuesOf(world).map((value, at) => [`p${at}`, value] as const);
    const begin = NOW - 2 * DAY + Math.floor(random() * 2) * DAY;
    const often = random();
    return Array.from({ length: 1 + Math.floor(random() * LONGEST_THREAD) }, (_, at) => ({
      id: `${seed}-${thread}-${at}`,
      idFromCaller: true,
      agentId: 'support',
      eventName: 'message',
      timestamp: begin + Math.floor(random() * (DAY - 1)),
      threadId: `t${thread}`,
      executionId: null,
      properties: JSON.stringify({
        ...Object.fromEntries(values),
        x: 1 + Math.floor(random() * 40),
        ok: random() < often,
      }),
    }));
  }).flat();
}

async function falseAlarms(t: TestContext, cases: number): Promise<number> {
  const store = await openStore(t);
  let alarms = 0;
  for (let seed = 1; seed <= cases; seed += 1) {
    const tenantId = `case-${seed}`;
    const { receipt } = await store.append(tenantId, shuffledEvents(worldOf(7_000 + seed), seed));
    assert.ok(await store.waitFor(receipt, 30_000));
    const caller = { tenantId, agentId: null, timezone: 'UTC' } as Caller;
    const question = QUESTIONS[seed % QUESTIONS.length]!;
    const { confident, lookedAt, change } = await explainChange(question, { ...CONTEXT, store, caller });
    assert.ok(change !== null && lookedAt.properties.length >= 3 && lookedAt.comparisons > 0);
    alarms += Number(confident);
  }
  return alarms;
}

rareTest('explain_change: shuffled threads in the store seldom give a confident answer', async (t) => {
  assert.ok((await falseAlarms(t, 20)) <= 1);
});

rareTest('explain_change: of 400 answers on shuffled threads at most 5 % are confident', async (t) => {
  assert.ok((await falseAlarms(t, 400)) <= 20);
});
