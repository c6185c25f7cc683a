import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { planTable } from '../../../../src/core/events/questions/plan.ts';
import { DuckdbEventStore } from '../../../../src/storage/duckdb/store.ts';
import { EVENTS_FILE } from '../../../../src/storage/files/names.ts';
import { tableQuestion } from '../../../reference/questions.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { storeOptions } from '../../../support/event-store.ts';

/** A directory of schema version 1, from its own source. More events than are imported at once. */
const VERSION_1 = `
  CREATE TABLE events (
    tenant_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, event_name VARCHAR NOT NULL, timestamp BIGINT NOT NULL,
    id VARCHAR NOT NULL, thread_id VARCHAR, execution_id VARCHAR, properties VARCHAR NOT NULL);
  CREATE TABLE flushed (spool_id VARCHAR PRIMARY KEY, position BIGINT NOT NULL);
  CREATE TABLE known_events (tenant_id VARCHAR);
  CREATE SEQUENCE property_order;
  CREATE TABLE known_properties (tenant_id VARCHAR, seen_order BIGINT DEFAULT nextval('property_order'));
  CREATE TABLE schema_version (version INTEGER NOT NULL);
  INSERT INTO schema_version VALUES (1);
  INSERT INTO events SELECT CASE WHEN range % 5 = 0 THEN 'other' ELSE 't' END, 'support', 'a', range, 'id ' || range, NULL,
    NULL, '{"n":' || range || ',"in":{"k":"' || range % 3 || '"}}' FROM range(25000);`;

test('Migration: schema version 1 is imported completely, once, after a snapshot', async (t) => {
  const directory = temporaryDirectory(t);
  const instance = await DuckDBInstance.create(join(directory, EVENTS_FILE));
  const connection = await instance.connect();
  await connection.run(VERSION_1);
  connection.closeSync();
  instance.closeSync();

  const metrics = [
    { aggregation: 'sum', propertyKey: 'n', alias: 'sum' },
    { aggregation: 'distinct_count', propertyKey: 'id', alias: 'ids' },
  ];
  const input = tableQuestion({ eventName: 'a', mode: 'aggregate', groupBy: 'in.k', metrics });
  const plan = planTable(input, { agentId: null, timezone: 'UTC', now: Date.now() });
  for (const opening of ['first', 'second']) {
    const options = storeOptions(directory, { dedupWindowMs: 1, memoryLimit: '256MB' });
    const store = await DuckdbEventStore.open(options);
    const { rows, matched } = await store.query('t', plan);
    assert.equal(matched, 20_000, opening);
    const mine = Array.from({ length: 25_000 }, (_, n) => n).filter((n) => n % 5 !== 0);
    const expected = ['0', '1', '2'].map((key) => {
      const numbers = mine.filter((n) => String(n % 3) === key);
      return [key, numbers.reduce((sum, n) => sum + n, 0), numbers.length];
    });
    assert.deepEqual(rows.map((row) => row.slice(0, 3)).sort(), expected, opening);
    assert.equal((await store.knownEvents('other', null))[0]?.events, 5_000, opening);
    await store.close();
  }
  assert.equal(readdirSync(join(directory, 'snapshots')).length, 1);
});
