import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnalyticsDatabase } from '../../../../../src/storage/events/duckdb/database.ts';
import { openDatabase } from '../compiled-store.ts';

function rowsIn(database: AnalyticsDatabase): Promise<number> {
  const use = async (connection: Parameters<Parameters<AnalyticsDatabase['read']>[0]>[0]) => {
    const reader = await connection.runAndReadAll('SELECT count(*) FROM ids_to_forget');
    return Number(reader.getRows()[0]![0]);
  };
  return database.read(use, { timeoutMs: 10_000 });
}

const addRow = (database: AnalyticsDatabase) =>
  database.write((connection) => connection.run("INSERT INTO ids_to_forget VALUES ('t', 'one')"));

test('Readers: a read during a long commit sees what was before it, and does not wait', async (t) => {
  const database = await openDatabase(t, 100e6);
  await addRow(database);
  assert.equal(await rowsIn(database), 1);
  const committing = Promise.withResolvers<void>();
  const synced = Promise.withResolvers<void>();
  const run = database.writer.run.bind(database.writer);
  t.mock.method(database.writer, 'run', async (...statement: Parameters<typeof run>) => {
    if (statement[0] !== 'COMMIT') return run(...statement);
    committing.resolve();
    await synced.promise;
    return run(...statement);
  });
  const written = addRow(database);
  await committing.promise;
  assert.equal(await rowsIn(database), 1);
  synced.resolve();
  await written;
  assert.equal(await rowsIn(database), 2, 'what is committed is seen');
});

test('Readers: a snapshot is kept between reads until the next commit', async (t) => {
  const database = await openDatabase(t, 100e6);
  const transactionOf = () =>
    database.read(async (connection) => (await connection.runAndReadAll('SELECT txid_current()')).getRows()[0]![0], {
      timeoutMs: 10_000,
    });
  const first = await transactionOf();
  assert.equal(await transactionOf(), first);
  await addRow(database);
  const second = await transactionOf();
  assert.notEqual(second, first);
  await assert.rejects(
    database.read(() => Promise.reject(new Error('no')), { timeoutMs: 10_000 }),
    /no/,
  );
  assert.notEqual(await transactionOf(), second, 'not after an error');
});
