import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInShare } from '../../../../src/core/agents/queues/share.ts';

const ids = Array.from({ length: 10_000 }, (_, index) => `execution ${index}`);
const sharedBy = (queue: string, share: number | undefined) => ids.filter((id) => isInShare(share, queue, id));

test('isInShare: a share has about so many, a larger one all of these and more', () => {
  const [tenth, half] = [sharedBy('queue', 0.1), sharedBy('queue', 0.5)];
  assert.ok(Math.abs(tenth.length - 1_000) < 150, `${tenth.length}`);
  assert.ok(Math.abs(half.length - 5_000) < 250, `${half.length}`);
  assert.deepEqual(
    tenth.filter((id) => !half.includes(id)),
    [],
  );
  assert.deepEqual([sharedBy('queue', 0).length, sharedBy('queue', 1).length], [0, ids.length]);
  assert.equal(sharedBy('queue', undefined).length, ids.length);
});

test('isInShare: each queue has another share, the same in every process', () => {
  const [one, other] = [sharedBy('one', 0.1), sharedBy('other', 0.1)];
  const common = one.filter((id) => other.includes(id)).length;
  assert.ok(common < 200, `${common} are in both`);
  assert.deepEqual(one.slice(0, 3), ['execution 18', 'execution 28', 'execution 52']);
});
