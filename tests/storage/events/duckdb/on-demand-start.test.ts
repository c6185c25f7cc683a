import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import BetterSqlite3 from 'better-sqlite3';
import { findCleanClose } from '../../../../src/storage/events/duckdb/closed-store.ts';
import type { EventIdentities } from '../../../../src/storage/events/duckdb/identity.ts';
import { EVENTS_FILE, SPOOL_FILE } from '../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { rareTest } from '../../../support/rare.ts';
import { count, openResting, visible } from './resting.ts';

/* Which starts open the event store at once, and which find it closed cleanly. */

const identitiesOf = (installationId: string, isMarked = true): EventIdentities => ({
  spool: { installationId, isMarked },
  events: { installationId, isMarked },
});

/** A directory with three events, closed cleanly. */
async function closedCleanly(t: TestContext, installationId = 'this'): Promise<string> {
  const directory = temporaryDirectory(t);
  const { store } = await openResting(t, directory, { identities: identitiesOf(installationId, false) });
  await visible(store, [{}, {}, {}]);
  await store.close();
  assert.ok(findCleanClose(directory));
  return directory;
}

/** How often the start opens the store, and how many events it has then. */
async function started(t: TestContext, directory: string, identities = identitiesOf('this')) {
  const { store, openings } = await openResting(t, directory, { identities });
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

test('Event store start: closed cleanly and unchanged, it stays closed', async (t) => {
  const directory = await closedCleanly(t);
  assert.deepEqual(await started(t, directory), [0, 3]);
  assert.deepEqual(await started(t, directory), [0, 3]);
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
  ['a note that cannot be read', (directory) => inSpool(directory, "UPDATE clean_close SET state = '{'")],
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
  const { store, openings } = await openResting(t, directory);
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
    await assert.rejects(openResting(t, directory, { identities: identitiesOf('this') }), (error: Error) => {
      assert.equal(error.name, 'UnusableFile');
      assert.match(error.message, said);
      return true;
    });
  });
}

test('Event store start: a missing file is made at once where the manifest lists none', async (t) => {
  const directory = await closedCleanly(t);
  rmSync(join(directory, EVENTS_FILE));
  assert.deepEqual(await started(t, directory, identitiesOf('this', false)), [1, 0]);
});

test('Event store start: files of another installation are refused', async (t) => {
  const [directory, other] = [await closedCleanly(t), await closedCleanly(t, 'other')];
  const options = { identities: identitiesOf('this') };
  copyFileSync(join(other, EVENTS_FILE), join(directory, EVENTS_FILE));
  await assert.rejects(openResting(t, directory, options), /events\.duckdb is of another installation/);
  // Moved, they are the very files that were closed.
  for (const name of [EVENTS_FILE, SPOOL_FILE]) renameSync(join(other, name), join(directory, name));
  await assert.rejects(openResting(t, directory, options), /is of another installation/);
  rmSync(join(directory, EVENTS_FILE));
  await assert.rejects(openResting(t, directory, options), /is of another installation/);
});
