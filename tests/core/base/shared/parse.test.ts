import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { memberHints } from '../../../../src/core/base/shared/issues.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';

const schema = z.strictObject({
  groupBy: z.string().min(1).optional(),
  dateFrom: z.string().optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  count: z.number().min(1).max(5).optional(),
  inner: z.strictObject({ name: z.string() }).optional(),
});

function messages(input: unknown): string[] {
  try {
    parse(schema, input);
    return [];
  } catch (error) {
    assert.ok(error instanceof RuntimeError);
    return error.messages;
  }
}

test('parse: an unknown member is refused with the nearest known member', () => {
  assert.deepEqual(messages({ group_by: 'x' }), ['group_by: unknown member; did you mean groupBy?']);
  assert.deepEqual(messages({ dateform: 'x' }), ['dateform: unknown member; did you mean dateFrom?']);
  assert.deepEqual(messages({ colour: 'x' }), ['colour: unknown member']);
  assert.deepEqual(messages({ inner: { name: 'x', nam: 'y' } }), ['inner.nam: unknown member; did you mean name?']);
});

test('parse: a schema can give hints for unknown members', () => {
  memberHints.add(schema, { limit: 'leave it out', group_by: 'say groupBy' });
  assert.deepEqual(messages({ limit: 1 }), ['limit: unknown member; leave it out']);
  assert.deepEqual(messages({ group_by: 'x' }), ['group_by: unknown member; say groupBy']);
  assert.deepEqual(messages({ constructor: 1 }), ['constructor: unknown member']);
  memberHints.remove(schema);
});

test('parse: length limits are reported with their unit', () => {
  assert.deepEqual(messages({ groupBy: '' }), ['groupBy: must have at least 1 characters']);
  assert.deepEqual(messages({ list: ['a', 'b', 'c'] }), ['list: must have at most 2 items']);
  assert.deepEqual(messages({ count: 9 }), ['count: must be at most 5']);
});
