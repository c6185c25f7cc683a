import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findingsOfClickhouse,
  findingsOfEventSpool,
  mutationsOf,
  quarantineOf,
  spoolOf,
} from '../../src/doctor/clickhouse.ts';
import type { Finding } from '../../src/doctor/findings.ts';
import { Clickhouse } from '../../src/storage/events/clickhouse/client.ts';
import { PostgresPool } from '../../src/storage/state/postgres/pool.ts';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { whyNoClickhouse } from '../support/clickhouse.ts';
import { databaseOf, hasNodes, newPlace, serverSettings, sharedClickhouse } from '../support/postgres-state.ts';

const LIMIT = 256 * 1024 * 1024;
const clickhouseOnly = { skip: whyNoClickhouse() };
const nodes = { skip: !hasNodes };

const said = (findings: Finding[]) =>
  Object.fromEntries(findings.map(({ check, status, message }) => [check, `${status}: ${message}`]));

test('doctor: a table of events in use is described', nodes, async (t) => {
  const settings = await serverSettings(newPlace());
  const app = await testApp(t, { ...settings, dataDir: temporaryDirectory(t) });
  await app.ingest([{ eventName: 'seen' }, { eventName: 'seen' }]);
  const found = said(await findingsOfClickhouse(String(settings.clickhouseUrl)));
  assert.match(found.ClickHouse!, /^ok: version \d+\.\d+/);
  assert.equal(found['ClickHouse clock'], 'ok: agrees with this machine');
  assert.equal(found['ClickHouse rights'], 'ok: the user may do what the nodes do');
  assert.equal(found['ClickHouse table'], 'ok: events, MergeTree');
  assert.equal(found['ClickHouse durability'], 'ok: inserts survive a power failure');
  assert.equal(found['ClickHouse deduplication'], 'ok: of the last 10,000 inserts');
  assert.equal(found['ClickHouse inserts'], 'ok: one thread, one part');
  assert.match(found['ClickHouse parts']!, /^ok: \d+ active, 2 events, /);
  assert.equal(found['ClickHouse mutations'], 'ok: none waits');
  assert.match(found['ClickHouse disk']!, /^\w+: default: .* of .* free/);
  assert.deepEqual(said(await findingsOfEventSpool(String(settings.databaseUrl), LIMIT)), {
    'events that wait': 'ok: none: all that was accepted is visible',
    quarantine: 'ok: empty',
  });
});

test('doctor: settings that lose events fail', clickhouseOnly, async () => {
  const url = await (await sharedClickhouse()).database();
  assert.match(said(await findingsOfClickhouse(url))['ClickHouse table']!, /^warning: no table of events yet/);
  const clickhouse = await Clickhouse.open({ url, queryTimeoutMs: 10_000 });
  const events = `${clickhouse.database}.events`;
  try {
    await clickhouse.command(`CREATE TABLE ${events} (tenant String) ENGINE = MergeTree ORDER BY tuple()`);
  } finally {
    await clickhouse.close();
  }
  const found = said(await findingsOfClickhouse(url));
  assert.match(
    found['ClickHouse durability']!,
    /^failed: fsync_after_insert and fsync_part_directory off: .*MODIFY SETTING/,
  );
  assert.match(found['ClickHouse deduplication']!, /^failed: non_replicated_deduplication_window is 0: .* = 10000$/);
});

test('doctor: a ClickHouse that is away is one failure, without the password', async () => {
  const findings = await findingsOfClickhouse('http://user:a-wrong-one@127.0.0.1:1/events');
  assert.deepEqual(
    findings.map(({ check, status }) => [check, status]),
    [['ClickHouse', 'failed']],
  );
  assert.doesNotMatch(findings[0]!.message, /a-wrong-one/);
});

test('doctor: events that wait are a warning from a minute on, a failure from ten', () => {
  const waiting = { batches: 3, bytes: 3_000, oldest: 0, quarantined: 0, isMoved: true };
  const statusOf = (ageMs: number, change: Partial<typeof waiting> = {}) =>
    spoolOf({ ...waiting, ...change, ageMs }, LIMIT).status;
  assert.deepEqual(
    [59_999, 60_000, 599_999, 600_000].map((age) => statusOf(age)),
    ['ok', 'warning', 'warning', 'failed'],
  );
  assert.deepEqual([statusOf(0, { bytes: LIMIT / 2 }), statusOf(0, { bytes: LIMIT })], ['warning', 'failed']);
  assert.match(
    spoolOf({ ...waiting, ageMs: 75_000 }, LIMIT).message,
    /^3 batches, .* for 75 s: accepted and not visible yet; the node/,
  );
  assert.match(spoolOf({ ...waiting, ageMs: 75_000, isMoved: false }, LIMIT).message, /no node moves them/);
  assert.match(quarantineOf({ quarantined: 2 }).message, /^2 events that ClickHouse refused/);
});

test('doctor: a mutation that waits for hours is a warning, one that fails a failure', () => {
  const waiting = { count: 2, oldestSeconds: 60, failure: null };
  const statusOf = (change: Partial<{ oldestSeconds: number; failure: string }>) =>
    mutationsOf({ ...waiting, ...change }).status;
  assert.deepEqual([{}, { oldestSeconds: 4_000 }, { failure: 'no space left' }].map(statusOf), [
    'ok',
    'warning',
    'failed',
  ]);
});

test('doctor: the age of what waits is that of the database', nodes, async () => {
  const url = await databaseOf(newPlace());
  const pool = await PostgresPool.open({ url, connections: 1 });
  try {
    await pool.query(
      `INSERT INTO event_spool (tenant_id, arrived_at, size, left_out, events)
        VALUES ('a', (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 700000, 100, '{}', '[]')`,
    );
  } finally {
    await pool.end();
  }
  const found = said(await findingsOfEventSpool(url, LIMIT));
  assert.match(
    found['events that wait']!,
    /^failed: 1 batch, 100 bytes of at most .* for 70\d s.*; no node moves them/,
  );
});
