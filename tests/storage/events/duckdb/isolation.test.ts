import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import type { Snapshot } from '../../../../src/storage/events/duckdb/read/readers.ts';
import { eventsOf, readLayout } from '../../../../src/storage/events/duckdb/tables.ts';
import { differentialSeed, sampleDataset } from '../../../contracts/questions/differential.ts';
import { actualAnswer } from '../../../reference/differential.ts';
import { requestArbitrary } from '../../../reference/generators.ts';
import { compiledStore, openDatabase } from './compiled-store.ts';

/*
 * Tenants are isolated by construction: queries cannot name the tables of events, only the tenant.
 * These tests check the construction.
 */

const DIRECTORY = fileURLToPath(new URL('../../../../src/storage/events/duckdb/', import.meta.url));

/** The files that may name the tables: they create, fill and compact them, or remove from them. */
const KNOW_TABLES = [
  'tables.ts',
  'write/insert.ts',
  'upkeep/compaction.ts',
  'upkeep/examine.ts',
  'upkeep/compactor.ts',
  'upkeep/remover.ts',
];

const QUERY_FILES = /^(read\/(answer|compile.*|conditions|expressions)|write\/known)\.ts$/;

const files = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

test('Tenant isolation: only files that write events name their tables', () => {
  assert.ok(files.some((name) => QUERY_FILES.test(name)));
  for (const name of files) {
    if (KNOW_TABLES.includes(name)) continue;
    const source = withoutComments(readFileSync(join(DIRECTORY, name), 'utf8'));
    assert.doesNotMatch(source, /\b(hot|cold)\b/, name);
  }
});

test('Tenant isolation: compiling files read no table except through a tenant', () => {
  for (const name of files.filter((one) => QUERY_FILES.test(one))) {
    const source = withoutComments(readFileSync(join(DIRECTORY, name), 'utf8'));
    assert.doesNotMatch(source, /\b(FROM|JOIN|INTO|UPDATE) (tenants|learned|runs|layout|flushed)\b/i, name);
  }
});

test('Tenant isolation: a plan keeps its conditions though all rows fulfil them', async (t) => {
  const { writer } = await openDatabase(t);
  for (const table of ['hot', 'cold']) {
    await writer.run(`INSERT INTO ${table} (tenant, run, epoch, agent_id, event_name, timestamp, id, properties)
      SELECT 1, 1, 1, 'support', 'a', range, range, '{}' FROM range(1_000)`);
  }
  await writer.run('CHECKPOINT');
  const explained = await writer.runAndReadAll(`EXPLAIN SELECT count(*) FROM ${eventsOf(1, 1, ['timestamp'])}`);
  const plan = String(explained.getRows()[0]?.[1]);
  const shown = plan.replaceAll(/[\s│]+/g, ' ');
  assert.equal(shown.match(/xor\(tenant, 0\) = 1/g)?.length, 2, plan);
  assert.equal(shown.match(/xor\(run, 0\) <= 1/g)?.length, 1, plan);
});

test('AnalyticsDatabase: a read sees the layout of its snapshot, also a cached one', async (t) => {
  const database = await openDatabase(t);
  const read = (use: (connection: DuckDBConnection, snapshot: Snapshot) => Promise<void>) =>
    database.read(use, { timeoutMs: 10_000 });
  await read(async () => undefined);
  await read(async (connection, { layout }) => {
    await database.write((writer) => writer.run('UPDATE last_run SET run = 7'));
    assert.deepEqual([layout.lastRun, (await readLayout(connection)).lastRun], [0, 0]);
  });
  await read(async (connection, { layout }) => {
    assert.deepEqual([layout.lastRun, (await readLayout(connection)).lastRun], [7, 7]);
  });
});

const TENANT = 4_711;
const seed = differentialSeed(20_260_706);

test('Tenant isolation: every statement reads the events of its tenant alone', async (t) => {
  t.diagnostic(`DIFFERENTIAL_SEED=${seed}`);
  const database = await openDatabase(t);
  const statements: string[] = [];
  const store = compiledStore(database, TENANT, (_, sql) => statements.push(sql));
  for (let index = 0; index < 4; index += 1) {
    const dataset = sampleDataset(index, { seed, runs: 0, datasets: 4, eventsPerDataset: 60 });
    const asks = fc.asyncProperty(requestArbitrary(dataset), async (request) => {
      await actualAnswer(store, request, dataset);
    });
    await fc.assert(asks, { seed: seed + index, numRuns: 10 });
  }
  assert.ok(statements.length > 100, `${statements.length} statements`);
  for (const statement of statements) assertOfOneTenant(statement);
});

function assertOfOneTenant(sql: string): void {
  const made = new Set([...sql.matchAll(/(?:WITH|,) (\w+) AS (?:MATERIALIZED )?\(/g)].map(([, name]) => name));
  let owned = 0;
  for (const [, relation, rest] of sql.matchAll(/\b(?:FROM|JOIN)\s+(\w+|\()(?=(.{0,80}))/gs)) {
    if (relation === '(' || relation === 'unnest' || relation === 'list_filter') continue;
    if (relation === 'hot' || relation === 'cold') {
      assert.ok(rest?.startsWith(` WHERE tenant = ${TENANT} AND xor(tenant, 0) = ${TENANT}`), sql);
      owned += 1;
    } else if (relation === 'known_events' || relation === 'known_properties') {
      assert.equal(Number(/WHERE tenant = (\d+)/.exec(sql)?.[1]), TENANT, sql);
      owned += 1;
    } else assert.ok(made.has(relation), `${relation} in ${sql}`);
  }
  assert.ok(owned > 0, sql);
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
}
