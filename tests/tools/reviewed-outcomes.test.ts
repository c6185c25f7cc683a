import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../src/core/base/shared/caller.ts';
import { review } from '../contracts/reviews.ts';
import { COMMENT, newDesk, REVIEWS } from '../http/routes/reviews/support.ts';
import { EVENTS } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import { writeMuch } from '../support/reviews.ts';
import { answerOf, sharedApp, type ToolAnswer } from './support.ts';

const DAY = '2026-03-0';

/** Ten executions, of which the first four converted; the first, fifth and sixth on another plan and day. */
const EVENTS_OF_TEN = Array.from({ length: 10 }, (_, index) => {
  const other = [0, 4, 5].includes(index);
  const about = {
    executionId: `run ${index}`,
    timestamp: `${DAY}${other ? 2 : 3}T12:00:00Z`,
    properties: { plan: other ? 'free' : 'pro', amount: index + 1 },
  };
  return [{ eventName: 'conversation', ...about }, ...(index < 4 ? [{ eventName: 'purchase', ...about }] : [])];
}).flat();

/** A new tenant, and a real client whose key has these scopes. */
async function opened(scopes: (Scope | '*')[] = ['mcp:read', 'reviews:read']) {
  const app = await sharedApp();
  const desk = await newDesk(app);
  const client = await app.mcpClient(await desk.newKey({ scopes }));
  const call = async (args: object): Promise<ToolAnswer> =>
    answerOf(await client.callTool({ name: 'aggregate_events', arguments: { ...args } }));
  const ask = async (args: object) => {
    const { isError, text, data } = await call({ eventName: 'conversation', aggregation: 'count', ...args });
    assert.equal(isError, false, text);
    return data;
  };
  const send = (events: object[]) => app.ingest(events, desk.key);
  return { app, desk, call, ask, send };
}

/** The ten, and reviews: runs 0 to 2 good, 3 to 7 bad, 8 needs improvement, 9 none. */
async function reviewed() {
  const setup = await opened();
  await setup.send(EVENTS_OF_TEN);
  const ids: string[] = [];
  for (let index = 0; index < 9; index++) {
    const rating = index < 3 ? 'good' : index < 8 ? 'bad' : 'needs_improvement';
    const tags = [index % 2 ? 'odd' : 'even', ...(index === 4 ? ['refund, "now"'] : [])];
    const { id } = await setup.desk.review({ rating, tags }, `run ${index}`);
    if (index === 3 || index === 8) await setup.desk.right('PATCH', `${REVIEWS}/${id}`, { status: 'resolved' });
    ids.push(id);
  }
  return { ...setup, ids };
}

const CONVERSION = { aggregation: 'rate', numerator: { eventName: 'purchase' } };

test('review: badly rated executions convert less', async () => {
  const { ask } = await reviewed();
  const rate = async (rating: string[]) => {
    const { value, numerator, denominator, basis } = await ask({ ...CONVERSION, review: { rating } });
    assert.deepEqual(basis.review, { rating, executions: denominator });
    return [value, numerator, denominator];
  };
  assert.deepEqual(await rate(['bad']), [0.2, 1, 5]);
  assert.deepEqual(await rate(['good']), [1, 3, 3]);
  assert.deepEqual(await rate(['bad', 'needs_improvement']), [0.166666666666667, 1, 6]);
  const { value, basis } = await ask(CONVERSION);
  assert.deepEqual([value, basis.review, basis.matchedEvents], [0.4, undefined, 10]);
});

test('review: every kind of answer covers only the reviewed executions', async () => {
  const { ask } = await reviewed();
  const bad = { review: { rating: ['bad'] } };
  assert.equal((await ask(bad)).value, 5);
  assert.equal((await ask({ ...bad, aggregation: 'sum', propertyKey: 'amount' })).value, 4 + 5 + 6 + 7 + 8);
  assert.equal((await ask({ ...bad, aggregation: 'distinct_count', propertyKey: 'executionId' })).value, 5);
  assert.equal((await ask({ ...bad, filters: [{ propertyKey: 'plan', operator: 'eq', value: 'free' }] })).value, 2);
  const plans = (await ask({ ...bad, group_by: 'plan' })).groups;
  assert.deepEqual(plans, [
    { group: 'pro', value: 3 },
    { group: 'free', value: 2 },
  ]);
  const rates = (await ask({ ...bad, ...CONVERSION, group_by: 'plan' })).groups;
  assert.deepEqual(
    rates
      .map(({ group, value, numerator, denominator }: Record<string, unknown>) => [
        group,
        value,
        numerator,
        denominator,
      ])
      .sort(),
    [
      ['free', 0, 0, 2],
      ['pro', 0.333333333333333, 1, 3],
    ],
  );
  const days = { dateFrom: `${DAY}2`, dateTo: `${DAY}3` };
  const { series } = await ask({ ...bad, ...days, dateGrouping: 'day' });
  assert.deepEqual(
    series.map(({ value }: { value: number }) => value),
    [2, 3],
  );
  const grouped = await ask({ ...bad, ...days, dateGrouping: 'day', group_by: 'plan' });
  assert.equal(
    grouped.series.reduce((sum: number, { value }: { value: number }) => sum + value, 0),
    5,
  );
  const compared = await ask({ ...bad, dateFrom: `${DAY}3`, dateTo: `${DAY}3`, compareTo: 'previous_period' });
  assert.deepEqual([compared.value, compared.previous.value, compared.previous.change], [3, 2, 1]);
  const comparedPlans = await ask({
    ...bad,
    dateFrom: `${DAY}3`,
    dateTo: `${DAY}3`,
    compareTo: 'previous_period',
    group_by: 'plan',
  });
  assert.deepEqual(
    comparedPlans.groups.map(({ group, value }: Record<string, unknown>) => [group, value]),
    [
      ['pro', 3],
      ['free', 0],
    ],
  );
});

test('review: rating, status and tags narrow together; empty means any review', async () => {
  const { ask } = await reviewed();
  const runs = async (about: object) => {
    const { groups, basis } = await ask({ review: about, group_by: 'executionId' });
    const found = (groups as { group: string }[]).map(({ group }) => Number(group.slice(-1))).sort();
    assert.deepEqual(basis.review, { ...about, executions: found.length });
    return found;
  };
  assert.deepEqual(await runs({}), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(await runs({ rating: ['good', 'bad', 'needs_improvement'] }), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(await runs({ status: ['resolved'] }), [3, 8]);
  assert.deepEqual(await runs({ status: ['resolved', 'pending_review'], rating: ['needs_improvement'] }), [8]);
  assert.deepEqual(await runs({ tags: ['odd'] }), [1, 3, 5, 7]);
  assert.deepEqual(await runs({ tags: ['refund, "now"'] }), [4]);
  assert.deepEqual(await runs({ tags: ['refund, "now"', 'odd', 'nothing'], rating: ['bad'] }), [3, 4, 5, 7]);
  assert.deepEqual(await runs({ tags: ['even'], rating: ['good'], status: ['pending_review'] }), [0, 2]);
});

test('review: an empty result is explained', async () => {
  const { ask, desk, send } = await reviewed();
  const noteOf = async (args: object) => {
    const { value, note } = await ask(args);
    assert.equal(value, 0);
    return note as string;
  };
  assert.match(await noteOf({ review: { tags: ['EVEN'] } }), /No review matches `review`\./);
  assert.match(await noteOf({ review: { rating: ['good'], status: ['resolved'] } }), /No review matches `review`/);
  await desk.review({ tags: ['silent'] }, 'run without events');
  const silent = await noteOf({ review: { tags: ['silent'] } });
  assert.match(silent, /1 execution matches `review`; no matching event carries the executionId/);
  assert.match(await noteOf({ eventName: 'conversatoin', review: {} }), /"conversation"/);
  await send([{ eventName: 'bare', properties: { a: 1 } }]);
  assert.match(
    await noteOf({ eventName: 'bare', review: { rating: ['bad'] } }),
    /no matching event carries the executionId/,
  );
  const rate = await ask({ ...CONVERSION, review: { tags: ['silent'] } });
  assert.deepEqual([rate.value, rate.denominator], [null, 0]);
});

test('review: unknown values and members are refused and named', async () => {
  const { call } = await opened();
  for (const [about, field] of [
    [{ rating: ['great'] }, 'review.rating[0]: must be one of good, bad, needs_improvement'],
    [{ rating: 'bad' }, 'review.rating'],
    [{ rating: [null] }, 'review.rating[0]'],
    [{ rating: ['bad', 'bad', 'bad', 'bad'] }, 'review.rating'],
    [{ status: ['done'] }, 'review.status[0]: must be one of pending_review'],
    [{ tags: [''] }, 'review.tags[0]'],
    [{ tags: ['x'.repeat(101)] }, 'review.tags[0]'],
    [{ tags: Array.from({ length: 51 }, (_, index) => `${index}`) }, 'review.tags'],
    [{ priority: ['low'] }, 'review.priority: unknown member'],
    [{ agentId: 'support' }, 'review.agentId: unknown member'],
    ['bad', 'review'],
    [['bad'], 'review'],
  ] as const) {
    const { isError, text } = await call({ eventName: 'conversation', aggregation: 'count', review: about });
    assert.equal(isError, true, JSON.stringify(about));
    assert.ok(text.includes(`- ${field}`), text);
  }
});

test('review: a key without reviews:read is refused, but may ask anything else', async () => {
  for (const scopes of [['mcp:read'], ['mcp:read', 'reviews:write', 'executions:read']] as Scope[][]) {
    const { call } = await opened(scopes);
    for (const about of [{}, { rating: ['bad'] }]) {
      const { isError, text } = await call({ eventName: 'conversation', aggregation: 'count', review: about });
      assert.equal(isError, true);
      assert.match(text, /insufficient_scope.*reviews:read/);
    }
    assert.equal((await call({ eventName: 'conversation', aggregation: 'count' })).isError, false);
  }
});

test('review: each answer uses the current reviews', async () => {
  const { ask, desk, ids } = await reviewed();
  const counts = async () => {
    const count = async (about: object) => (await ask({ review: about })).value;
    return [
      await count({}),
      await count({ rating: ['bad'] }),
      await count({ status: ['resolved'] }),
      await count({ tags: ['new'] }),
    ];
  };
  assert.deepEqual(await counts(), [9, 5, 2, 0]);
  assert.deepEqual(await counts(), [9, 5, 2, 0]);
  await desk.right('PATCH', `${REVIEWS}/${ids[5]}`, { status: 'resolved', tags: ['new'] });
  assert.deepEqual(await counts(), [9, 5, 3, 1]);
  await desk.right('DELETE', `${REVIEWS}/${ids[5]}`);
  assert.deepEqual(await counts(), [8, 4, 2, 0]);
  await desk.review({ rating: 'good', tags: ['new'] }, 'run 5');
  assert.deepEqual(await counts(), [9, 4, 2, 1]);
  await desk.review({ rating: 'bad' }, 'run 9');
  assert.deepEqual(await counts(), [10, 5, 2, 1]);
});

test('review: reviews of another tenant with the same execution ids do not count', async () => {
  const [one, two] = [await opened(), await opened()];
  for (const { send } of [one, two]) await send(EVENTS_OF_TEN);
  await one.desk.review({ rating: 'bad', tags: ['x'] }, 'run 1');
  await two.desk.review({ rating: 'good', tags: ['x'] }, 'run 1');
  await two.desk.review({ rating: 'bad', tags: ['x'] }, 'run 2');
  const runs = async ({ ask }: typeof one, about: object) =>
    ((await ask({ review: about, group_by: 'executionId' })).groups ?? []).map(({ group }: { group: string }) => group);
  assert.deepEqual(await runs(one, { tags: ['x'] }), ['run 1']);
  assert.deepEqual(await runs(one, { rating: ['good'] }), []);
  assert.deepEqual(await runs(two, { rating: ['bad'] }), ['run 2']);
  assert.deepEqual(await runs(two, {}), ['run 1', 'run 2']);
});

test('review: execution ids of any form match exactly', async () => {
  const { ask, desk, send } = await opened();
  const names = ["a' OR '1'='1", '["a"]', 'ü 😀\u2028', '%', '_', ' ', 'RUN', 'run', '1', 'null'];
  await send(names.map((executionId) => ({ eventName: 'conversation', executionId })));
  await send([{ eventName: 'conversation' }, { eventName: 'conversation', properties: { executionId: 'run' } }]);
  for (const name of names) {
    const { id } = await desk.review({ tags: ['this'] }, name);
    assert.equal((await ask({ review: { tags: ['this'] } })).value, name === '' ? 0 : 1, name);
    await desk.right('PATCH', `${REVIEWS}/${id}`, { tags: [] });
  }
  assert.equal((await ask({ review: {} })).value, names.length);
});

rareTest('review: thousands of executions work like one', async () => {
  const { app, ask, send, desk } = await opened();
  const total = 5_000;
  for (let start = 0; start < total; start += 2_500) {
    const runs = Array.from({ length: 2_500 }, (_, index) => start + index);
    await send(runs.map((run) => ({ eventName: 'conversation', executionId: `run ${run}`, properties: { run } })));
  }
  await send([{ eventName: 'conversation', executionId: 'not reviewed' }]);
  await writeMuch(app.runtime.config.dataDir, async ({ reviews }) => {
    for (let run = 0; run < total; run++) {
      const tags = run < 1_001 ? ['some'] : run < 2_001 ? ['fewer'] : [];
      await reviews.create(
        desk.tenantId,
        review({ executionId: `run ${run}`, rating: run % 2 ? 'good' : 'bad', tags }),
      );
    }
  });
  const about = async (args: object) => {
    const { value, basis } = await ask(args);
    return [value, basis.review.executions];
  };
  assert.deepEqual(await about({ review: { tags: ['some'] } }), [1_001, 1_001]);
  assert.deepEqual(await about({ review: { tags: ['fewer'] } }), [1_000, 1_000]);
  assert.deepEqual(await about({ review: { rating: ['good'] } }), [2_500, 2_500]);
  assert.deepEqual(await about({ review: {}, aggregation: 'max', propertyKey: 'run' }), [4_999, 5_000]);
  assert.deepEqual(await about({ review: {} }), [5_000, 5_000]);
});

test('review: too many executions get advice, not a failure', async () => {
  const { app, desk, call } = await opened();
  const { executionIds } = app.runtime.reviewStore;
  app.runtime.reviewStore.executionIds = async (_tenantId, _filter, limit) =>
    Array.from({ length: limit }, (_, index) => `run ${index}`);
  try {
    const { isError, text } = await call({ eventName: 'conversation', aggregation: 'count', review: {} });
    assert.equal(isError, true);
    assert.match(text, /^review: more than 250,000 executions match; narrow it/);
  } finally {
    app.runtime.reviewStore.executionIds = executionIds;
  }
  assert.equal((await desk.request('POST', EVENTS, { events: [{ eventName: COMMENT }] })).status, 202);
});
