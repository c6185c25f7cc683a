import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerText, failuresOf, saysMore } from '../../portal/src/pages/executions/detail/state.ts';
import type { Execution, ExecutionRow } from '../../portal/src/pages/executions/executions.ts';
import {
  afterNext,
  afterPrevious,
  arrivals,
  isFiltered,
  isNewestFirst,
  listIn,
  listText,
  queryOf,
  refreshed,
} from '../../portal/src/pages/executions/list/state.ts';
import { figuresOf, totalText } from '../../portal/src/pages/executions/words.ts';

test('Executions: the address is the question, its last cursor the page', () => {
  const search = { status: 'failed', from: '2026-03-01', minCost: '0.5', after: 'YQ.Yg' };
  assert.deepEqual(queryOf(search, 'support'), {
    ...{ agentId: 'support', status: 'failed', dateFrom: '2026-03-01', minCost: '0.5', cursor: 'Yg', limit: 50 },
  });
  assert.deepEqual(queryOf({}, undefined), { limit: 50 });
});

test('Executions: next and previous pages keep their way, also a long one', () => {
  assert.equal(afterNext(undefined, 'YQ'), 'YQ');
  assert.equal(afterNext('YQ', 'Yg'), 'YQ.Yg');
  assert.equal(afterPrevious('YQ.Yg'), 'YQ');
  assert.equal(afterPrevious('YQ'), undefined);
  const long = Array.from({ length: 80 }, (_, index) => `c${index}`).reduce<string | undefined>(afterNext, undefined)!;
  assert.equal(long.split('.').length, 50);
  assert.ok(long.endsWith('.c79'));
});

test('Executions: the list in an address is read as it was written, and nothing else', () => {
  const search = { search: 'a&b=c ü', status: 'failed', after: 'YQ.Yg' };
  assert.deepEqual(listIn(listText(search)), search);
  assert.deepEqual(listIn(listText({})), {});
  assert.deepEqual(listIn('?status=failed&__proto__=x&to=&event=y'), { status: 'failed' });
  assert.equal(listIn(undefined), null);
  assert.equal(listIn('javascript:alert(1)'), null);
});

test('Executions: only the first page of the newest grows, and an order is no filter', () => {
  assert.ok(isNewestFirst({ status: 'failed' }));
  for (const search of [{ sortBy: 'cost' }, { sortOrder: 'asc' }, { after: 'YQ' }]) {
    assert.ok(!isNewestFirst(search));
    assert.ok(!isFiltered(search));
  }
  assert.ok(isFiltered({ hasReview: 'false' }));
});

const row = (id: string, second: number, status = 'completed') =>
  ({
    id,
    status,
    startedAt: `2026-03-12T10:00:${String(second).padStart(2, '0')}Z`,
    createdAt: '2026-03-12T11:00:00Z',
  }) as ExecutionRow;
const page = (executions: ExecutionRow[], nextCursor: string | null = null) => ({ executions, nextCursor, total: 2 });

test('Executions: new rows are counted, older ones that move up are not', () => {
  const shown = page([row('b', 20), row('a', 10)], 'YQ');
  assert.equal(arrivals(shown, page([row('d', 40), row('c', 30), row('b', 20)])), 2);
  assert.equal(arrivals(shown, page([row('b', 20), row('z', 5)])), 0);
  assert.equal(arrivals(page([row('b', 20)]), page([row('b', 20), row('z', 5)])), 1, 'the list had ended');
});

test('Executions: shown rows stay in their places and get their new states', () => {
  const shown = page([row('b', 20, 'running'), row('a', 10)]);
  const rows = refreshed(shown, page([row('c', 30), row('b', 20, 'failed')]));
  assert.deepEqual(
    rows.map(({ id, status }) => `${id} ${status}`),
    ['b failed', 'a completed'],
  );
});

test('Executions: totals and figures in words, also where they are not known', () => {
  assert.equal(totalText(1_204), '1,204 executions');
  assert.equal(totalText(1), '1 execution');
  assert.equal(totalText(10_000), '10,000 executions or more');
  assert.equal(totalText(null), 'Too many to count here: a narrower filter is counted');
  const figures = {
    cost: 0.00423,
    costBasis: 'priced',
    latencyMs: 1_240,
    inputTokens: 1_000,
    outputTokens: 204,
  } as const;
  assert.deepEqual(figuresOf({ ...figures, totalTokens: 1_204 }), {
    ...{ cost: '$0.00423 priced', tokens: '1,204 tokens', latency: '1.24 s' },
  });
  const none = {
    cost: null,
    costBasis: null,
    latencyMs: null,
    inputTokens: null,
    outputTokens: null,
    totalTokens: null,
  };
  assert.deepEqual(figuresOf(none), { cost: null, tokens: null, latency: null });
});

const said = (output: unknown, ...contents: unknown[]) =>
  ({ output, messages: contents.map((content) => ({ role: 'assistant', content })) }) as Execution;

test('Execution: the answer is the output, else the last words, and is shown once', () => {
  assert.equal(answerText(said('a', 'b')), 'a');
  assert.equal(answerText(said(null, 'b', null)), 'b');
  assert.equal(answerText(said(null)), '');
  assert.equal(answerText(said(null, [{ type: 'text', text: 'Friday' }])), 'Friday');
  assert.equal(answerText(said({ a: 1 })), '{\n  "a": 1\n}');
  assert.ok(!saysMore(said('b', 'a', 'b')));
  assert.ok(!saysMore(said(null, 'a')));
  assert.ok(saysMore(said('c', 'b')));
});

test('Execution: what failed comes with its reason', () => {
  const step = (name: string, members: object) => ({ name, status: 'ok', error: null, ...members });
  const steps = [step('a', {}), step('b', { status: 'error', error: { kind: 'timeout', message: 'late' } })];
  const failed = { status: 'failed', errorKind: null, chat: { error: { kind: 'refused', message: 'no' } }, steps };
  assert.deepEqual(failuresOf(failed as unknown as Execution), [
    { step: null, reason: 'no' },
    { step: 'b', reason: 'timeout: late' },
  ]);
});
