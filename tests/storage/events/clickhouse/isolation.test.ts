import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { EventStore } from '../../../../src/core/analytics/events/store.ts';
import { TenantColumns } from '../../../../src/storage/events/clickhouse/columns.ts';
import { answer } from '../../../../src/storage/events/clickhouse/read/answer.ts';
import { differentialSeed, sampleDataset } from '../../../contracts/questions/differential.ts';
import { actualAnswer } from '../../../reference/differential.ts';
import { requestArbitrary } from '../../../reference/generators.ts';

/* Tenants are isolated by construction: only `Scope` names the table, with the tenant. */

const DIRECTORY = fileURLToPath(new URL('../../../../src/storage/events/clickhouse/', import.meta.url));

test('Tenant isolation: of the files that compile questions, one names the table', () => {
  const files = readdirSync(join(DIRECTORY, 'read')).filter((name) => name !== 'expressions.ts');
  for (const name of files) {
    const source = readFileSync(join(DIRECTORY, 'read', name), 'utf8');
    assert.doesNotMatch(source, /FROM \$\{(?!\(|graded)(source|this|tables)/, name);
    assert.doesNotMatch(source, /\b(FROM|JOIN|INTO) events\b(?!_)/i, name);
  }
});

test('Tenant isolation: generated questions read their tenant and its flushes', async () => {
  const seed = differentialSeed(20_240_310);
  const columns = new TenantColumns('{"text":["/plan","/a"],"number":["/amount"],"container":["/list"]}');
  const statements: string[] = [];
  const run = async (sql: string) => {
    statements.push(sql);
    return [[0, 0, 0, null, null]];
  };
  const source = { events: '`d`.events', tenant: 7, flush: 11, columns };
  const store = {
    query: async (_: string, plan: never) => {
      await answer(run, source, plan).catch(() => undefined);
      return { rows: [], total: 0, matched: 1, firstAt: 0, lastAt: 1 };
    },
    knownEvents: async () => [],
    knownProperties: async () => [],
  } as Partial<EventStore> as EventStore;
  for (let index = 0; index < 2; index += 1) {
    const dataset = sampleDataset(index, { seed, runs: 0, datasets: 2, eventsPerDataset: 20 });
    const asks = fc.asyncProperty(requestArbitrary(dataset), async (request) => {
      await actualAnswer(store, request, dataset).catch(() => undefined);
    });
    await fc.assert(asks, { seed: seed + index, numRuns: 60 });
  }
  assert.ok(statements.length > 60);
  for (const sql of statements) {
    const reads = sql.split('`d`.events').slice(1);
    assert.ok(reads.length > 0, sql);
    for (const read of reads) assert.ok(read.startsWith(' WHERE tenant = 7 AND flush <= 11'), sql);
    assert.doesNotMatch(sql, /[^\x20-\x7e]/, 'plain ASCII');
  }
});
