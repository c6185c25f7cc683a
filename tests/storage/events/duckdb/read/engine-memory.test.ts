import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { AnalyticsDatabase } from '../../../../../src/storage/events/duckdb/database.ts';
import { EngineMemory } from '../../../../../src/storage/events/duckdb/read/engine-memory.ts';
import { rareTest } from '../../../../support/rare.ts';
import { openDatabase } from '../compiled-store.ts';

/** Stores every value of its groups: some bytes for each row, which cannot spill to disk. */
const holding = (rows: number) =>
  `SELECT sum(len(all_values)) FROM (SELECT range % 1000 AS key, list(range) AS all_values FROM range(${rows}) GROUP BY key)`;
const FITS_ALONE = 2_000_000;
const FITS_NEVER = 40_000_000;
const BUDGET = 80e6;
const timeoutMs = 60_000;

test('EngineMemory: a query that needs more than the budget is unprocessable', async (t) => {
  const database = await openDatabase(t, BUDGET);
  await assert.rejects(read(database, FITS_NEVER), { code: 'unprocessable', message: /more memory.*Narrow dateFrom/ });
  await read(database, 1_000);
});

test('EngineMemory: queries that do not fit together succeed one after the other', async (t) => {
  const database = await openDatabase(t, BUDGET);
  // As many as one tenant may run at once.
  await Promise.all(Array.from({ length: 3 }, () => read(database, FITS_ALONE)));
});

test('EngineMemory: a write that found too little at rest has all of it the next time', async (t) => {
  const database = await openDatabase(t, 2 * BUDGET);
  const write = () => database.withReserve(() => database.writer.run(holding(2 * FITS_ALONE)));
  await assert.rejects(write, /Out of Memory|could not/);
  await write();
});

rareTest('EngineMemory: a small query succeeds while another one uses up the budget', async (t) => {
  const database = await openDatabase(t, BUDGET);
  let running = true;
  // A small query may preempt its second attempt too.
  const hungry = assert.rejects(read(database, FITS_NEVER), { code: /^(unprocessable|unavailable)$/ }).finally(() => {
    running = false;
  });
  while (running) await read(database, 1_000);
  await hungry;
});

rareTest('EngineMemory: a write succeeds while queries use up the budget', async (t) => {
  const database = await openDatabase(t, BUDGET);
  await database.write((writer) => writer.run('CREATE TABLE written (value BIGINT, text VARCHAR)'));
  let running = true;
  const hungry = Promise.allSettled(Array.from({ length: 3 }, () => read(database, FITS_NEVER))).finally(() => {
    running = false;
  });
  let writes = 0;
  for (; running; writes += 1) {
    await database.write((writer) =>
      writer.run("INSERT INTO written SELECT range, 'text ' || range FROM range(20000)"),
    );
  }
  const codes = (await hungry).map((query) => query.status === 'rejected' && query.reason.code);
  assert.ok(
    codes.every((code) => code === 'unprocessable' || code === 'unavailable'),
    codes.join(),
  );
  const count = await database.read(
    (connection) => connection.runAndReadAll('SELECT count(*) FROM written').then((rows) => rows.getRows()[0]?.[0]),
    { timeoutMs },
  );
  assert.equal(count, BigInt(writes * 20_000));
});

rareTest('EngineMemory: closing waits for the statements of its connection', async () => {
  const finished = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const calls: string[] = [];
  const statement = async (sql: string) => {
    started.resolve();
    await finished.promise;
    calls.push(sql);
    return { getRows: () => [[0]] };
  };
  const control = { run: statement, runAndReadAll: statement, closeSync: () => calls.push('close') };
  const memory = new EngineMemory(control as unknown as DuckDBConnection, 80_000_000);
  const held = Promise.withResolvers<void>();
  const inUse = [memory.read(() => held.promise, timeoutMs), memory.write(() => held.promise)];
  await started.promise;
  held.resolve();
  const closed = memory.close();
  finished.resolve();
  await Promise.all([...inUse, closed]);
  await nextTick();
  assert.equal(calls.at(-1), 'close', calls.join());
  assert.ok(calls.some((call) => call.startsWith('SET memory_limit')));
});

function read(database: AnalyticsDatabase, rows: number, signal?: AbortSignal) {
  return database.read((connection) => connection.runAndReadAll(holding(rows)), { timeoutMs, signal });
}
