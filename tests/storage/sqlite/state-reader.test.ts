import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openStateDatabase } from '../../../src/storage/sqlite/database.ts';
import { openStateReader } from '../../../src/storage/sqlite/reader.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { openReviews } from '../../support/reviews.ts';

async function opened(t: TestContext) {
  const stores = await openReviews(temporaryDirectory(t));
  t.after(stores.close);
  return stores;
}

const tenants = sql<{ count: number }>`SELECT count(*) AS count FROM tenants`;

test('a reader sees what was committed before it was asked, again and again', async (t) => {
  const { database, reader } = await opened(t);
  const row = (id: string) => ({ id, name: id, timezone: 'UTC', created_at: 0, retention_days: null });
  for (let count = 3; count < 60; count++) {
    await database
      .insertInto('tenants')
      .values(row(`tenant ${count}`))
      .execute();
    assert.deepEqual((await tenants.execute(reader)).rows, [{ count }]);
  }
});

test('a reader writes nothing', async (t) => {
  const { reader } = await opened(t);
  await assert.rejects(sql`DELETE FROM tenants RETURNING id`.execute(reader), /readonly database/);
  await assert.rejects(
    reader.transaction().execute(async () => undefined),
    /answers single questions/,
  );
  assert.deepEqual((await tenants.execute(reader)).rows, [{ count: 2 }]);
});

test('what is wrong with one question is told to whoever asked it, and others are answered', async (t) => {
  const { reader } = await opened(t);
  const asked = Array.from({ length: 20 }, (_, index) =>
    index % 2 ? tenants.execute(reader) : sql`SELECT nothing FROM nowhere`.execute(reader),
  );
  for (const [index, result] of (await Promise.allSettled(asked)).entries()) {
    assert.equal(result.status, index % 2 ? 'fulfilled' : 'rejected');
  }
});

test('a database that cannot be opened fails the question, not the process, and may be there for the next one', async (t) => {
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

test('a reader that is closed while it is asked ends every question, and answers none after', async (t) => {
  const { reader } = await openReviews(temporaryDirectory(t));
  await tenants.execute(reader);
  const slow = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30000000) SELECT max(i) FROM n`;
  const asked = Array.from({ length: 6 }, () => slow.execute(reader));
  const ended = Promise.allSettled(asked);
  await reader.destroy();
  for (const { status } of await ended) assert.equal(status, 'rejected');
  await assert.rejects(tenants.execute(reader), /destroyed/);
});

test('a reader that nobody asks starts no thread, and closes', async (t) => {
  const reader = openStateReader(join(temporaryDirectory(t), 'state.sqlite'));
  await reader.destroy();
});
