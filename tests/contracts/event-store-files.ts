import assert from 'node:assert/strict';
import type { test } from 'node:test';
import { planTable } from '../../src/core/analytics/events/questions/plan.ts';
import type { EventStore, FileEventStore, StoredEvent } from '../../src/core/analytics/events/store.ts';
import { tableQuestion } from '../reference/questions.ts';
import { type Backend, CONTEXT, storedEvent, storeHelpers } from './event-store.ts';

export interface FileBackend extends Backend {
  open(directory: string, options?: { dedupWindowMs?: number }): Promise<FileEventStore>;
}

async function count(store: EventStore, tenantId: string, eventName = 'a'): Promise<number> {
  const plan = planTable(tableQuestion({ eventName, mode: 'aggregate', groupBy: 'threadId' }), CONTEXT);
  return (await store.query(tenantId, plan)).matched;
}

const named = (id: string, event: Partial<StoredEvent> = {}) => storedEvent({ id, idFromCaller: true, ...event });

export function testFileEventStore({ name, open, directory }: FileBackend, define: typeof test): void {
  const { opened, visible } = storeHelpers({ open, directory });

  define(`${name}: a copy has everything acknowledged before it, once`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [named('one'), storedEvent({ threadId: 'x' })]);
    await store.append('t', [named('two')]);
    let appended = 0;
    let copying = true;
    const appending = (async () => {
      while (copying) await store.append('t', [named(`more ${appended++}`, { eventName: 'more' })]);
    })();
    const to = directory(t);
    await store.copyTo(to);
    copying = false;
    await appending;
    const copy = await open(to);
    t.after(() => copy.close());
    assert.equal(await count(copy, 't'), 3);
    const resent = Array.from({ length: appended }, (_, index) => named(`more ${index}`, { eventName: 'more' }));
    await visible(copy, 't', [...resent, named('one'), named('two')]);
    assert.equal(await count(copy, 't', 'more'), appended, 'what came meanwhile is in it or new to it, never twice');
    assert.equal(await count(copy, 't'), 3);
    await copy.erase('t', {});
    await visible(store, 't', [storedEvent({ eventName: 'more' })]);
    assert.equal(await count(store, 't'), 3);
    assert.equal(await count(store, 't', 'more'), appended + 1);
  });

  define(`${name}: stats has what the files have`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [storedEvent({ properties: '{"a":1,"b":{"c":"x"}}' }), storedEvent()]);
    await visible(store, 'other', [storedEvent()]);
    const { disk, ...files } = (await store.stats()).files!;
    const keptColumns = { bytes: 0, answers: 0 };
    assert.deepEqual(files, { arrivals: 3, runs: 0, learnedColumns: 3, crowdedTenants: 0, keptColumns });
    assert.ok(disk.events > 0 && disk.spool > 0);
    await store.erase('t', {});
    assert.equal((await store.stats()).files!.arrivals, 1);
  });
}
