import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import BetterSqlite3 from 'better-sqlite3';
import { planTable } from '../../../../src/core/analytics/events/questions/plan.ts';
import type { FileEventStore, StoredEvent } from '../../../../src/core/analytics/events/store.ts';
import { type EventIdentities, findCleanClose } from '../../../../src/storage/events/duckdb/clean-close.ts';
import { openEventsAtFirstUse } from '../../../../src/storage/events/duckdb/first-use.ts';
import type { EventStoreOptions } from '../../../../src/storage/events/duckdb/store.ts';
import { openEventThread } from '../../../../src/storage/events/duckdb/thread.ts';
import { EVENTS_FILE, SPOOL_FILE } from '../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../contracts/event-store.ts';
import { tableQuestion } from '../../../reference/questions.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { storeOptions } from '../../../support/event-store.ts';
import { rareTest } from '../../../support/rare.ts';

/*
 * Which starts open the event store at once, and which find it closed cleanly and wait for a use.
 */

const NOW = Date.parse('2026-01-01T00:00:00Z');

/**
 * The event store with a real thread, closed after the test. `does.open` runs before each opening.
 */
async function start(t: TestContext, directory: string, options: Partial<EventStoreOptions> = {}) {
  const faults: Error[] = [];
  const does: { open?: () => Promise<void> } = {};
  let openings = 0;
  const observer = { onFault: (error: Error) => faults.push(error), onNotice: () => undefined };
  const store = await openEventsAtFirstUse(storeOptions(directory, options), observer, async (...args) => {
    openings += 1;
    await does.open?.();
    return openEventThread(...args);
  });
  t.after(() => store.close());
  return { store, faults, does, openings: () => openings };
}

async function visible(store: FileEventStore, events: Partial<StoredEvent>[], tenantId = 't'): Promise<void> {
  const { receipt } = await store.append(tenantId, events.map(storedEvent));
  assert.equal(await store.waitFor(receipt, 10_000), true);
}

async function count(store: FileEventStore): Promise<number> {
  const question = tableQuestion({ eventName: 'a', mode: 'aggregate' });
  return (await store.query('t', planTable(question, { agentId: null, timezone: 'UTC', now: 1 }))).matched;
}

const identitiesOf = (installationId: string, isMarked = true): EventIdentities => ({
  spool: { installationId, isMarked },
  events: { installationId, isMarked },
});

async function closedCleanly(t: TestContext, installationId = 'this'): Promise<string> {
  const directory = temporaryDirectory(t);
  const { store } = await start(t, directory, { identities: identitiesOf(installationId, false) });
  await visible(store, [{}, {}, {}]);
  await store.close();
  assert.ok(findCleanClose(directory));
  return directory;
}

async function started(t: TestContext, directory: string, identities = identitiesOf('this')) {
  const { store, openings } = await start(t, directory, { identities });
  const atStart = openings();
  const events = await count(store);
  await store.close();
  return [atStart, events];
}

function inSpool(directory: string, sql: string): void {
  const spool = new BetterSqlite3(join(directory, SPOOL_FILE));
  spool.exec(sql);
  spool.close();
}

test('Event store start: after a clean close it stays closed until the first use', async (t) => {
  const directory = await closedCleanly(t);
  assert.deepEqual(await started(t, directory), [0, 3]);
  const { store, openings, faults } = await start(t, directory);
  assert.equal(openings(), 0);
  assert.deepEqual(await Promise.all([count(store), count(store), store.settle()]), [3, 3, undefined]);
  assert.deepEqual([openings(), faults], [1, []]);
  assert.equal(findCleanClose(directory), null, 'a kill from now on is no clean close');
  await store.close();
  await assert.rejects(count(store));
  const { store: unused, openings: ofUnused } = await start(t, directory);
  await unused.close();
  await assert.rejects(count(unused), { code: 'unavailable' });
  assert.equal(ofUnused(), 0);
});

test('Event store start: readiness and statistics do not open it', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, directory);
  await visible(first.store, [{ properties: '{"n":1}' }]);
  const open = await first.store.stats();
  await first.store.close();
  const { store, openings } = await start(t, directory, { backlogLimit: 7 });
  await store.ping();
  const closed = await store.stats();
  const { disk } = closed.files!;
  assert.ok(disk.events > 0 && disk.spool > 0);
  assert.deepEqual(closed, {
    ...open,
    backlog: { batches: 0, bytes: 0, limitBytes: 7 },
    files: { ...open.files, disk },
    resultCache: { hits: 0, misses: 0, bytes: 0 },
  });
  assert.equal(openings(), 0);
});

test('Event store start: unused, it is ready only if the spool is writable', async (t) => {
  const directory = await closedCleanly(t);
  const { store, openings } = await start(t, directory);
  await store.ping();
  const [spool, aside] = [join(directory, SPOOL_FILE), join(directory, 'aside')];
  renameSync(spool, aside);
  await assert.rejects(store.ping(), { code: 'unavailable' });
  mkdirSync(spool);
  await assert.rejects(store.ping(), { code: 'unavailable' });
  rmSync(spool, { recursive: true });
  renameSync(aside, spool);
  await store.ping();
  assert.equal(openings(), 0);
});

test('Event store start: a failed opening is repeated by the next call', async (t) => {
  const { store, faults, does, openings } = await start(t, await closedCleanly(t));
  const reason = new Error('no thread today');
  does.open = () => Promise.reject(reason);
  for (const call of await Promise.allSettled([count(store), store.settle()])) {
    assert.ok(call.status === 'rejected' && call.reason.code === 'unavailable' && call.reason.cause === reason);
  }
  assert.deepEqual([faults, openings()], [[reason], 1]);
  await assert.rejects(store.ping(), { code: 'unavailable' }, 'readiness tries again, too');
  const { failingSince, tenants } = await store.stats();
  assert.ok(failingSince !== null && tenants === 1);
  delete does.open;
  await store.ping();
  assert.equal((await store.stats()).failingSince, null);
  assert.equal(await count(store), 3);
});

test('Event store start: retention opens it only for tenants with expired events', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, directory);
  await visible(first.store, [{ timestamp: NOW }, { timestamp: NOW + 10, eventName: 'b' }]);
  await visible(first.store, [{ timestamp: NOW - 10 }], 'u');
  await first.store.close();
  const { store, openings } = await start(t, directory);
  assert.deepEqual(await store.expiring(NOW - 10), {});
  assert.deepEqual(await store.expiring(NOW + 1), { t: NOW, u: NOW - 10 });
  assert.equal(openings(), 0);
  assert.deepEqual([await store.expire('u', NOW), openings()], [1, 1]);
  assert.deepEqual(await store.expiring(NOW + 1), { t: NOW });
});

const CHANGES: [what: string, change: (directory: string, events: string) => void | Promise<void>][] = [
  [
    'a copied events file',
    (_, events) => {
      copyFileSync(events, `${events}.1`);
      renameSync(`${events}.1`, events);
    },
  ],
  [
    'an events file written anew, with the old time of modification',
    (_, events) => {
      const { atime, mtime } = statSync(events);
      copyFileSync(events, `${events}.1`);
      copyFileSync(`${events}.1`, events);
      utimesSync(events, atime, mtime);
    },
  ],
  [
    'a log of DuckDB',
    async (_, events) => {
      const instance = await DuckDBInstance.create(events);
      const connection = await instance.connect();
      await connection.run('PRAGMA disable_checkpoint_on_shutdown; CREATE TABLE more (n INTEGER)');
      connection.closeSync();
      instance.closeSync();
    },
  ],
  [
    'another version of the program',
    (directory) => inSpool(directory, "UPDATE clean_close SET events_file = 'x' || events_file"),
  ],
  ['a note that cannot be read', (directory) => inSpool(directory, "UPDATE clean_close SET stats = '{'")],
  ['a spool without a note', (directory) => inSpool(directory, 'DROP TABLE clean_close')],
];

for (const [index, [what, change]] of CHANGES.entries()) {
  const define = index % 5 === 0 ? test : rareTest;
  define(`Event store start: ${what}: opened at once`, async (t) => {
    const directory = await closedCleanly(t);
    await change(directory, join(directory, EVENTS_FILE));
    assert.deepEqual(await started(t, directory), [1, 3]);
    assert.deepEqual(await started(t, directory), [0, 3], 'then it was closed cleanly again');
  });
}

test('Event store start: unmarked files are opened at once', async (t) => {
  const directory = await closedCleanly(t);
  assert.deepEqual(await started(t, directory, identitiesOf('this', false)), [1, 3]);
});

test('Event store start: batches in the spool are queryable without any call', async (t) => {
  const directory = await closedCleanly(t);
  const events = JSON.stringify([storedEvent(), storedEvent()]);
  inSpool(directory, `INSERT INTO batches (tenant_id, arrived_at, events) VALUES ('t', 0, '${events}')`);
  const { store, openings } = await start(t, directory);
  assert.equal(openings(), 1);
  assert.equal((await store.stats()).backlog.batches, 0);
  assert.equal(await count(store), 5);
});

const DAMAGES: [what: string, damage: (directory: string, events: string) => void | Promise<void>, said: RegExp][] = [
  [
    'an events file of zeros',
    (_, events) => writeFileSync(events, Buffer.alloc(statSync(events).size)),
    /events\.duckdb is damaged/,
  ],
  [
    'tables of an earlier version',
    async (_, events) => {
      const instance = await DuckDBInstance.create(events);
      const connection = await instance.connect();
      await connection.run('UPDATE schema_version SET version = 3');
      connection.closeSync();
      instance.closeSync();
    },
    /events\.duckdb was written by an older agent-runtime \(schema 3, this program knows 4\)/,
  ],
  ['a spool that is no database', (directory) => writeFileSync(join(directory, SPOOL_FILE), 'x'), /spool\.sqlite/],
  [
    'a damaged page of the spool',
    (directory) => {
      const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n';
      inSpool(directory, `CREATE TABLE padding AS ${numbers}`);
      const path = join(directory, SPOOL_FILE);
      const whole = readFileSync(path);
      // The note stays readable.
      writeFileSync(path, whole.fill('x', whole.length - 4_096));
      assert.ok(findCleanClose(directory));
    },
    /spool\.sqlite is damaged/,
  ],
];

for (const [what, damage, said] of DAMAGES) {
  test(`Event store start: ${what}: refused as it always was`, async (t) => {
    const directory = await closedCleanly(t);
    await damage(directory, join(directory, EVENTS_FILE));
    await assert.rejects(start(t, directory, { identities: identitiesOf('this') }), (error: Error) => {
      assert.equal(error.name, 'UnusableFile');
      assert.match(error.message, said);
      return true;
    });
  });
}

test('Event store start: a missing file that no manifest lists is made at once', async (t) => {
  const directory = await closedCleanly(t);
  rmSync(join(directory, EVENTS_FILE));
  assert.deepEqual(await started(t, directory, identitiesOf('this', false)), [1, 0]);
});

test('Event store start: files of another installation are refused', async (t) => {
  const [directory, other] = [await closedCleanly(t), await closedCleanly(t, 'other')];
  const options = { identities: identitiesOf('this') };
  copyFileSync(join(other, EVENTS_FILE), join(directory, EVENTS_FILE));
  await assert.rejects(start(t, directory, options), /events\.duckdb is of another installation/);
  // Moved, they are the very files that were closed.
  for (const name of [EVENTS_FILE, SPOOL_FILE]) renameSync(join(other, name), join(directory, name));
  await assert.rejects(start(t, directory, options), /is of another installation/);
  rmSync(join(directory, EVENTS_FILE));
  await assert.rejects(start(t, directory, options), /is of another installation/);
});
