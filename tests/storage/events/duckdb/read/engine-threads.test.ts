import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import type { AnalyticsDatabase } from '../../../../../src/storage/events/duckdb/database.ts';
import { eventually } from '../../../../support/process.ts';
import { openDatabase } from '../compiled-store.ts';

test('EngineThreads: one thread while several tenants are active, otherwise all', async (t) => {
  const database = await openDatabase(t, 100e6);
  // As queries do: after contention the threads stay for a moment.
  const reaches = (wanted: number) =>
    eventually(
      `${wanted} threads`,
      async () => {
        database.shareProcessors(wanted === 1);
        return (await threadsOf(database)) === wanted;
      },
      10_000,
    );
  const all = await threadsOf(database);
  assert.ok(all >= 1 && all <= availableParallelism());
  await reaches(1);
  await reaches(all);
  await reaches(1);
});

function threadsOf(database: AnalyticsDatabase): Promise<number> {
  const use = async (connection: Parameters<Parameters<AnalyticsDatabase['read']>[0]>[0]) => {
    const reader = await connection.runAndReadAll("SELECT current_setting('threads')");
    return Number(reader.getRows()[0]?.[0]);
  };
  return database.read(use, { timeoutMs: 10_000 });
}
