import assert from 'node:assert/strict';
import fs, { copyFileSync, statSync, truncateSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { switchToWal } from '../../../../src/storage/state/sqlite/lock.ts';
import { SqliteWriter } from '../../../../src/storage/state/sqlite/writer.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { syncsOf } from '../../../support/held-syncs.ts';
import { eventually } from '../../../support/process.ts';

function opened(t: TestContext) {
  const syncs = syncsOf(t);
  const path = join(temporaryDirectory(t), 'a.sqlite');
  const database = new BetterSqlite3(path);
  switchToWal(database);
  database.exec('CREATE TABLE numbers (number INTEGER PRIMARY KEY, content BLOB)');
  const writer = new SqliteWriter(database, 'Numbers');
  t.after(async () => {
    await writer.close();
    database.close();
  });
  const insert = database.prepare<[Buffer | null]>('INSERT INTO numbers (content) VALUES (?)');
  const count = () => database.prepare<[], number>('SELECT count(*) FROM numbers').pluck().get();
  return { path, database, writer, syncs, count, insert: (content: Buffer | null = null) => insert.run(content) };
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 5; turn += 1) await nextTick();
  return (await Promise.race([promise, 'pending'])) === 'pending';
}

/** The rows that are left where the disk has the first bytes of the log. */
function afterPowerLoss(t: TestContext, path: string, logBytes: number): number | undefined {
  const copy = join(temporaryDirectory(t), 'copy.sqlite');
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  truncateSync(`${copy}-wal`, logBytes);
  const database = new BetterSqlite3(copy);
  try {
    return database.prepare<[], number>('SELECT count(*) FROM numbers').pluck().get();
  } finally {
    database.close();
  }
}

test('SqliteWriter: a change resolves after a sync that began after its commit', async (t) => {
  const { writer, insert, syncs } = opened(t);
  syncs.hold();
  const first = writer.change(() => insert());
  assert.ok(await isPending(first));
  const later = [writer.change(() => insert()), writer.change(() => insert())];
  assert.ok(await isPending(Promise.race(later)));
  assert.equal(syncs.held.length, 1);
  syncs.end();
  await first;
  assert.ok(await isPending(Promise.race(later)));
  assert.equal(syncs.held.length, 1, 'the later ones share a sync');
  syncs.end();
  await Promise.all(later);
});

test('SqliteWriter: what changes nothing waits only for earlier changes', async (t) => {
  const { writer, insert, syncs } = opened(t);
  syncs.hold();
  await writer.change(() => undefined);
  assert.equal(syncs.held.length, 0);
  const first = writer.change(() => insert());
  await isPending(first);
  const repeated = writer.change(() => undefined);
  assert.ok(await isPending(repeated));
  syncs.end();
  await Promise.all([first, repeated]);
  await writer.change(() => undefined);
});

test('SqliteWriter: a quick disk is synced at once, and a slow sync ends that', async (t) => {
  const { writer, insert, syncs } = opened(t);
  syncs.release();
  const { fdatasync, fdatasyncSync } = fs;
  const calls: string[] = [];
  const replace = (members: Partial<typeof fs>) => {
    Object.assign(fs, members);
    syncBuiltinESMExports();
  };
  t.after(() => replace({ fdatasync, fdatasyncSync }));
  let waitMs = 0;
  replace({
    fdatasync: ((_: number, done: fs.NoParamCallback) => {
      calls.push('handed over');
      done(null);
    }) as typeof fdatasync,
    fdatasyncSync: () => {
      calls.push('at once');
      for (const until = performance.now() + waitMs; performance.now() < until; );
    },
  });
  const isSyncedAtOnce = async () => {
    await writer.change(() => insert());
    return calls.at(-1) === 'at once';
  };
  await eventually('quick syncs are noticed', isSyncedAtOnce, 5_000);
  assert.equal(calls[0], 'handed over');
  waitMs = 1;
  while (calls.at(-1) === 'at once') await isSyncedAtOnce();
  assert.ok(!(await isSyncedAtOnce()));
});

test('SqliteWriter: reads wait for a change that is under way, and for no sync', async (t) => {
  const { writer, insert, count, syncs } = opened(t);
  syncs.hold();
  const under = Promise.withResolvers<void>();
  const change = writer.change(async () => {
    insert();
    await under.promise;
  });
  await isPending(change);
  const read = writer.read(count);
  assert.ok(await isPending(read));
  under.resolve();
  assert.equal(await read, 1);
  assert.ok(await isPending(change));
  assert.equal(await writer.read(count), 1);
  syncs.end();
  await change;
});

test('SqliteWriter: a power failure undoes only what has not resolved', async (t) => {
  const { path, writer, insert, syncs } = opened(t);
  await writer.change(() => insert());
  const synced = statSync(`${path}-wal`).size;
  syncs.hold();
  const pending = writer.change(() => insert());
  assert.ok(await isPending(pending));
  assert.equal(afterPowerLoss(t, path, synced), 1);
  syncs.end();
  await pending;
  assert.equal(afterPowerLoss(t, path, statSync(`${path}-wal`).size), 2);
});

test('SqliteWriter: after a failed sync the log is written again before changes', async (t) => {
  const { path, database, writer, insert, count, syncs } = opened(t);
  syncs.hold();
  const doubtful = [writer.change(() => insert()), writer.change(() => undefined)];
  const ended = Promise.allSettled(doubtful);
  await isPending(ended);
  syncs.fail();
  const message = /unknown whether this change was kept: the disk fails\. Look before you try again/;
  for (const { status, reason } of (await ended) as PromiseRejectedResult[]) {
    assert.deepEqual([status, reason.code], ['rejected', 'unavailable']);
    assert.match(reason.message, message);
  }
  // Another process that changes the file keeps the log from being written again.
  const other = new BetterSqlite3(path);
  other.exec('BEGIN IMMEDIATE');
  await assert.rejects(
    writer.change(() => insert()),
    { code: 'unavailable', message: /^Numbers cannot be changed/ },
  );
  assert.equal(count(), 1);
  other.exec('ROLLBACK');
  other.close();
  syncs.release();
  await writer.change(() => insert());
  assert.equal(count(), 2);
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
});

test('SqliteWriter: changes arrive in a transaction while the log is emptied', async (t) => {
  const { database, writer, insert, count } = opened(t);
  const content = Buffer.alloc(1024 * 1024, 1);
  for (let megabyte = 0; megabyte < 64; megabyte += 1) {
    await writer.change(() => insert(content));
    const arriving: Promise<unknown>[] = [];
    await writer.change(async () => {
      database.exec('BEGIN');
      insert();
      arriving.push(writer.change(() => insert()));
      await nextTick();
      database.exec('COMMIT');
    });
    await Promise.all(arriving);
  }
  assert.equal(count(), 3 * 64);
});

test('SqliteWriter: the log is emptied while changes and reads go on', async (t) => {
  const { path, database, writer, insert, count } = opened(t);
  const reader = new BetterSqlite3(path, { readonly: true });
  t.after(() => reader.close());
  const [read] = [reader.prepare('SELECT count(*) FROM numbers')];
  const content = Buffer.alloc(1024 * 1024, 1);
  for (let megabyte = 0; megabyte < 64; megabyte += 1) {
    await writer.change(() => insert(content));
    read.get();
  }
  await eventually(
    'the log begins again',
    async () => {
      await writer.change(() => insert());
      const [log] = database.pragma('wal_checkpoint(NOOP)') as { log: number }[];
      return log!.log * 4_096 < 16 * 1024 * 1024;
    },
    5_000,
  );
  assert.ok(count()! >= 65);
  await writer.truncate();
  assert.ok(statSync(`${path}-wal`).size < 10_000);
});
