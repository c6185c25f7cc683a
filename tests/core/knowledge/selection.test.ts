import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fuse } from '../../../src/core/knowledge/selection.ts';

const idsOf = (ranked: { id: number }[]) => ranked.map(({ id }) => id);

/** Each ranking is its ids and its weight. */
const fused = (limit: number, ...rankings: [number[], number][]) =>
  fuse(
    rankings.map(([ids, weight]) => ({ ids, weight })),
    limit,
  );

test('fuse(): results in both rankings precede results in one; weight 0 only fills up', () => {
  assert.deepEqual(idsOf(fused(10, [[1, 2, 3], 1], [[4, 3, 5], 1])), [3, 1, 4, 2, 5]);
  assert.deepEqual(idsOf(fused(4, [[1, 2], 1], [[9, 2, 8, 1], 0])), [1, 2, 9, 8]);
});

test('fuse(): first in all rankings scores 1, first in one of two scores a half', () => {
  assert.deepEqual(fused(10, [[7, 8], 1], [[7], 3])[0], { id: 7, score: 1 });
  assert.deepEqual(fused(10, [[1], 2], [[], 2]), [{ id: 1, score: 0.5 }]);
  assert.deepEqual(fused(1, [[5], 0]), [{ id: 5, score: 0 }]);
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
