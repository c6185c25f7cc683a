import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AuditEntry, AuditStore } from '../../src/core/audit.ts';

export interface Backend {
  name: string;
  /** A new, empty backend that knows the tenants `one` and `two`. It is closed after the test. */
  open(t: TestContext): Promise<AuditStore>;
}

let counter = 0;

/** Each is later than the one before, and has a later id. */
function entry(members: Partial<AuditEntry> = {}): AuditEntry {
  counter += 1;
  return {
    id: `id-${String(counter).padStart(6, '0')}`,
    tenantId: 'one',
    at: counter,
    actor: { kind: 'user', id: 'ada', label: 'ada@example.com' },
    action: 'key.created',
    target: `target ${counter}`,
    details: {},
    ...members,
  };
}

const ALL = { action: undefined, limit: 1_000, offset: 0 };

/** The contract of the port `AuditStore`. Every backend runs it. */
export function testAuditStore({ name, open }: Backend): void {
  const filled = async (store: AuditStore, count: number, members: Partial<AuditEntry> = {}) => {
    const entries = Array.from({ length: count }, () => entry(members));
    for (const one of entries) await store.append(one);
    return entries;
  };

  test(`${name}: a line comes back as it was written, whoever did it and whatever belongs to it`, async (t) => {
    const store = await open(t);
    const entries = [
      entry({ details: { text: 'q"\\\'; --\u2028😀', list: [1, null, { deep: true }] } }),
      entry({ actor: { kind: 'operator', id: null, label: 'operator' }, target: null }),
      entry({ actor: { kind: 'key', id: 'AAAAAAAAAAAA', label: "Robert'); DROP TABLE audit_log;--" } }),
    ];
    for (const one of entries) await store.append(one);
    assert.deepEqual(await store.list('one', ALL), { items: entries.toReversed(), total: 3 });
  });

  test(`${name}: a page is the newest first, of one action or of all, with the total of those`, async (t) => {
    const store = await open(t);
    const keys = await filled(store, 4);
    const logins = await filled(store, 3, { action: 'login.failed' });
    const newest = [...keys, ...logins].toReversed();
    assert.deepEqual(await store.list('one', { ...ALL, limit: 2, offset: 2 }), { items: newest.slice(2, 4), total: 7 });
    const asked = { action: 'login.failed', limit: 2, offset: 1 };
    assert.deepEqual(await store.list('one', asked), { items: logins.toReversed().slice(1), total: 3 });
    assert.deepEqual(await store.list('one', { ...ALL, action: 'login' }), { items: [], total: 0 });
    assert.deepEqual(await store.list('one', { ...ALL, offset: 7 }), { items: [], total: 7 });
  });

  test(`${name}: nothing of another tenant is listed, counted or removed`, async (t) => {
    const store = await open(t);
    const [mine, theirs] = [await filled(store, 3), await filled(store, 3, { tenantId: 'two' })];
    assert.deepEqual(await store.list('one', ALL), { items: mine.toReversed(), total: 3 });
    assert.equal(await store.prune('one', { before: Number.MAX_SAFE_INTEGER, keep: 0 }), 3);
    assert.deepEqual(await store.list('one', ALL), { items: [], total: 0 });
    assert.deepEqual(await store.list('two', ALL), { items: theirs.toReversed(), total: 3 });
  });

  test(`${name}: what is too old goes, and of the others all but the newest`, async (t) => {
    const store = await open(t);
    const entries = await filled(store, 10);
    const left = async () => (await store.list('one', ALL)).items.length;
    assert.equal(await store.prune('one', { before: entries[0]!.at, keep: 10 }), 0, 'from that time on they stay');
    assert.deepEqual([await store.prune('one', { before: entries[3]!.at, keep: 100 }), await left()], [3, 7]);
    assert.deepEqual([await store.prune('one', { before: 0, keep: 4 }), await left()], [3, 4]);
    assert.deepEqual((await store.list('one', ALL)).items, entries.slice(6).toReversed());
    assert.deepEqual([await store.prune('one', { before: entries[8]!.at, keep: 3 }), await left()], [2, 2]);
    assert.equal(await store.prune('one', { before: 0, keep: 2 }), 0);
  });

  test(`${name}: what is done often pushes out none of what is done seldom: of each action the newest stay`, async (t) => {
    const store = await open(t);
    const keys = await filled(store, 3);
    const logins = await filled(store, 10, { action: 'login.failed' });
    const more = await filled(store, 3);
    const theirs = await filled(store, 6, { tenantId: 'two' });
    assert.equal(await store.prune('one', { before: 0, keep: 4 }), 8);
    const kept = [...keys.slice(2), ...logins.slice(6), ...more];
    assert.deepEqual(await store.list('one', ALL), { items: kept.toReversed(), total: 8 });
    assert.equal((await store.list('two', ALL)).total, theirs.length);
    assert.equal(
      await store.prune('one', { before: logins[8]!.at, keep: 2 }),
      4,
      'those that are too old, and one key',
    );
    assert.deepEqual((await store.list('one', ALL)).items, [...logins.slice(8), ...more.slice(1)].toReversed());
  });

  test(`${name}: a line of a tenant that there is not is refused`, async (t) => {
    const store = await open(t);
    await assert.rejects(store.append(entry({ tenantId: 'three' })));
  });
}
