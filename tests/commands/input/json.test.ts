import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../../src/commands/input/tenant-commands.ts';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';

function problem(text: string, file = 'a.json'): string {
  try {
    parseJson(text, file);
  } catch (error) {
    assert.ok(error instanceof RuntimeError);
    return error.messages.join();
  }
  return assert.fail(`${text} is JSON`);
}

test('parseJson: a byte order mark is ignored', () => {
  assert.deepEqual(parseJson('\uFEFF{"a": [1]}', 'a.json'), { a: [1] });
});

test('parseJson: a comment is reported with file, line and column', () => {
  for (const [text, place] of [
    ['// c\n{"a": 1}', 'line 1, column 1'],
    ['# c\n{"a": 1}', 'line 1, column 1'],
    ['{\n  // c\n  "a": 1}', 'line 2, column 3'],
    ['{"a": 1, /* c */ "b": 2}', 'line 1, column 10'],
    ['{"a":\n// c\n1}', 'line 2, column 1'],
    ['[\n  // "a"\n  "b"\n]', 'line 2, column 3'],
    ['{"a": 1}\n// c', 'line 2, column 1'],
  ] as const) {
    assert.equal(problem(text), `a.json: is not JSON (${place}): JSON has no comments`, text);
  }
});

test('parseJson: a trailing comma is reported with its position', () => {
  for (const [text, place] of [
    ['{"a": 1,\n}', 'line 2, column 1'],
    ['[1, ]', 'line 1, column 5'],
    ['{"a": [true,\n  "b",\n  ]}', 'line 3, column 3'],
  ] as const) {
    assert.equal(problem(text), `a.json: is not JSON (${place}): the comma before it is one too many`, text);
  }
});

test('parseJson: any other fault is reported with its position and without the text', () => {
  assert.equal(problem("{'a': 1}"), 'a.json: is not JSON (line 1, column 2)');
  assert.equal(problem('{"a": sk-secret}'), 'a.json: is not JSON (line 1, column 7)');
  assert.equal(problem('{"a": [}'), 'a.json: is not JSON (line 1, column 8)');
  assert.equal(problem('sk-secret', '-'), 'standard input: is not JSON (line 1, column 1)');
});

test('parseJson: incomplete JSON is reported as such', () => {
  for (const text of ['', '{"a": 1', '{"a": tru', '["a', '{"a"', '-']) {
    assert.equal(problem(text), 'a.json: is not JSON, or not all of it', text);
  }
});
