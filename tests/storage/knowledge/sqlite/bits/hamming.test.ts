import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK_VECTORS, Hamming, MAX_BITS } from '../../../../../src/storage/knowledge/sqlite/bits/hamming.ts';
import { numbers } from './support.ts';

test('Hamming: distances are those of counting bit by bit', () => {
  const random = numbers(3);
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
  const hamming = new Hamming();
  for (const [bits, rows] of [
    [512, 1],
    [1_024, 7],
    [512, 300],
    [MAX_BITS, BLOCK_VECTORS],
  ] as const) {
    const [query, all] = [bytes(bits / 8), bytes((rows * bits) / 8)];
    const counted = Array.from({ length: rows }, (_, row) =>
      query.reduce((sum, byte, at) => sum + ones(byte ^ all[row * query.length + at]!), 0),
    );
    assert.deepEqual([...hamming.distances(query, all)], counted, `${rows} rows of ${bits} bits`);
  }
  const same = bytes(64);
  assert.deepEqual([...hamming.distances(same, same)], [0]);
  assert.deepEqual([...hamming.distances(new Uint8Array(64), new Uint8Array(64).fill(255))], [512]);
});

function ones(byte: number): number {
  return byte === 0 ? 0 : (byte & 1) + ones(byte >> 1);
}
