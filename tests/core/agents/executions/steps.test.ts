import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linedStep } from '../../../../src/core/agents/executions/shown.ts';
import type { ExecutionStep } from '../../../../src/core/agents/executions/step-schema.ts';
import { stepsOfMessages } from '../../../../src/core/agents/executions/steps.ts';
import { storedStep } from '../../../contracts/execution-steps.ts';

const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
const sent = (id: string, name: string) =>
  linedStep(storedStep({ id, name, kind: 'tool' })) as unknown as ExecutionStep;

test('stepsOfMessages: each sent step stands for one call, by its id or by its name', () => {
  const calls = [call('a', 'find'), call('b', 'find'), call('c', 'find'), call('d', 'track')];
  const messages = [{ role: 'assistant' as const, content: '', tool_calls: calls }];
  const left = (...steps: ExecutionStep[]) =>
    stepsOfMessages(messages, steps)
      .map(({ id }) => id)
      .join('');
  assert.equal(left(), 'abcd');
  assert.equal(left(sent('b', 'other')), 'acd');
  assert.equal(left(sent('own', 'find')), 'bcd');
  assert.equal(left(sent('b', 'find'), sent('own', 'find'), sent('more', 'track')), 'c');
  assert.equal(left(...['1', '2', '3', '4'].map((id) => sent(id, 'find'))), 'd');
});
