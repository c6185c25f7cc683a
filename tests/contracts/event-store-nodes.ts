import assert from 'node:assert/strict';
import type { TestContext, test } from 'node:test';
import { planTable } from '../../src/core/analytics/events/questions/plan.ts';
import type { EventStore, StoredEvent } from '../../src/core/analytics/events/store.ts';
import { tableQuestion } from '../reference/questions.ts';
import { type Backend, CONTEXT, storedEvent } from './event-store.ts';

async function count(store: EventStore, eventName = 'a'): Promise<number> {
  return (await store.query('t', planTable(tableQuestion({ eventName, mode: 'aggregate' }), CONTEXT))).matched;
}

const named = (id: string, event: Partial<StoredEvent> = {}) => storedEvent({ id, idFromCaller: true, ...event });

/** The contract of a store that several processes open at once. */
export function testEventStoreNodes({ name, open, directory }: Backend, define: typeof test): void {
  const nodes = async (t: TestContext) => {
    const at = directory(t);
    const opened = await Promise.all([open(at), open(at)]);
    t.after(() => Promise.all(opened.map((store) => store.close())));
    return opened as [EventStore, EventStore];
  };

  define(`${name}: two nodes store a caller's id once, however they race`, async (t) => {
    const both = await nodes(t);
    const ids = Array.from({ length: 40 }, (_, index) => `id ${index}`);
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => {
        const order = turn % 3 === 0 ? ids : ids.toReversed();
        return both[turn % 2]!.append(
          't',
          order.map((id) => named(id)),
        );
      }),
    );
    const duplicates = results.reduce((sum, result) => sum + result.duplicates, 0);
    assert.equal(duplicates, 11 * ids.length);
    await both[0].settle();
    assert.deepEqual([await count(both[0]), await count(both[1])], [ids.length, ids.length]);
    const [known] = await both[1].knownEvents('t', null);
    assert.equal(known?.events, ids.length);
  });

  define(
    `${name}: the receipt of one node is waited for at the other, which then answers with its events`,
    async (t) => {
      const [one, other] = await nodes(t);
      for (let turn = 1; turn <= 4; turn += 1) {
        const [from, to] = turn % 2 === 0 ? [one, other] : [other, one];
        const { receipt } = await from.append('t', [named(`id ${turn}`, { properties: `{"key ${turn}":1}` })]);
        assert.equal(await to.waitFor(receipt, 10_000), true);
        assert.deepEqual([await count(to), await count(from)], [turn, turn], 'no cached answer is older');
        assert.equal((await to.knownProperties('t', null, ['a'])).length, turn);
        assert.equal((await to.append('t', [named(`id ${turn}`)])).duplicates, 1);
      }
      const { receipt } = await one.append('t', [named('id 1')]);
      assert.equal(await other.waitFor(receipt, 10_000), true, 'also a receipt of duplicates alone');
    },
  );

  define(`${name}: what one node has accepted is visible after the other settles`, async (t) => {
    const [one, other] = await nodes(t);
    await Promise.all(Array.from({ length: 20 }, () => one.append('t', [storedEvent()])));
    await other.settle();
    assert.equal(await count(other), 20);
  });

  define(`${name}: one node erases while the other appends and makes visible`, async (t) => {
    const [one, other] = await nodes(t);
    let next = 0;
    let erasing = true;
    const ids: string[] = [];
    const appending = (async () => {
      while (erasing) {
        const id = `id ${++next}`;
        ids.push(id);
        const { receipt } = await other.append('t', [named(id, { threadId: 'x' }), named(`kept ${next}`)]);
        if (next % 5 === 0) await other.waitFor(receipt, 10_000);
      }
    })();
    for (let turn = 0; turn < 3; turn += 1) await one.erase('t', { threadId: 'x' });
    erasing = false;
    await appending;
    for (const id of ids) await one.append('t', [named(id, { threadId: 'x' }), named(id.replace('id', 'kept'))]);
    await one.settle();
    assert.equal(await count(other), 2 * ids.length, 'erased events came again, nothing else is missing or doubled');
    assert.equal(await one.erase('t', { threadId: 'x' }), ids.length);
    assert.deepEqual([await count(one), await count(other)], [ids.length, ids.length]);
    assert.equal((await other.knownEvents('t', null))[0]?.events, ids.length);
    assert.equal(await other.erase('t', {}), ids.length);
    assert.deepEqual([await count(one), await one.knownEvents('t', null)], [0, []]);
  });

  define(`${name}: when a node ends, the other goes on`, async (t) => {
    const [one, other] = await nodes(t);
    for (const [from, left] of [
      [one, other],
      [other, null],
    ] as const) {
      await from.append('t', [storedEvent()]);
      await from.close();
      if (!left) continue;
      const { receipt } = await left.append('t', [storedEvent()]);
      assert.equal(await left.waitFor(receipt, 10_000), true);
      assert.equal(await count(left), 2);
    }
  });
}
