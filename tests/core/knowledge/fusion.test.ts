import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fuse } from '../../../src/core/knowledge/fusion.ts';

const idsOf = (ranked: { id: number }[]) => ranked.map(({ id }) => id);

test('fuse(): results in both rankings precede results in one', () => {
  const fused = fuse(
    [
      { ids: [1, 2, 3], weight: 1 },
      { ids: [4, 3, 5], weight: 1 },
    ],
    10,
  );
  assert.deepEqual(idsOf(fused), [3, 1, 4, 2, 5]);
});

test('fuse(): first in all rankings scores 1, first in one of two scores a half', () => {
  const [first] = fuse(
    [
      { ids: [7, 8], weight: 1 },
      { ids: [7], weight: 3 },
    ],
    10,
  );
  assert.deepEqual(first, { id: 7, score: 1 });
  assert.deepEqual(
    fuse(
      [
        { ids: [1], weight: 2 },
        { ids: [], weight: 2 },
      ],
      10,
    ),
    [{ id: 1, score: 0.5 }],
  );
});

test('fuse(): a ranking of weight 0 only fills up after the others', () => {
  const fused = fuse(
    [
      { ids: [1, 2], weight: 1 },
      { ids: [9, 2, 8, 1], weight: 0 },
    ],
    4,
  );
  assert.deepEqual(idsOf(fused), [1, 2, 9, 8]);
  assert.deepEqual(fuse([{ ids: [5], weight: 0 }], 1), [{ id: 5, score: 0 }]);
});

const ids = fc.uniqueArray(fc.nat(30), { maxLength: 20 });

test('fuse(): ids are distinct, best first, limited; a single ranking keeps its order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ ids, weight: fc.constantFrom(0, 0.5, 1, 2) }), { maxLength: 4 }),
      fc.nat(40),
      (rankings, limit) => {
        const fused = fuse(rankings, limit);
        const all = new Set(rankings.flatMap((ranking) => ranking.ids));
        assert.equal(fused.length, Math.min(limit, all.size));
        assert.equal(new Set(idsOf(fused)).size, fused.length);
        for (const [index, { score }] of fused.entries()) {
          assert.ok(score >= 0 && score <= 1 + 1e-12);
          assert.ok(index === 0 || score <= fused[index - 1]!.score);
        }
        const [first] = rankings;
        if (rankings.length === 1) assert.deepEqual(idsOf(fused), first!.ids.slice(0, limit));
      },
    ),
  );
});
