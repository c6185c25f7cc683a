import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../compiled-store.ts';

const REFUSED = [
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM glob('/*')",
  "COPY (SELECT 1) TO '/tmp/agent-runtime-copied.csv'",
  "ATTACH '/tmp/agent-runtime-attached.duckdb' AS other",
  "LOAD '/tmp/agent-runtime.duckdb_extension'",
  'INSTALL httpfs',
  "SET temp_directory = '/tmp'",
  'SET enable_external_access = true',
  'SET lock_configuration = false',
];

test('AnalyticsDatabase: a reading connection reaches no file and changes no setting', async (t) => {
  const database = await openDatabase(t, 100e6);
  for (const statement of REFUSED) {
    const run = database.read((connection) => connection.run(statement), { timeoutMs: 10_000 });
    await assert.rejects(run, /disabled (by|through) configuration|has been locked/, statement);
  }
  await database.write((writer) => writer.run('CREATE TEMP TABLE sorted AS SELECT range FROM range(10)'));
  await database.writer.run('CHECKPOINT');
});
