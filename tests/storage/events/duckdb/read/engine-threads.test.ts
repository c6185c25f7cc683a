import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import type { AnalyticsDatabase } from '../../../../../src/storage/events/duckdb/database.ts';
import { eventually } from '../../../../support/process.ts';
import { openDatabase } from '../compiled-store.ts';

test('EngineThreads: one thread while several tenants are active, otherwise all', async (t) => {
  const database = await openDatabase(t, '100MB');
  const reaches = (wanted: number) =>
    eventually(`${wanted} threads`, async () => (await threadsOf(database)) === wanted, 10_000);
  const all = await threadsOf(database);
  assert.ok(all >= 1 && all <= availableParallelism());
  database.shareProcessors(true);
  await reaches(1);
  database.shareProcessors(false);
  await reaches(all);
  database.shareProcessors(true);
  database.shareProcessors(false);
  await reaches(all);
});

function threadsOf(database: AnalyticsDatabase): Promise<number> {
  const use = async (connection: Parameters<Parameters<AnalyticsDatabase['read']>[0]>[0]) => {
    const reader = await connection.runAndReadAll("SELECT current_setting('threads')");
    return Number(reader.getRows()[0]?.[0]);
  };
  return database.read(use, { timeoutMs: 10_000 });
}
