import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockOf, findingsOfPostgres } from '../../src/doctor/postgres.ts';
import { PostgresPool } from '../../src/storage/state/postgres/pool.ts';
import { databaseOf, hasPostgres, newPlace, sharedPostgres } from '../support/postgres-state.ts';

const options = { skip: !hasPostgres };

const statuses = ({ findings }: Awaited<ReturnType<typeof findingsOfPostgres>>) =>
  Object.fromEntries(findings.map(({ check, status, message }) => [check, `${status}: ${message}`]));

test('doctor: a database in use is described, settings that lose commits fail', options, async () => {
  const found = statuses(await findingsOfPostgres(await databaseOf(newPlace())));
  assert.match(found.PostgreSQL!, /^ok: version 18\.\d+, database test_\d+_\d+, not encrypted$/);
  assert.equal(found['PostgreSQL tables'], 'ok: 0 tenants, 0 valid keys');
  // The servers of tests do not wait for the disk.
  assert.match(found['PostgreSQL durability']!, /^failed: fsync off: a power failure/);
  assert.equal(found['PostgreSQL clock'], 'ok: agrees with this machine');
  assert.match(found['PostgreSQL connections']!, /^ok: \d+ of \d+ in use$/);
  assert.match(found['PostgreSQL vectors']!, /^warning: no pgvector.*install pgvector/);
});

test('doctor: an empty database will be migrated, one of a newer release is named', options, async () => {
  const empty = await (await sharedPostgres()).database();
  assert.match(statuses(await findingsOfPostgres(empty))['PostgreSQL tables']!, /^warning: .*next start migrates/);
  const url = await databaseOf(newPlace());
  const pool = await PostgresPool.open({ url, connections: 1 });
  try {
    await pool.query(`INSERT INTO kysely_migration VALUES ('9998-more', '')`);
    assert.match(statuses(await findingsOfPostgres(url))['PostgreSQL tables']!, /^warning: .*9998-more.*update/);
    await pool.query(`INSERT INTO kysely_migration VALUES ('9999-less-contract', '')`);
    assert.match(statuses(await findingsOfPostgres(url))['PostgreSQL tables']!, /^failed: .*9999-less-contract/);
  } finally {
    await pool.end();
  }
});

test('doctor: what cannot be reached is one failure, without the password', options, async () => {
  const url = (await databaseOf(newPlace())).replace(':password@', ':a-wrong-one@').replace(/test_\d+_\d+/, 'absent');
  const { findings } = await findingsOfPostgres(url);
  assert.deepEqual(
    findings.map(({ check, status }) => [check, status]),
    [['PostgreSQL', 'failed']],
  );
  assert.doesNotMatch(findings[0]!.message, /a-wrong-one/);
});

test('doctor: a clock that differs is a warning that names the remedy', () => {
  assert.deepEqual(clockOf('PostgreSQL clock', -3_600_000), {
    check: 'PostgreSQL clock',
    status: 'warning',
    message: '3600.0 s behind this machine: synchronize both with NTP',
  });
});
