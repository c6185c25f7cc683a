import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUDIT_DAYS } from '../../src/core/base/audit/log.ts';
import type { AuditEntry, AuditPage, AuditStore } from '../../src/core/base/audit/store.ts';
import { rowsOf } from '../support/pages.ts';
import type { StoreBackend } from './backend.ts';

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
    address: '192.0.2.7',
    requestId: `request ${counter}`,
    ...members,
  };
}

const ALL = { action: undefined, limit: 1_000, offset: 0 };
const ONE = { tenantId: 'one' };
const TWO = { tenantId: 'two' };
const INSTALLATION = { tenantId: null };
/** Entries of these tests are from 1970; prune keeps those of now. */
const ANY_TIME = Number.MAX_SAFE_INTEGER;

/** Without what says whether there are more. */
async function page(listed: Promise<AuditPage>) {
  const { items, total } = await listed;
  return { items, total };
}

export function testAuditStore({ name, open }: StoreBackend<AuditStore>): void {
  const filled = async (store: AuditStore, count: number, members: Partial<AuditEntry> = {}) => {
    const entries = Array.from({ length: count }, () => entry(members));
    for (const one of entries) await store.append(one);
    return entries;
  };

  test(`AuditStore (${name}): an entry is returned as written, whatever its actor`, async (t) => {
    const store = await open(t);
    const entries = [
      entry({ details: { text: 'q"\\\'; --\u2028😀', list: [1, null, { deep: true }] } }),
      entry({ actor: { kind: 'operator', id: null, label: 'operator' }, target: null, address: null, requestId: null }),
      entry({ actor: { kind: 'key', id: 'AAAAAAAAAAAA', label: "Robert'); DROP TABLE audit_log;--" } }),
    ];
    for (const one of entries) await store.append(one);
    assert.deepEqual(await page(store.list(ONE, ALL)), { items: entries.toReversed(), total: 3 });
  });

  test(`AuditStore (${name}): a page is newest first, by action or all, with its total`, async (t) => {
    const store = await open(t);
    const keys = await filled(store, 4);
    const logins = await filled(store, 3, { action: 'login.failed' });
    const newest = [...keys, ...logins].toReversed();
    assert.deepEqual(await page(store.list(ONE, { ...ALL, limit: 2, offset: 2 })), {
      items: newest.slice(2, 4),
      total: 7,
    });
    const asked = { action: 'login.failed', limit: 2, offset: 1 };
    assert.deepEqual(await page(store.list(ONE, asked)), { items: logins.toReversed().slice(1), total: 3 });
    assert.deepEqual(await page(store.list(ONE, { ...ALL, action: 'login' })), { items: [], total: 0 });
    assert.deepEqual(await page(store.list(ONE, { ...ALL, offset: 7 })), { items: [], total: 7 });
  });

  test(`AuditStore (${name}): other tenants' entries are not listed, counted or exported`, async (t) => {
    const store = await open(t);
    const [mine, theirs] = [await filled(store, 3), await filled(store, 3, { tenantId: 'two' })];
    assert.deepEqual(await page(store.list(ONE, ALL)), { items: mine.toReversed(), total: 3 });
    assert.deepEqual(await store.next(ONE, { after: null, limit: 10 }), mine);
    assert.deepEqual(await page(store.list(TWO, ALL)), { items: theirs.toReversed(), total: 3 });
  });

  test(`AuditStore (${name}): a range includes its start and excludes its end`, async (t) => {
    const store = await open(t);
    const entries = await filled(store, 6);
    const between = { from: entries[1]!.at, to: entries[4]!.at };
    assert.deepEqual(await page(store.list(ONE, { ...ALL, ...between })), {
      items: entries.slice(1, 4).toReversed(),
      total: 3,
    });
    assert.deepEqual(await store.next(ONE, { ...between, after: null, limit: 10 }), entries.slice(1, 4));
  });

  test(`AuditStore (${name}): actor is an id or a label, target an id; all filters hold`, async (t) => {
    const store = await open(t);
    const eve = { kind: 'user', id: 'eve', label: 'eve@example.com' } as const;
    // A key whose label is the id of another actor, and one whose label is its own id.
    const named = await filled(store, 1, { actor: { kind: 'key', id: 'AAAA', label: 'eve' } });
    const own = await filled(store, 1, { actor: { kind: 'key', id: 'BBBB', label: 'BBBB' } });
    const hers = await filled(store, 3, { actor: eve, target: 'one card', action: 'card.deleted' });
    const theirs = await filled(store, 1, { actor: { ...eve, label: 'eva@example.com' }, target: 'one card' });
    await filled(store, 2);
    await filled(store, 2, { tenantId: 'two', actor: eve, target: 'one card' });
    const listed = async (filter: object) => (await store.list(ONE, { ...ALL, ...filter })).items;
    assert.deepEqual(await listed({ actor: 'eve' }), [...named, ...hers, ...theirs].toReversed());
    assert.deepEqual(await page(store.list(ONE, { ...ALL, actor: 'BBBB' })), { items: own, total: 1 });
    assert.deepEqual(await listed({ actor: 'eve@example.com' }), hers.toReversed());
    assert.deepEqual(await listed({ target: 'one card' }), [...hers, ...theirs].toReversed());
    assert.deepEqual(await listed({ actor: 'eve', target: 'one card', action: 'key.created' }), theirs);
    assert.deepEqual(await listed({ actor: 'EVE' }), []);
    assert.deepEqual(await store.next(ONE, { actor: 'eve', after: hers[0]!, limit: 2 }), hers.slice(1));
  });

  test(`AuditStore (${name}): an action with a period at its end is all on its noun`, async (t) => {
    const store = await open(t);
    const made = await filled(store, 2);
    const rotated = await filled(store, 2, { action: 'key.rotated' });
    await filled(store, 1, { action: 'keyring.created' });
    await filled(store, 1, { action: 'key' });
    await filled(store, 1, { tenantId: 'two', action: 'key.revoked' });
    const mixed = await filled(store, 1);
    const all = [...made, ...rotated, ...mixed];
    assert.deepEqual(await page(store.list(ONE, { ...ALL, action: 'key.' })), { items: all.toReversed(), total: 5 });
    assert.deepEqual(await page(store.list(ONE, { action: 'key.', limit: 2, offset: 1 })), {
      items: [rotated[1], rotated[0]],
      total: 5,
    });
    assert.deepEqual(await store.next(ONE, { action: 'key.', after: made[1]!, limit: 10 }), all.slice(2));
    assert.deepEqual(await page(store.list(ONE, { ...ALL, action: 'segment.' })), { items: [], total: 0 });
    assert.deepEqual((await store.next('all', { action: 'key.', after: null, limit: 10 })).length, 6);
    const filter = { action: 'key.', actor: 'ada@example.com', from: rotated[0]!.at };
    assert.deepEqual((await store.list(ONE, { ...ALL, ...filter })).items, all.slice(2).toReversed());
  });

  test(`AuditStore (${name}): pages follow a place, also within one time`, async (t) => {
    const store = await open(t);
    const entries = [...(await filled(store, 3)), ...(await filled(store, 4, { at: counter + 10 }))];
    const newest = entries.toReversed();
    const asked = { limit: 2, offset: 0 };
    const first = await store.list(ONE, asked);
    assert.deepEqual([first.items, first.hasMore], [newest.slice(0, 2), true]);
    const second = await store.list(ONE, { ...asked, before: newest[1] });
    assert.deepEqual([second.items, second.total, second.hasMore], [newest.slice(2, 4), 7, true]);
    const last = await store.list(ONE, { ...asked, limit: 3, before: newest[3] });
    assert.deepEqual([last.items, last.hasMore], [newest.slice(4), false]);
    assert.deepEqual((await store.list(ONE, { ...asked, before: newest[6] })).items, []);
    const back = await store.list(ONE, { ...asked, after: newest[4] });
    assert.deepEqual([back.items, back.hasMore], [newest.slice(2, 4), true]);
    const whole = await store.list(ONE, { ...asked, after: newest[2] });
    assert.deepEqual([whole.items, whole.hasMore], [newest.slice(0, 2), false]);
    assert.deepEqual(await rowsOf<AuditEntry>(2, (after) => store.next(ONE, { after, limit: 2 })), entries);
  });

  test(`AuditStore (${name}): next gives the oldest after an entry, by tenant or all`, async (t) => {
    const store = await open(t);
    const mine = await filled(store, 3);
    const own = await filled(store, 2, { tenantId: null, action: 'backup.created' });
    const theirs = await filled(store, 2, { tenantId: 'two' });
    const next = async (of: Parameters<AuditStore['next']>[0], after: AuditEntry | null = null, members = {}) =>
      store.next(of, { after, limit: 2, ...members });
    assert.deepEqual(await next(ONE), mine.slice(0, 2));
    assert.deepEqual(await next(ONE, mine[1]), mine.slice(2));
    assert.deepEqual(await next(ONE, mine[2]), []);
    assert.deepEqual(await next(INSTALLATION), own);
    assert.deepEqual(await next('all', mine[1]), [mine[2], own[0]]);
    assert.deepEqual(await next('all', null, { limit: 100 }), [...mine, ...own, ...theirs]);
    assert.deepEqual(await next('all', null, { action: 'backup.created' }), own);
    assert.deepEqual(await page(store.list(INSTALLATION, ALL)), { items: own.toReversed(), total: 2 });
  });

  test(`AuditStore (${name}): prune removes entries before a time, of all tenants`, async (t) => {
    const store = await open(t);
    const entries = await filled(store, 4);
    const theirs = await filled(store, 1, { tenantId: 'two' });
    const own = await filled(store, 1, { tenantId: null });
    assert.equal(await store.prune(entries[0]!.at), 0, 'from that time on they stay');
    assert.equal(await store.prune(entries[3]!.at), 3);
    assert.deepEqual((await store.list('all', ALL)).items, [...own, ...theirs, entries[3]]);
    assert.equal(await store.prune(ANY_TIME), 3);
  });

  test(`AuditStore (${name}): an entry younger than its retention is not removed`, async (t) => {
    const store = await open(t);
    const retention = AUDIT_DAYS * 86_400_000;
    const past = await filled(store, 1, { at: Date.now() - retention - 60_000 });
    const kept = [
      ...(await filled(store, 1, { at: Date.now() - retention + 60_000 })),
      ...(await filled(store, 1, { tenantId: null, at: Date.now() })),
    ];
    await assert.rejects(store.prune(ANY_TIME), /kept for 400 days/);
    assert.equal((await store.list('all', ALL)).total, past.length + kept.length);
    assert.equal(await store.prune(Date.now() - retention), 1);
    assert.deepEqual((await store.list('all', ALL)).items, kept.toReversed());
  });

  test(`AuditStore (${name}): an entry of an unknown tenant is refused`, async (t) => {
    const store = await open(t);
    await assert.rejects(store.append(entry({ tenantId: 'three' })));
  });
}
