import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { EventCounts } from '../../src/core/limits/quotas/event-counts.ts';

export interface Backend {
  name: string;
  skip?: string | false;
  open(t: TestContext): Promise<EventCounts[]>;
}

export function testEventCounts({ name, skip = false, open }: Backend): void {
  const opened = async (t: TestContext) => {
    const nodes = await open(t);
    return (index: number) => nodes[index % nodes.length]!;
  };
  const count = async (counts: EventCounts, stored: number) =>
    counts.endCount('one', await counts.beginCount('one'), stored);

  test(`EventCounts (${name}): nothing fits before the first count`, { skip }, async (t) => {
    const node = await opened(t);
    const none = { id: null, stored: 0, admitted: 0, ageMs: Number.POSITIVE_INFINITY };
    assert.deepEqual(await node(0).admit('one', 1, 10), none);
    const begun = await node(0).beginCount('one');
    assert.deepEqual(await node(1).admit('one', 1, 10), none);
    await node(0).endCount('one', begun, 10);
    const { ageMs, ...refused } = await node(1).admit('one', 1, 10);
    assert.deepEqual(refused, { id: null, stored: 10, admitted: 0 });
    assert.ok(ageMs < 60_000);
    assert.equal((await node(0).admit('two', 1, 10)).ageMs, Number.POSITIVE_INFINITY);
  });

  test(`EventCounts (${name}): racing batches never exceed the limit`, { skip }, async (t) => {
    const node = await opened(t);
    await count(node(0), 40);
    const racing = Array.from({ length: 30 }, (_, index) => node(index).admit('one', 7, 100));
    const fitting = (await Promise.all(racing)).filter(({ id }) => id !== null);
    assert.equal(fitting.length, 8);
    // Half of each was there already.
    const stored = fitting.map(({ id }, index) => node(index).end('one', id!, { admitted: 7, stored: 3 }));
    assert.equal(Math.max(...(await Promise.all(stored))), 64);
    const { id, ...left } = await node(1).admit('one', 36, 100);
    assert.notEqual(id, null);
    assert.deepEqual([left.stored, left.admitted], [64, 36]);
    assert.equal((await node(0).admit('one', 1, 100)).id, null);
    await node(0).end('one', id!, { admitted: 36, stored: 0 });
    assert.notEqual((await node(0).admit('one', 36, 100)).id, null);
  });

  test(`EventCounts (${name}): what is stored during a count is added to it`, { skip }, async (t) => {
    const node = await opened(t);
    await count(node(0), 50);
    const { id } = await node(1).admit('one', 10, 100);
    const begun = await node(0).beginCount('one');
    await node(1).end('one', id!, { admitted: 10, stored: 10 });
    await node(0).endCount('one', begun, 20);
    assert.equal((await node(1).admit('one', 100, 100)).stored, 30);
  });

  test(`EventCounts (${name}): of two counts at once the first to end stays`, { skip }, async (t) => {
    const node = await opened(t);
    await count(node(0), 50);
    const [here, there] = [await node(0).beginCount('one'), await node(1).beginCount('one')];
    await node(0).endCount('one', here, 20);
    await node(1).endCount('one', there, 10);
    assert.equal((await node(1).admit('one', 100, 100)).stored, 20);
    await node(1).forget('one');
    assert.equal((await node(0).admit('one', 1, 100)).ageMs, Number.POSITIVE_INFINITY);
  });
}
