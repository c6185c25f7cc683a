import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { returnMemory } from '../../src/memory/heap.ts';

function youngGeneration(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.space_size;
}

test('returnMemory: the young generation shrinks, and there is no global gc', () => {
  // Survivors make it grow.
  const kept: object[][] = [];
  for (let round = 0; round < 200; round++) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
  const grown = youngGeneration();
  kept.length = 0;
  returnMemory();
  assert.ok(youngGeneration() <= grown / 4, `${youngGeneration()} of ${grown} bytes`);
  assert.equal(globalThis.gc, undefined);
});
