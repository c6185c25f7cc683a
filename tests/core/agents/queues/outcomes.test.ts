import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outcomes } from '../../../../src/core/agents/queues/outcomes.ts';
import type { RawPlan } from '../../../../src/core/analytics/events/query-plan.ts';

interface Event {
  thread: string;
  at: number;
}

/** Answers plans over these events, and counts them. */
function outcomesOver(events: Event[]) {
  const asked: RawPlan[] = [];
  const query = async (_: string, plan: RawPlan) => {
    asked.push(plan);
    const { selection, sort, limit } = plan;
    const threads = selection.predicates.flatMap(({ test: one }) => (one.kind === 'oneOf' ? [one.values] : []))[0];
    const found = events
      .filter(({ thread, at }) => at >= selection.from! && (threads === undefined || threads.includes(thread)))
      .toSorted((one, other) => (sort.descending ? other.at - one.at : one.at - other.at))
      .slice(0, limit);
    return { rows: found.map(({ thread, at }) => [thread, at]) };
  };
  return { outcomes: new Outcomes({ query } as never), asked };
}

const dates = { now: 0, timezone: 'UTC' };
const outcome = { eventName: 'refund' };

test('Outcomes: threads with thousands of events do not hide the others', async () => {
  const crowd = Array.from({ length: 12_000 }, (_, at) => ({ thread: at % 2 === 0 ? 'a' : 'b', at: at + 10 }));
  const { outcomes, asked } = outcomesOver([...crowd, { thread: 'c', at: 5 }, { thread: 'd', at: 1 }]);
  const threads = { field: 'threadId', values: ['a', 'b', 'c', 'd', 'e'] } as const;
  const found = await outcomes.last('one', outcome, threads, { ...dates, from: 2 });
  assert.deepEqual(Object.fromEntries(found), { a: 12_008, b: 12_009, c: 5 });
  assert.equal(asked.length, 2);
});

test('Outcomes: pages since a time leave nothing out', async () => {
  const events = Array.from({ length: 11_000 }, (_, at) => ({ thread: `t${at}`, at: Math.floor(at / 3) }));
  const { outcomes, asked } = outcomesOver(events);
  const seen = new Set<string>();
  for (let from: number | null = 100; from !== null; ) {
    const page = await outcomes.since('one', outcome, { ...dates, from });
    for (const thread of page.threads.keys()) seen.add(thread);
    from = page.next;
  }
  assert.equal(seen.size, 11_000 - 300);
  assert.equal(asked.length, 3);
});
