import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { answerResult, errorResult, pngBlock, textBlock, wireResult } from '../../src/tools/results.ts';

test('Results: an answer has its text first, then blocks, then structured content', () => {
  assert.deepEqual(answerResult({ text: '3' }), { content: [{ type: 'text', text: '3' }] });
  assert.deepEqual(answerResult({ text: '3', structured: { value: 3 }, blocks: [pngBlock('aGk=')] }), {
    content: [
      { type: 'text', text: '3' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ],
    structuredContent: { value: 3 },
  });
});

test('Results: an error is text that is marked as an error', () => {
  assert.deepEqual(errorResult('no'), { isError: true, content: [textBlock('no')] });
  assert.deepEqual(wireResult(errorResult('no')), {
    resultType: 'complete',
    isError: true,
    content: [{ type: 'text', text: 'no' }],
  });
});

test('Results: no other file makes one', () => {
  const sources = resolve(import.meta.dirname, '../../src');
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const making = files.filter((file) =>
    /structuredContent[:,]|\bisError: |resultType: /.test(readFileSync(join(sources, file), 'utf8')),
  );
  assert.deepEqual(making, ['tools/results.ts']);
});
