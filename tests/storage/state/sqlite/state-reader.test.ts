import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { openStateDatabase } from '../../../../src/storage/state/sqlite/database.ts';
import { openStateReader } from '../../../../src/storage/state/sqlite/reader.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { openReviews } from '../../../support/reviews.ts';
import type { Opening } from './opening-thread.ts';

async function opened(t: TestContext) {
  const stores = await openReviews(temporaryDirectory(t));
  t.after(stores.close);
  return stores;
}

const tenants = sql<{ count: number }>`SELECT count(*) AS count FROM tenants`;

test('StateReader: a query sees everything committed before it was issued', async (t) => {
  const { database, reader } = await opened(t);
  const row = (id: string) => ({
    id,
    name: id,
    timezone: 'UTC',
    created_at: 0,
    retention_days: null,
    second_factor: 'optional' as const,
  });
  for (let count = 3; count < 60; count++) {
    await database
      .insertInto('tenants')
      .values(row(`tenant ${count}`))
      .execute();
    assert.deepEqual((await tenants.execute(reader)).rows, [{ count }]);
  }
});

test('StateReader: writes are refused', async (t) => {
  const { reader } = await opened(t);
  await assert.rejects(sql`DELETE FROM tenants RETURNING id`.execute(reader), /readonly database/);
  await assert.rejects(
    reader.transaction().execute(async () => undefined),
    /answers single questions/,
  );
  assert.deepEqual((await tenants.execute(reader)).rows, [{ count: 2 }]);
});

test('StateReader: a faulty query rejects, and others are answered', async (t) => {
  const { reader } = await opened(t);
  const asked = Array.from({ length: 20 }, (_, index) =>
    index % 2 ? tenants.execute(reader) : sql`SELECT nothing FROM nowhere`.execute(reader),
  );
  for (const [index, result] of (await Promise.allSettled(asked)).entries()) {
    assert.equal(result.status, index % 2 ? 'fulfilled' : 'rejected');
  }
});

test('StateReader: a database that cannot be opened fails the query; the next retries', async (t) => {
  const path = join(temporaryDirectory(t), 'state.sqlite');
  const reader = openStateReader(path);
  t.after(() => reader.destroy());
  for (let attempt = 0; attempt < 3; attempt++) {
    await assert.rejects(tenants.execute(reader), /unable to open database file/);
  }
  const database = await openStateDatabase(path);
  t.after(() => database.destroy());
  assert.deepEqual((await tenants.execute(reader)).rows, [{ count: 0 }]);
});

test('StateReader: closing ends pending queries and refuses later ones', async (t) => {
  const { reader } = await openReviews(temporaryDirectory(t));
  await tenants.execute(reader);
  const slow = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30000000) SELECT max(i) FROM n`;
  const asked = Array.from({ length: 6 }, () => slow.execute(reader));
  const ended = Promise.allSettled(asked);
  await reader.destroy();
  for (const { status } of await ended) assert.equal(status, 'rejected');
  await assert.rejects(tenants.execute(reader), /destroyed/);
});

test('StateReader: without queries no thread starts', async (t) => {
  const reader = openStateReader(join(temporaryDirectory(t), 'state.sqlite'));
  await reader.destroy();
});

test('SQLite: threads that open the same new files at once all succeed', async (t) => {
  const threads = 3;
  const arrivals = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: Opening = { directory: temporaryDirectory(t), files: 12, threads, arrivals };
  const failures = await Promise.all(
    Array.from({ length: threads }, async () => {
      const thread = new Worker(new URL('./opening-thread.ts', import.meta.url), { workerData });
      // A busy loop may hear of the message and the end of the thread in one turn.
      const ended = once(thread, 'exit');
      const [reported] = await once(thread, 'message');
      await ended;
      return reported as string[];
    }),
  );
  assert.deepEqual(failures.flat(), []);
});
