import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { StepPlace, StoredExecution, StoredStep } from '../../src/core/agents/executions/store.ts';
import { openStores } from './backend.ts';
import { type ExecutionBackend, execution } from './execution-store.ts';

let counter = 0;

export function storedStep(members: Partial<StoredStep> = {}): StoredStep {
  counter += 1;
  return {
    ...{
      id: `step-${counter}`,
      parentId: null,
      kind: 'model',
      name: 'answer',
      status: 'ok',
      errorKind: null,
      error: null,
    },
    ...{ startedAt: counter, endedAt: null, provider: null, model: null, usage: { a: 1 }, content: '{}' },
    ...{ inputTokens: null, outputTokens: null, totalTokens: null, cost: null, costBasis: null },
    ...members,
  };
}

const used = (tokens: number, cost: number | null, costBasis: StoredStep['costBasis'] = 'priced') => ({
  ...{
    inputTokens: tokens,
    outputTokens: 1,
    totalTokens: tokens + 1,
    cost,
    costBasis: cost === null ? null : costBasis,
  },
});

/** Steps of executions, and events of their ends. Every backend runs it. */
export function testExecutionSteps(backend: ExecutionBackend): void {
  const { name } = backend;
  const opened = async (t: TestContext) => {
    const { executions: store } = await openStores(backend, t);
    const put = async (members: Partial<StoredExecution>, steps: StoredStep[] = [], tenantId = 'one') => {
      const before = await store.find(tenantId, members.id ?? '');
      const made = before ? { ...before.execution, ...members } : execution(members);
      assert.equal(await store.put(tenantId, made, before, steps), 'kept');
      return (await store.find(tenantId, made.id))!.execution;
    };
    return { store, put };
  };

  test(`ExecutionSteps (${name}): steps keep every member, and are replaced by id`, async (t) => {
    const { store, put } = await opened(t);
    const text = JSON.stringify({ input: 'ã😀'.repeat(5_000), output: { __proto: null }, attributes: { a: [1] } });
    const full = storedStep({
      ...{
        parentId: 'not there',
        kind: 'retrieval',
        name: '"\\\u202e',
        status: 'error',
        errorKind: 'timeout',
        error: 'late',
      },
      ...{ endedAt: 2 ** 50, provider: 'p', model: 'm', content: text, ...used(3, 0.1) },
    });
    const bare = storedStep({ usage: null, status: null });
    const run = await put({ id: 'run' }, [full, bare]);
    assert.equal(run.steps, 2);
    await put({ id: 'run' }, [storedStep()], 'two');
    assert.deepEqual(await store.stepsOf('one', 'run', null, 10), { steps: [full, bare], hasMore: false });
    const changed = { ...bare, name: 'other', content: '{"input":1}' };
    const added = Array.from({ length: 250 }, () => storedStep());
    assert.equal((await put({ id: 'run' }, [changed, ...added])).steps, 252);
    const ids: string[] = [];
    for (let after: StepPlace | null = null; ids.length < 252; ) {
      const { steps: page, hasMore } = await store.stepsOf('one', 'run', after, 100);
      assert.ok(page.length > 0);
      ids.push(...page.map(({ id }) => id));
      after = page.at(-1)!;
      assert.equal(hasMore, ids.length < 252);
    }
    assert.deepEqual(ids, [full.id, bare.id, ...added.map(({ id }) => id)]);
    const outlines = await store.stepOutlines('one', 'run', 3);
    assert.deepEqual(
      outlines.map(({ id }) => id),
      ids,
    );
    const { id, kind, name: named, status, errorKind, startedAt, endedAt, totalTokens, cost } = full;
    const shown = { id, kind, name: named, status, errorKind, startedAt, endedAt, totalTokens, cost };
    assert.deepEqual(outlines[0], { ...shown, error: 'lat' });
    assert.deepEqual(await store.stepsById('one', 'run', [bare.id, 'unknown']), [changed]);
    assert.deepEqual([...(await store.stepParents('one', 'run'))], [[full.id, 'not there']]);
    assert.deepEqual(await store.stepsOf('one', 'unknown', null, 10), { steps: [], hasMore: false });
  });

  test(`ExecutionSteps (${name}): sums of model steps stand in for its own usage`, async (t) => {
    const { put } = await opened(t);
    const figures = ({ inputTokens, outputTokens, totalTokens, cost, costBasis }: StoredExecution) => [
      ...[inputTokens, outputTokens, totalTokens, cost === null ? null : Math.round(cost * 100) / 100, costBasis],
    ];
    const tool = storedStep({ kind: 'tool', ...used(1_000, 9) });
    const first = storedStep(used(10, 0.25));
    assert.deepEqual(figures(await put({ id: 'run' }, [first, tool])), [10, 1, 11, 0.25, 'priced']);
    const sent = storedStep(used(20, 0.5, 'sent'));
    assert.deepEqual(figures(await put({ id: 'run' }, [sent])), [30, 2, 32, 0.75, 'priced'], 'priced in part');
    assert.deepEqual(figures(await put({ id: 'run' }, [{ ...first, ...used(1, 0.5, 'sent') }])), [
      21,
      2,
      23,
      1,
      'sent',
    ]);
    const none = { inputTokens: null, outputTokens: null, totalTokens: null, cost: null, costBasis: null };
    assert.deepEqual(figures(await put({ id: 'run', ...none })), [21, 2, 23, 1, 'sent'], 'as the service writes it');
    const own = {
      usage: { a: 1 },
      inputTokens: 7,
      outputTokens: 7,
      totalTokens: 14,
      sentCost: 3,
      cost: 3,
      costBasis: 'sent' as const,
    };
    assert.deepEqual(figures(await put({ id: 'run', ...own }, [storedStep(used(5, 5))])), [7, 7, 14, 3, 'sent']);
    const unpriced = { id: 'unpriced', usage: { a: 1 }, inputTokens: 7 };
    const summed = await put(unpriced, [storedStep(used(1, 0.1)), storedStep(used(1, 0.2))]);
    assert.deepEqual([summed.inputTokens, summed.cost, summed.costBasis], [7, 0.3, 'priced'], 'a decimal sum');
  });

  test(`ExecutionSteps (${name}): of more than 10,000 steps none is kept`, async (t) => {
    const { store, put } = await opened(t);
    const many = Array.from({ length: 9_999 }, () => storedStep({ usage: null }));
    await put({ id: 'run' }, many);
    const before = await store.find('one', 'run');
    const two = [storedStep(), storedStep()];
    await assert.rejects(store.put('one', before!.execution, before, two), {
      code: 'unprocessable',
      message: /10,001/,
    });
    assert.deepEqual(await store.find('one', 'run'), before);
    const ids = two.map(({ id }) => id);
    assert.deepEqual(await store.stepsById('one', 'run', ids), []);
    assert.equal((await put({ id: 'run' }, [two[0]!, many[0]!])).steps, 10_000);
  });

  test(`ExecutionSteps (${name}): large contents end a page, and 32 MB are the most`, async (t) => {
    const { store, put } = await opened(t);
    const large = () => storedStep({ content: JSON.stringify({ input: 'x'.repeat(3 * 1024 * 1024) }) });
    const steps = Array.from({ length: 10 }, large);
    await put({ id: 'run' }, steps);
    const sizes: number[] = [];
    for (let after: StepPlace | null = null, isEnd = false; !isEnd; ) {
      const { steps: page, hasMore } = await store.stepsOf('one', 'run', after, 100);
      sizes.push(page.length);
      after = page.at(-1)!;
      isEnd = !hasMore;
    }
    assert.deepEqual(sizes, [2, 2, 2, 2, 2]);
    const before = await store.find('one', 'run');
    const refused = store.put('one', before!.execution, before, [large()]);
    await assert.rejects(refused, { code: 'unprocessable', message: /32 MB/ });
    assert.equal((await put({ id: 'run' }, [{ ...steps[0]!, content: '{}' }, large()])).steps, 11);
  });

  test(`ExecutionStore (${name}): no execution runs within itself, in any order`, async (t) => {
    const { store, put } = await opened(t);
    for (const [id, parentId] of [
      ['a', 'b'],
      ['b', 'c'],
      ['x', null],
    ] as const)
      await put({ id, parentId });
    const within = { code: 'unprocessable', message: /^parentId: "a" runs within this execution/ };
    await assert.rejects(put({ id: 'c', parentId: 'a' }), within);
    assert.equal(await store.find('one', 'c'), null);
    await put({ id: 'c' });
    await assert.rejects(put({ id: 'c', parentId: 'a' }), within);
    await put({ id: 'c', parentId: 'x' });
    await assert.rejects(put({ id: 'x', parentId: 'a' }), within);
    await put({ id: 'c', parentId: 'a' }, [], 'two');
    const pairs = Array.from({ length: 10 }, (_, pair) => [`${pair} one`, `${pair} other`] as const);
    for (const id of pairs.flat()) await put({ id });
    for (const [one, other] of pairs) {
      const both = await Promise.allSettled([put({ id: one, parentId: other }), put({ id: other, parentId: one })]);
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    }
  });

  test(`ExecutionStore (${name}): at most 100 executions are above one`, async (t) => {
    const { put } = await opened(t);
    for (let depth = 0; depth <= 100; depth++)
      await put({ id: `${depth}`, parentId: depth === 0 ? null : `${depth - 1}` });
    await assert.rejects(put({ id: '101', parentId: '100' }), {
      code: 'unprocessable',
      message: /100 executions above/,
    });
    await put({ id: '100', name: 'again' });
  });

  test(`ExecutionEnds (${name}): an end waits until it is sent, and happens once`, async (t) => {
    const { store, put } = await opened(t);
    await put({ id: 'running', status: 'running' });
    await put({ id: 'run', status: 'running' }, [
      storedStep({ kind: 'tool', name: 'b' }),
      storedStep({ kind: 'tool', name: 'a' }),
    ]);
    assert.deepEqual(await store.unsentEnds(10), []);
    await put({ id: 'run', status: 'failed' });
    await put({ id: 'run', status: 'completed' }, [], 'two');
    const tenantsWithEnds = async () => (await store.unsentEnds(10)).map(({ tenantId }) => tenantId);
    const ended = await store.unsentEnds(10);
    assert.deepEqual(
      ended.map(({ tenantId, execution: { id, status }, stepTools }) => [tenantId, id, status, stepTools]),
      [
        ['one', 'run', 'failed', ['a', 'b']],
        ['two', 'run', 'completed', []],
      ],
    );
    await store.endsSent(ended.slice(0, 1));
    assert.deepEqual(await tenantsWithEnds(), ['two']);
    await put({ id: 'run', status: 'running' });
    await put({ id: 'run', status: 'completed' });
    assert.deepEqual(await tenantsWithEnds(), ['two']);
    assert.deepEqual((await store.unsentEnds(1)).length, 1);
    await put({ id: 'run', status: 'running' }, [], 'two');
    assert.deepEqual(await store.unsentEnds(10), []);
  });

  test(`ExecutionStore (${name}): old ones go, with their steps and words`, async (t) => {
    const { store, put } = await opened(t);
    await put({ id: 'old', startedAt: 99, createdAt: 500 }, [storedStep()]);
    await put({ id: 'new', startedAt: 100, createdAt: 1 });
    await put({ id: 'recorded before', createdAt: 99 });
    await put({ id: 'of another', startedAt: 1 }, [], 'two');
    assert.deepEqual(await store.retentions(), []);
    assert.equal(await store.expire('one', 100), 2);
    assert.deepEqual((await store.stepsOf('one', 'old', null, 1)).steps, []);
    for (const [tenantId, id, isKept] of [
      ['one', 'old', false],
      ['one', 'new', true],
      ['one', 'recorded before', false],
      ['two', 'of another', true],
    ] as const) {
      assert.equal((await store.find(tenantId, id)) !== null, isKept, id);
    }
    assert.equal(await store.expire('one', 100), 0);
  });
}
