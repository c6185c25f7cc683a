import assert from 'node:assert/strict';
import type { test } from 'node:test';
import { countByThread, eventsOfThread } from '../../../src/core/analytics/events/threads.ts';
import { rowsOf } from '../../support/pages.ts';
import { storedEvent } from '../event-store.ts';
import type { Asked } from './differential.ts';

/** Made by the server, chosen by callers. Their order is that of their characters. */
const IDS = ['0190a5c8-0000-7000-8000-000000000001', '0190a5c8-0000-7000-8000-000000000002', 'Z', 'a', 'é', '😀', "'"];

export function testThreads({ name, openStore }: Asked, define: typeof test): void {
  define(`Threads on ${name}: events by time and id, page by page`, async (t) => {
    const store = await openStore(t);
    const tenantId = 'threads';
    const at = Date.parse('2026-01-01T00:00:00Z');
    const events = [at, at + 1].flatMap((timestamp) =>
      IDS.map((id) => storedEvent({ id: `${id}${timestamp === at ? '' : '-later'}`, timestamp, threadId: 't' })),
    );
    const others = [
      storedEvent({ threadId: 'other', agentId: 'elsewhere' }),
      storedEvent({ threadId: null }),
      storedEvent({ threadId: 't', eventName: 'runtime.chat_completed' }),
    ];
    const { receipt } = await store.append(tenantId, [...events, ...others]);
    assert.ok(await store.waitFor(receipt, 30_000));
    const asked = { store, tenantId };
    for (const limit of [1, 3, 100]) {
      const rows = await rowsOf<Awaited<ReturnType<typeof eventsOfThread>>[number]>(limit, (last) =>
        eventsOfThread('t', { after: last && [last.at, last.event.id], limit }, asked),
      );
      const read = rows.map(({ event }) => event.id);
      assert.equal(read.length, events.length, `${limit} a page`);
      assert.deepEqual(new Set(read.slice(0, IDS.length)), new Set(IDS));
      assert.equal(new Set(read).size, events.length);
    }
    assert.equal((await eventsOfThread('t', { after: [at + 1, null], limit: 100 }, asked)).length, IDS.length);
    assert.deepEqual(
      await countByThread(['t', 'other', 'nothing'], asked),
      new Map([
        ['t', events.length],
        ['other', 1],
      ]),
    );
    assert.deepEqual(await countByThread([], asked), new Map());
  });
}
