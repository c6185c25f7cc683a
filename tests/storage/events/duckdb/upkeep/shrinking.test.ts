import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { planTable } from '../../../../../src/core/analytics/events/questions/plan.ts';
import type { StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import { Mutex } from '../../../../../src/core/base/concurrency/mutex.ts';
import { AnalyticsDatabase } from '../../../../../src/storage/events/duckdb/database.ts';
import type { Stage } from '../../../../../src/storage/events/duckdb/observer.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { eventsOf } from '../../../../../src/storage/events/duckdb/tables.ts';
import { readState } from '../../../../../src/storage/events/duckdb/upkeep/compaction.ts';
import { FreeSpace } from '../../../../../src/storage/events/duckdb/upkeep/free-space.ts';
import { rewriteTablesBehind } from '../../../../../src/storage/events/duckdb/upkeep/small-tables.ts';
import { EVENTS_FILE } from '../../../../../src/storage/installation/names.ts';
import { tableQuestion } from '../../../../reference/questions.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';
import { rareTest } from '../../../../support/rare.ts';
import { type Filling, fillBehindHole, fillRun, LARGE, SMALL } from '../filled.ts';

const PATIENCE_MS = 60_000;

rareTest('FreeSpace: the file shrinks and keeps its events', async (t) => {
  const filling = fillingOf(t, 'kept');
  const events = 1 + (await fillBehindHole(filling));
  const database = await AnalyticsDatabase.open(join(filling.directory, EVENTS_FILE), {
    readers: 1,
    memoryLimit: '256MB',
  });
  const kept = eventsOf(1, 1_000, ['id', 'timestamp', 'properties']);
  const contents = async () => {
    const reader = await database.writer.runAndReadAll(
      `SELECT count(*), count(DISTINCT id), bit_xor(hash(id, timestamp, properties)) FROM ${kept}`,
    );
    return reader.getRowsJson()[0]!.map(String);
  };
  const before = { bytes: database.fileBytes, contents: await contents(), state: await readState(database.writer) };
  assert.equal(before.contents[0], String(events));

  const freeSpace = new FreeSpace(database, new Mutex());
  const stages: Stage[] = [];
  const step = async () => {
    await database.maintainer.run('CHECKPOINT');
    return freeSpace.shrink(await readState(database.maintainer), { onStage: (stage) => stages.push(stage) });
  };
  assert.equal(await step(), events);
  assert.deepEqual(stages, ['shrink:committing', 'shrink:committed']);
  assert.equal(await step(), 0);
  assert.equal(freeSpace.isUnsettled, false, 'nothing is left to be had');
  assert.ok(database.fileBytes < before.bytes / 2, `${before.bytes} bytes before, ${database.fileBytes} after`);
  assert.deepEqual(await contents(), before.contents);
  const { runs } = await readState(database.writer);
  assert.deepEqual([runs.length, runs[0]?.events], [1, events]);
  freeSpace.changed();
  assert.ok(freeSpace.isUnsettled);
  assert.equal(await step(), 0, 'what is free now is not worth a step');
  await database.close();
});

rareTest('FreeSpace: small tables at the end of the file are moved with their content', async (t) => {
  const filling = fillingOf(t, 'kept');
  await fillRun(filling, LARGE);
  const path = join(filling.directory, EVENTS_FILE);
  const database = await AnalyticsDatabase.open(path, { readers: 1, memoryLimit: '256MB' });
  const { writer } = database;
  // So many that they need blocks, which are written behind the run.
  await writer.run(`
    INSERT INTO runs SELECT 10 + (hash(range) % 1_000_000)::INTEGER, hash(range) % 1_000_000, 1 FROM range(5_000);
    INSERT INTO learned SELECT 2, range::VARCHAR, 'text', (hash(range) % 48)::INTEGER, 0 FROM range(5_000);
    INSERT INTO known_properties (tenant, agent_id, event_name, path, type)
      SELECT 2, 'a', 'b', md5(range::VARCHAR), 'text' FROM range(5_000);
    INSERT INTO known_events SELECT 2, 'a', md5(range::VARCHAR), 1, hash(range) % 1_000_000, 1 FROM range(5_000);
    CHECKPOINT;
    DELETE FROM cold;
    CHECKPOINT`);
  const contents = async () => {
    const tables = ['runs', 'learned', 'known_properties', 'known_events', 'tenants', 'flushed'];
    const texts = tables.map(
      (table) => `(SELECT md5(string_agg(one::VARCHAR, ',' ORDER BY one::VARCHAR)) FROM ${table} AS one)`,
    );
    return (await writer.runAndReadAll(`SELECT ${texts.join(', ')}`)).getRows()[0]?.map(String);
  };
  const before = { bytes: database.fileBytes, contents: await contents() };
  await rewriteTablesBehind(database, 0);
  await writer.run('CHECKPOINT');
  assert.ok(database.fileBytes < before.bytes / 2, `${before.bytes} bytes before, ${database.fileBytes} after`);
  assert.deepEqual(await contents(), before.contents);
  await database.close();
});

rareTest('DuckdbEventStore: an idle store shrinks after a large tenant is erased', async (t) => {
  const large = fillingOf(t, 'large');
  await fillRun(large, LARGE);
  await fillRun({ ...large, first: { ...large.first, tenantId: 'small' } }, SMALL);
  const store = await large.open();
  t.after(() => store.close());
  const bytes = async () => (await store.stats()).files!.disk.events;
  const before = await bytes();
  assert.equal(await store.erase('large', {}), LARGE + 1);
  const deadline = Date.now() + PATIENCE_MS;
  while ((await bytes()) > before / 2 && Date.now() < deadline) await sleep(200);
  assert.ok((await bytes()) <= before / 2, `${before} bytes before, ${await bytes()} after`);
  const input = tableQuestion({ eventName: 'a', mode: 'aggregate' });
  const plan = planTable(input, { agentId: null, timezone: 'UTC', now: Date.now() });
  assert.equal((await store.query('small', plan)).matched, SMALL + 1);
  assert.equal((await store.query('large', plan)).matched, 0);
});

function fillingOf(t: TestContext, tenantId: string): Filling {
  const directory = temporaryDirectory(t);
  const options = storeOptions(directory, { dedupWindowMs: 1, memoryLimit: '256MB' });
  const event: StoredEvent = {
    ...{ id: 'first', idFromCaller: false, agentId: 'support', eventName: 'a', timestamp: 1 },
    ...{ threadId: null, executionId: null, properties: '{}' },
  };
  return { directory, open: () => DuckdbEventStore.open(options), first: { tenantId, event } };
}
