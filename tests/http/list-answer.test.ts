import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAnswer } from '../../src/http/list-answer.ts';

const KB = 1024;

async function slicesOf(answer: { rows: unknown[] } & Record<string, unknown>): Promise<string[]> {
  return Array.fromAsync(listAnswer('rows', answer).stream!.chunks as AsyncGenerator<string>);
}

test('listAnswer: texts are JSON already, other items become it', async () => {
  const slices = await slicesOf({ total: 3, rows: ['{"a":1.0}', { b: 'ä' }, '[]'], notes: ['none'] });
  assert.deepEqual(slices, ['{"rows":[{"a":1.0},{"b":"ä"},[]],"total":3,"notes":["none"]}']);
  assert.deepEqual(await slicesOf({ rows: [] }), ['{"rows":[]}']);
});

test('listAnswer: no slice has much more than the largest item', async () => {
  const item = JSON.stringify({ text: 'x'.repeat(60 * KB) });
  const slices = await slicesOf({ rows: Array.from({ length: 100 }, () => item), total: 100 });
  assert.equal(JSON.parse(slices.join('')).rows.length, 100);
  assert.ok(slices.every((slice) => slice.length < 130 * KB));
});
