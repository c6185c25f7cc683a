import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyAction } from '../../../portal/src/transcript/steps/keys.ts';
import {
  type Action,
  barOf,
  durationOf,
  errorText,
  NOTHING_OPEN,
  reduce,
  type Shown,
  summaryOf,
  visibleNodes,
} from '../../../portal/src/transcript/steps/state.ts';
import { type Step, type StepNode, treeOf } from '../../../portal/src/transcript/steps/tree.ts';

const at = (ms: number) => new Date(Date.parse('2026-03-12T10:00:00Z') + ms).toISOString();

const step = (id: string, parentId: string | null, from = 0, more: Partial<Step> = {}): Step => ({
  ...{ id, parentId, kind: 'tool', name: id, startedAt: at(from), endedAt: at(from + 100) },
  ...more,
});

const outline = (nodes: readonly StepNode[]) => nodes.map(({ step: { id }, level }) => `${level} ${id}`);

test('Steps: each stands after its parent, by its start, in whatever order they come', () => {
  const steps = [step('b', 'a', 20), step('c', 'b', 30), step('d', 'a', 10), step('a', null), step('e', null, 5)];
  const expected = ['1 a', '2 d', '2 b', '3 c', '1 e'];
  assert.deepEqual(outline(treeOf(steps).nodes), expected);
  assert.deepEqual(outline(treeOf(steps.toReversed()).nodes), expected);
});

test('Steps: one without its parent is at the top; of a repeated id the last counts', () => {
  assert.deepEqual(outline(treeOf([step('a', 'lost'), step('b', 'a')]).nodes), ['1 a', '2 b']);
  const [node] = treeOf([step('a', null, 0, { name: 'first' }), step('a', null, 0, { name: 'last' })]).nodes;
  assert.equal(node!.step.name, 'last');
});

test('Steps: circles end, and every step is shown once', () => {
  assert.deepEqual(outline(treeOf([step('a', 'a')]).nodes), ['1 a']);
  const ids = fc.integer({ min: 0, max: 12 }).map(String);
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, fc.option(ids), fc.integer({ max: 50 }))), (drawn) => {
      const { nodes } = treeOf(drawn.map(([id, parent, from]) => step(id, parent, from)));
      const shown = nodes.map((node) => node.step.id);
      assert.deepEqual(shown.toSorted(), [...new Set(drawn.map(([id]) => id))].toSorted());
      for (const { parent, level } of nodes) assert.equal(level, parent === null ? 1 : parent.level + 1);
      for (const [index, { parent }] of nodes.entries()) assert.ok(parent === null || nodes.indexOf(parent) < index);
    }),
  );
});

test('Steps: a chain of 10,000 is no recursion', () => {
  const steps = Array.from({ length: 10_000 }, (_, index) =>
    step(`s${index}`, index === 0 ? null : `s${index - 1}`, index),
  );
  const tree = treeOf(steps);
  assert.equal(tree.nodes.at(-1)!.level, 10_000);
  const shown = reduce(
    { ...NOTHING_OPEN, folded: new Set(['s0', 's5000']) },
    { type: 'show', node: tree.nodes.at(-1)! },
  );
  assert.equal(visibleNodes(tree, shown.folded).length, 10_000);
});

test('Steps: bars are shares of the whole time; times that are no times have none', () => {
  const tree = treeOf([
    step('a', null, 0, { endedAt: at(1_000) }),
    step('b', 'a', 250, { endedAt: at(750) }),
    step('running', 'a', 900, { endedAt: null }),
    step('backwards', 'a', 500, { endedAt: at(400) }),
    step('wrong', 'a', 0, { startedAt: 'yesterday', endedAt: null }),
  ]);
  const shown = Object.fromEntries(tree.nodes.map((node) => [node.step.id, [barOf(node, tree), durationOf(node)]]));
  assert.deepEqual(shown, {
    a: [{ start: 0, size: 1 }, 1_000],
    b: [{ start: 0.25, size: 0.5 }, 500],
    running: [{ start: 0.9, size: 0.1 }, null],
    backwards: [{ start: 0.5, size: 0 }, 0],
    wrong: [null, null],
  });
  const alone = treeOf([step('a', null, 0, { endedAt: at(0) })]);
  assert.deepEqual(barOf(alone.nodes[0]!, alone), { start: 0, size: 0 });
});

test('Steps: failures are counted, with or without a status', () => {
  const tree = treeOf([
    step('a', null, 0, { status: 'ok', error: 'handled' }),
    step('b', 'a', 1, { status: 'error' }),
    step('c', 'a', 2, { error: { message: 'broken' } }),
  ]);
  assert.deepEqual(outline(tree.failed), ['2 b', '2 c']);
  assert.equal(summaryOf(tree), '2 of 3 steps failed');
  assert.equal(summaryOf(treeOf([step('a', null)])), '1 step, none failed');
  assert.deepEqual(['a', { message: 'b' }, { code: 5 }, null, undefined].map(errorText), [
    'a',
    'b',
    '{"code":5}',
    '',
    '',
  ]);
});

const TREE = treeOf([step('a', null), step('b', 'a', 1), step('c', 'b', 2), step('d', null, 3)]);

test('Steps: below a folded one nothing is shown, until somebody asks for a step there', () => {
  const folded = reduce(NOTHING_OPEN, { type: 'fold', id: 'a' });
  assert.deepEqual(outline(visibleNodes(TREE, folded.folded)), ['1 a', '1 d']);
  const shown = reduce(folded, { type: 'show', node: TREE.nodes[2]! });
  assert.deepEqual(outline(visibleNodes(TREE, shown.folded)), ['1 a', '2 b', '3 c', '1 d']);
  assert.deepEqual([[...shown.opened], shown.current, shown.asked], [['c'], 'c', 1]);
  assert.deepEqual([...reduce(shown, { type: 'close', id: 'c' }).opened], []);
});

test('Steps: arrow keys move between the steps that are shown, fold and unfold', () => {
  let shown: Shown = reduce(NOTHING_OPEN, { type: 'reach', id: 'a' });
  const press = (...keys: string[]): (string | null)[] =>
    keys.map((key) => {
      const action: Action | null = keyAction(key, shown.current!, visibleNodes(TREE, shown.folded), shown.folded);
      if (action) shown = reduce(shown, action);
      return action && shown.current;
    });
  assert.deepEqual(press('ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowUp', 'End', 'ArrowDown', 'Home'), [
    ...['b', 'c', 'b', 'a', 'd', null, 'a'],
  ]);
  assert.deepEqual(press('ArrowLeft', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowRight'), [
    ...['a', null, 'd', 'a', 'a', 'b'],
  ]);
  assert.equal(keyAction('Enter', 'a', TREE.nodes, new Set()), null);
  assert.equal(keyAction('ArrowDown', undefined, TREE.nodes, new Set()), null);
});
