import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { planRaw, planTable } from '../../../../src/core/events/questions/plan.ts';
import { AnalyticsDatabase } from '../../../../src/storage/duckdb/database.ts';
import { NO_OBSERVER } from '../../../../src/storage/duckdb/observer.ts';
import { DuckdbEventStore } from '../../../../src/storage/duckdb/store.ts';
import { mergeRuns, readState } from '../../../../src/storage/duckdb/upkeep/compaction.ts';
import { EVENTS_FILE } from '../../../../src/storage/files/names.ts';
import { tableQuestion } from '../../../reference/questions.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { storeOptions } from '../../../support/event-store.ts';

const CONTEXT = { agentId: null, timezone: 'UTC', now: 1 };

const TYPED = [
  ...Array.from({ length: 8 }, (_, index) => `text_${index} VARCHAR`),
  ...Array.from({ length: 6 }, (_, index) => `integer_${index} BIGINT`),
  ...Array.from({ length: 4 }, (_, index) => `double_${index} DOUBLE`),
  ...['boolean_0', 'boolean_1', 'container_0', 'container_1'].map((column) => `${column} BOOLEAN`),
].join(', ');
const COLUMNS = `tenant INTEGER NOT NULL, run INTEGER NOT NULL, epoch INTEGER NOT NULL,
  agent_id VARCHAR NOT NULL, event_name VARCHAR NOT NULL, timestamp BIGINT NOT NULL,
  id VARCHAR NOT NULL, thread_id VARCHAR, execution_id VARCHAR, properties VARCHAR NOT NULL USING COMPRESSION zstd, ${TYPED}`;

/** Every third id is not a UUID in canonical form. */
const ID_OF_RANGE = `CASE range % 6 WHEN 0 THEN 'id ' || range WHEN 3 THEN upper(md5(range::VARCHAR)::UUID::VARCHAR)
  ELSE md5(range::VARCHAR)::UUID::VARCHAR END`;
const insert = (table: string, run: number, first: number) => `
  INSERT INTO ${table} (tenant, run, epoch, agent_id, event_name, timestamp, id, properties, integer_0)
    SELECT 1, ${run}, 1, 'support', 'a', range, ${ID_OF_RANGE}, '{"n":' || range || '}', range
    FROM range(${first}, ${first + 1_000});`;

/** A directory of schema version 2, from its own source, with new events and two runs. */
const VERSION_2 = `
  CREATE TABLE hot (${COLUMNS});
  CREATE TABLE cold (${COLUMNS});
  CREATE MACRO events_of(of_tenant, through_run) AS TABLE
    SELECT *, rowid AS place FROM hot WHERE tenant = of_tenant
    UNION ALL SELECT *, rowid AS place FROM cold WHERE tenant = of_tenant AND run <= through_run;
  CREATE TABLE last_run (run INTEGER NOT NULL);
  INSERT INTO last_run VALUES (2);
  CREATE TABLE runs (run INTEGER NOT NULL, events BIGINT NOT NULL, epoch INTEGER NOT NULL);
  INSERT INTO runs VALUES (1, 1000, 1), (2, 1000, 1);
  CREATE TABLE layout (epoch INTEGER NOT NULL, text_columns INTEGER NOT NULL, integer_columns INTEGER NOT NULL,
    double_columns INTEGER NOT NULL, boolean_columns INTEGER NOT NULL, container_columns INTEGER NOT NULL);
  INSERT INTO layout VALUES (1, 8, 6, 4, 2, 2);
  CREATE TABLE tenants (
    number INTEGER PRIMARY KEY, tenant_id VARCHAR NOT NULL, learned_all BOOLEAN NOT NULL, missed_dotted BOOLEAN NOT NULL,
    listed_all BOOLEAN NOT NULL);
  INSERT INTO tenants VALUES (1, 't', true, false, true);
  CREATE TABLE learned (
    tenant INTEGER NOT NULL, path VARCHAR NOT NULL, kind VARCHAR NOT NULL, slot INTEGER NOT NULL, since INTEGER NOT NULL);
  INSERT INTO learned VALUES (1, '["n"]', 'integer', 0, 0);
  CREATE TABLE IF NOT EXISTS flushed (spool_id VARCHAR PRIMARY KEY, position BIGINT NOT NULL);
  CREATE TABLE known_events (
    tenant INTEGER, agent_id VARCHAR, event_name VARCHAR, events BIGINT NOT NULL,
    first_seen BIGINT NOT NULL, last_seen BIGINT NOT NULL, PRIMARY KEY (tenant, agent_id, event_name));
  INSERT INTO known_events VALUES (1, 'support', 'a', 3000, 0, 2999);
  CREATE SEQUENCE property_order;
  CREATE TABLE known_properties (
    tenant INTEGER NOT NULL, agent_id VARCHAR NOT NULL, event_name VARCHAR NOT NULL, path VARCHAR NOT NULL,
    type VARCHAR NOT NULL, seen_order BIGINT NOT NULL DEFAULT nextval('property_order'));
  INSERT INTO known_properties (tenant, agent_id, event_name, path, type) VALUES (1, 'support', 'a', '["n"]', 'number');
  CREATE TABLE ids_to_forget (tenant_id VARCHAR NOT NULL, id VARCHAR);
  CREATE TABLE schema_version (version INTEGER NOT NULL);
  INSERT INTO schema_version VALUES (2);
  ${insert('hot', 0, 0)} ${insert('cold', 1, 1_000)} ${insert('cold', 2, 2_000)}`;

test('Migration: schema version 2 keeps every id, as UUIDs once rewritten', async (t) => {
  const { directory, ids } = await versionTwo(t);
  const before = await idsByStore(directory);
  assert.deepEqual(before.ascending, ids.toSorted());
  assert.deepEqual(before.descending, ids.toSorted().reverse());
  assert.equal(before.sum, (2_999 * 3_000) / 2);

  const path = join(directory, EVENTS_FILE);
  const database = await AnalyticsDatabase.open(path, { readers: 1, memoryLimit: '256MB' });
  const uuids = async () => {
    const counts = await database.writer.runAndReadAll(
      'SELECT run, count(uuid), count(id), count(*) FROM cold GROUP BY run ORDER BY run',
    );
    return counts.getRowsJS().map((row) => row.map(Number));
  };
  assert.deepEqual(await uuids(), [
    [1, 0, 1_000, 1_000],
    [2, 0, 1_000, 1_000],
  ]);
  const { runs } = await readState(database.maintainer);
  await mergeRuns(database.maintain, runs, NO_OBSERVER);
  const texts = ids.slice(1_000).filter((id) => id.startsWith('id ') || id.toLowerCase() !== id).length;
  assert.deepEqual(await uuids(), [[3, 2_000 - texts, texts, 2_000]]);
  await database.close();
  assert.deepEqual(await idsByStore(directory), before);
});

test('Migration: schema version 3 is opened, and its macro dropped', async (t) => {
  const { directory, ids } = await versionTwo(t);
  const path = join(directory, EVENTS_FILE);
  const taken = await AnalyticsDatabase.open(path, { readers: 1, memoryLimit: '256MB' });
  await taken.writer.run(`
    CREATE MACRO events_of(of_tenant, through_run) AS TABLE SELECT * FROM hot WHERE tenant = of_tenant;
    UPDATE schema_version SET version = 3`);
  await taken.close();

  const database = await AnalyticsDatabase.open(path, { readers: 1, memoryLimit: '256MB' });
  const reader = await database.writer.runAndReadAll(
    "SELECT version, (SELECT count(*) FROM duckdb_functions() WHERE function_name = 'events_of') FROM schema_version",
  );
  assert.deepEqual(reader.getRows()[0]?.map(Number), [4, 0]);
  await database.close();
  assert.equal((await idsByStore(directory)).ascending.length, ids.length);
});

async function versionTwo(t: TestContext): Promise<{ directory: string; ids: string[] }> {
  const directory = temporaryDirectory(t);
  const instance = await DuckDBInstance.create(join(directory, EVENTS_FILE));
  const connection = await instance.connect();
  await connection.run(VERSION_2);
  const reader = await connection.runAndReadAll('SELECT id FROM events_of(1, 2) ORDER BY timestamp');
  connection.closeSync();
  instance.closeSync();
  return { directory, ids: reader.getRows().map(([id]) => String(id)) };
}

async function idsByStore(directory: string) {
  const options = storeOptions(directory, { dedupWindowMs: 1, memoryLimit: '256MB' });
  const store = await DuckdbEventStore.open(options);
  const pages = async (sortOrder: 'asc' | 'desc') => {
    const ids: unknown[] = [];
    for (let offset = 0; offset < 3_000; offset += 1_000) {
      const raw = { eventName: 'a', columns: ['id'], sortBy: 'id', sortOrder, limit: 1_000, offset };
      ids.push(...(await store.query('t', planRaw(tableQuestion(raw), ['id'], CONTEXT))).rows.map(([id]) => id));
    }
    return ids;
  };
  const metrics = [{ aggregation: 'sum', propertyKey: 'n', alias: 'sum' }];
  const { rows } = await store.query(
    't',
    planTable(tableQuestion({ eventName: 'a', mode: 'aggregate', metrics }), CONTEXT),
  );
  const byId = async (id: unknown) => {
    const filters = [{ propertyKey: 'id', operator: 'eq', value: id }];
    return (await store.query('t', planTable(tableQuestion({ eventName: 'a', mode: 'aggregate', filters }), CONTEXT)))
      .matched;
  };
  for (const id of (await pages('asc')).filter((_, index) => index % 500 === 0)) assert.equal(await byId(id), 1);
  const found = { ascending: await pages('asc'), descending: await pages('desc'), sum: rows[0]![0] };
  await store.close();
  return found;
}
