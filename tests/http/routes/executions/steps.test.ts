import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS } from '../../../support/app.ts';
import { eventually } from '../../../support/process.ts';
import { EXECUTIONS, newDesk, sharedApp } from '../reviews/support.ts';

const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}.000Z`;
const FAR = new Date(Date.now() + 2 * 86_400_000).toISOString();
const step = (id: string, members: object = {}) => ({
  id,
  kind: 'model',
  name: 'answer',
  startedAt: at(1),
  ...members,
});

test('POST /steps: each wrong one is refused, and nothing of its request is kept', async () => {
  const desk = await newDesk();
  const run = `${EXECUTIONS}/run`;
  await desk.record({ id: 'run', steps: [step('first')] });
  await desk.record({ id: 'child', parentId: 'run' });
  await desk.record({ id: 'early', parentId: 'late' });
  const good = step('good');
  const refused: [status: number, path: string, body: object, named: RegExp][] = [
    [404, `${EXECUTIONS}/unknown/steps`, { steps: [good] }, /no execution "unknown"/],
    [422, `${run}/steps`, { steps: [good, step('late', { endedAt: at(0) })] }, /steps\[1\]\.endedAt/],
    [422, `${run}/steps`, { steps: [good, step('own', { parentId: 'own' })] }, /steps\[1\]\.parentId.*"own"/],
    [422, `${run}/steps`, { steps: [step('first', { parentId: 'b' }), step('b', { parentId: 'first' })] }, /ancestor/],
    [
      422,
      `${run}/steps`,
      { steps: [good, step('far', { startedAt: FAR })] },
      /steps\[1\]\.startedAt: .*24 hours ahead/,
    ],
    [422, `${run}/steps`, { steps: [step('far', { endedAt: FAR })] }, /steps\[0\]\.endedAt: .*24 hours ahead/],
    [422, EXECUTIONS, { id: 'run', name: 'changed', startedAt: FAR }, /startedAt: .*24 hours ahead/],
    [422, EXECUTIONS, { id: 'run', name: 'changed', output: 'x', completedAt: FAR }, /completedAt: .*24 hours ahead/],
    [422, EXECUTIONS, { id: 'run', name: 'changed', startedAt: '1899-12-31' }, /startedAt: lies before 1900/],
    [400, `${run}/steps`, { steps: [good, step('cost', { cost: -1 })] }, /steps\[1\]\.cost: must not be negative/],
    [400, `${run}/steps`, { steps: [good, good] }, /steps\[1\]\.id/],
    [400, `${run}/steps`, { steps: Array.from({ length: 10_001 }, (_, index) => step(`s${index}`)) }, /10,000 steps/],
    [400, EXECUTIONS, { id: 'run', name: 'changed', metadata: { deep: {} } }, /metadata: must be flat/],
    [422, EXECUTIONS, { id: 'run', name: 'changed', parentId: 'run' }, /parentId/],
    [422, EXECUTIONS, { id: 'run', name: 'changed', parentId: 'child' }, /parentId: "child" runs within/],
    [422, EXECUTIONS, { id: 'late', parentId: 'early' }, /parentId: "early" runs within/],
    [422, EXECUTIONS, { id: 'run', name: 'changed', steps: [good, step('late', { endedAt: at(0) })] }, /endedAt/],
  ];
  for (const [status, path, body, named] of refused) {
    const answer = await desk.request('POST', path, body);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(JSON.stringify(answer.body.message).replaceAll('\\"', '"'), named);
  }
  const { stepsTotal, name, steps } = await desk.right('GET', run);
  assert.deepEqual([stepsTotal, name, steps[0].parentId], [1, null, null]);
});

test('POST /executions: a usage without a price leaves the cost of the steps', async () => {
  const desk = await newDesk();
  const costOf = async (path: string, body: object) => (await desk.right('POST', path, body)).cost;
  const usage = { input_tokens: 1_000, output_tokens: 100 };
  assert.equal(await costOf(EXECUTIONS, { id: 'run', usage, steps: [step('a', { cost: 0.1 })] }), 0.1);
  assert.equal(await costOf(`${EXECUTIONS}/run/steps`, { steps: [step('b', { cost: 0.2 })] }), 0.3);
  assert.equal(await costOf(EXECUTIONS, { id: 'run', cost: 7 }), 7);
  assert.equal(await costOf(`${EXECUTIONS}/run/steps`, { steps: [step('c', { cost: 1 })] }), 7);
});

test('POST /executions: an end is one event with its figures', async () => {
  const desk = await newDesk();
  const tool = step('t', { kind: 'tool', name: 'search', error: { kind: 'timeout', message: 'late' } });
  const model = step('m', { model: 'gpt-5', usage: { input_tokens: 1_000, output_tokens: 100 }, cost: 0.5 });
  const members = { threadId: 'thread of steps', userId: 'ada', name: 'answer', startedAt: at(0) };
  await desk.record({ id: 'ended', ...members, model: 'gpt-5', steps: [model, tool] });
  await desk.record({ id: 'ended', status: 'failed', completedAt: at(3) });
  const { runtime } = await sharedApp();
  const figures = {
    ...{ name: 'answer', model: 'gpt-5', status: 'failed', inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100 },
    ...{ cost: 0.5, latencyMs: 3_000, tools: ['search'], errorKind: 'timeout', userId: 'ada', source: 'api' },
  };
  const columns = ['executionId', 'threadId', 'timestamp', ...Object.keys(figures)];
  const query = { eventName: 'runtime.execution_completed', agentId: 'support', limit: 100, columns };
  const stored = async () => {
    await runtime.eventStore.settle();
    const { rows } = await desk.right('POST', `${EVENTS}/query`, query);
    const own = rows.filter((row: { threadId: string }) => row.threadId === members.threadId);
    return own.length > 0 ? own : null;
  };
  await eventually('the event of the end', stored, 20_000);
  await desk.record({ id: 'ended', status: 'running' });
  await desk.record({ id: 'ended', status: 'completed', cost: 9 });
  await desk.record({ id: 'last', threadId: members.threadId, output: 'done' });
  const both = async () => {
    const all = await stored();
    return all?.some((row: { executionId: string }) => row.executionId === 'last') && all;
  };
  const { found: all } = await eventually('the event of the last one', both, 20_000);
  const found = all.filter((row: { executionId: string }) => row.executionId === 'ended');
  assert.equal(found.length, 1);
  assert.deepEqual(found[0], { executionId: 'ended', threadId: members.threadId, timestamp: at(3), ...figures });
});
