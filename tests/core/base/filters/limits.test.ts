import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isModelWithin, namesWithin, reaches } from '../../../../src/core/base/filters/limits.ts';

test('Limits: several hold together', () => {
  const held = { limits: [{ agents: ['a', 'b'] }, { agents: ['b', 'c'], eventNames: ['sold'] }] };
  assert.deepEqual(namesWithin(held, 'agents'), ['b']);
  assert.equal(namesWithin(held, 'connectors'), null);
  assert.ok(reaches(held, 'eventNames', 'sold') && !reaches(held, 'eventNames', 'lost'));
});

test('Limits: patterns of models', () => {
  const within = (models: string[], ...names: string[]) => isModelWithin({ limits: [{ models }] }, names);
  assert.ok(within(['gpt-*'], 'gpt-5', 'openai/gpt-5'));
  assert.ok(within(['openai/*'], 'gpt-5', 'openai/gpt-5'));
  assert.ok(within(['*mini*'], 'gpt-5-mini-2026'));
  assert.ok(!within(['gpt-5'], 'gpt-5-mini'));
  assert.ok(!within(['a*a'], 'a'));
  assert.ok(!within(['anthropic/*'], 'gpt-5', 'openai/gpt-5'));
  assert.ok(!isModelWithin({ limits: [{ models: ['*'] }, { models: ['x'] }] }, ['y']), 'all must fit');
});
