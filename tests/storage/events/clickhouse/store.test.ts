import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { EventStore } from '../../../../src/core/analytics/events/store.ts';
import { TenantColumns } from '../../../../src/storage/events/clickhouse/columns.ts';
import { STAGES, type Stage } from '../../../../src/storage/events/clickhouse/observer.ts';
import { clickhouseEngine } from '../../../../src/storage/events/clickhouse/read/engine.ts';
import { FlushTenants } from '../../../../src/storage/events/clickhouse/write/tenants.ts';
import { answer } from '../../../../src/storage/events/compile/answer.ts';
import { openPostgres } from '../../../../src/storage/state/postgres/database.ts';
import { type Backend, storedEvent, testEventStore } from '../../../contracts/event-store.ts';
import { testResultCache } from '../../../contracts/event-store-cache.ts';
import { testEventStoreDecimals } from '../../../contracts/event-store-decimals.ts';
import { testEventStoreNodes } from '../../../contracts/event-store-nodes.ts';
import { testEventStoreRemoval } from '../../../contracts/event-store-removal.ts';
import { testBreakdown } from '../../../contracts/questions/breakdown.ts';
import { testCases } from '../../../contracts/questions/cases.ts';
import {
  compareWithReference,
  differentialRuns,
  differentialSeed,
  sampleDataset,
} from '../../../contracts/questions/differential.ts';
import { compareWithOwnTenant } from '../../../contracts/questions/held-events.ts';
import { testRetention } from '../../../contracts/questions/retention.ts';
import { testSegments } from '../../../contracts/questions/segments.ts';
import { testThreads } from '../../../contracts/questions/threads.ts';
import { actualAnswer } from '../../../reference/differential.ts';
import { requestArbitrary } from '../../../reference/generators.ts';
import { rareTest } from '../../../support/rare.ts';
import { openNode, type Place, skip, startEngines, useEngines } from './places.ts';

const engines = useEngines();
const places = new Map<string, Promise<Place>>();
let directories = 0;

const backend: Backend = {
  name: 'ClickhouseEventStore',
  directory: () => `place ${++directories}`,
  open: async (directory, { dedupWindowMs = 60_000 } = {}) => {
    const place = places.get(directory) ?? engines().then((started) => started.place());
    places.set(directory, place);
    return openNode(await place, { dedupWindowMs });
  },
};

const define = ((title: string, run: never) => test(title, { skip }, run)) as unknown as typeof test;

testEventStore(backend, define);
testEventStoreDecimals(backend, define);
testEventStoreRemoval(backend, define);
testEventStoreNodes(backend, define);

/* Tenants are isolated by construction: only `Scope` names the table, with the tenant. */

const DIRECTORY = fileURLToPath(new URL('../../../../src/storage/events/clickhouse/', import.meta.url));

test('Tenant isolation: of the files that compile questions, one names the table', () => {
  const files = readdirSync(join(DIRECTORY, 'read')).filter((name) => name !== 'scope.ts');
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
      await answer(clickhouseEngine(run, source), plan).catch(() => undefined);
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

const CHILD = fileURLToPath(new URL('kill-child.ts', import.meta.url));
const LIVES = Number(process.env.KILL_LIVES ?? 14);

interface Life {
  node: string;
  life: number;
  stage: Stage;
  after: number;
}

async function live(place: Place, life: Life): Promise<{ killed: boolean; ids: string[] }> {
  const argument = JSON.stringify({ ...place, ...life, erases: life.stage.startsWith('remove') });
  const child = spawn(process.execPath, [CHILD], {
    env: { ...process.env, KILL_CHILD: argument, NODE_TEST_CONTEXT: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.ok(signal === 'SIGKILL' || code === 0, `ended with ${code} ${signal}`);
  // The runner of tests, which the child's imports start, writes a report at its end.
  const lines = output.split('\n').filter((line) => line.startsWith('['));
  return { killed: signal === 'SIGKILL', ids: lines.flatMap((line) => JSON.parse(line) as string[]) };
}

rareTest('ClickhouseEventStore: kills of two nodes at every stage lose and double nothing', async (t) => {
  const engines = await startEngines(t);
  const place = await engines.place();
  const acknowledged = new Set<string>();
  let kills = 0;
  for (let life = 0; life < LIVES; life += 1) {
    const stageOf = (at: number) => STAGES[at % STAGES.length]!;
    const lives = await Promise.all([
      live(place, { node: 'x', life, stage: stageOf(life), after: 1 + ((life * 7) % 3) }),
      live(place, { node: 'y', life, stage: stageOf(life + 1 + (life >> 2)), after: 1 + ((life * 3) % 4) }),
    ]);
    for (const { killed, ids } of lives) {
      if (killed) kills += 1;
      for (const id of ids) acknowledged.add(id);
    }
  }
  const store = await openNode(place);
  t.after(() => store.close());
  await store.settle();
  await store.erase('t', { threadId: 'erased' });
  const rows = await engines.clickhouse.rows(
    place.clickhouseUrl,
    'SELECT id, count() AS times, any(thread_id) AS thread FROM {database}.events GROUP BY id',
  );
  const doubled = rows.filter(([, times]) => Number(times) !== 1).map(([id]) => id);
  const stored = new Set(rows.map(([id]) => id as string));
  const lost = [...acknowledged].filter((id) => !stored.has(id));
  assert.deepEqual({ doubled, lost }, { doubled: [], lost: [] });
  const known = await store.knownEvents('t', null);
  assert.equal(
    known.reduce((sum, { events }) => sum + events, 0),
    stored.size,
    'counts of names are counts of events',
  );
  assert.equal(rows.filter(([, , thread]) => thread !== null).length, 0, 'what was erased is gone');
  // The ids of what was erased count as new, those of the others do not.
  const again = [...acknowledged].filter((id) => id.startsWith('shared')).slice(0, 100);
  const resent = again.map((id) => storedEvent({ id, idFromCaller: true }));
  assert.equal((await store.append('t', resent)).duplicates, again.length);
  assert.ok(kills >= LIVES / 2);
  // Before the engines end.
  await store.close();
});

test('FlushTenants: what is kept of tenants is bounded, and loaded again', { skip }, async (t) => {
  const place = await (await engines()).place();
  const { pool, close } = await openPostgres({ url: place.postgresUrl, connections: 1 });
  t.after(close);
  const tenants = new FlushTenants();
  const many = Array.from({ length: 10_000 }, (_, index) => `tenant ${index}`);
  await tenants.load(pool, many);
  const { number, columns } = tenants.tenant('tenant 7');
  columns.claim('/a', 'text');
  await tenants.saveColumns(pool, ['tenant 7']);
  await tenants.load(pool, ['another']);
  assert.throws(() => tenants.tenant('tenant 7'), 'it is not kept for ever');
  await tenants.load(pool, ['tenant 7']);
  const again = tenants.tenant('tenant 7');
  assert.deepEqual([again.number, again.columns.used('text')], [number, 1]);
});

async function openStore(t: TestContext) {
  const store = await openNode(
    await (await engines()).place(),
    {},
    { onFault: (error) => t.diagnostic(String(error)) },
  );
  t.after(() => store.close());
  return store;
}

const asked = { name: 'ClickhouseEventStore', openStore };

// Each statement takes some 15 ms, mostly to plan it: fewer questions, and the others in the soak.
testResultCache(asked, define, 1);
testBreakdown(asked, define, 2);
testBreakdown(asked, rareTest);
testCases(asked, rareTest, rareTest);
testThreads(asked, define);
testRetention(asked, rareTest);
testSegments(asked, define);

const options = {
  seed: differentialSeed(20_240_310),
  runs: differentialRuns(24),
  datasets: 4,
  eventsPerDataset: 150,
};

test('ClickhouseEventStore: generated questions are answered as by the reference', { skip, concurrency: 3 }, (t) =>
  compareWithReference(t, openStore, options),
);

test('ClickhouseEventStore: a caller with limits is answered as by a tenant of its own', { skip }, (t) =>
  compareWithOwnTenant(t, openStore, { runs: differentialRuns(120), datasets: 6 }),
);

rareTest('ClickhouseEventStore: more generated questions are answered as by the reference', { concurrency: 3 }, (t) =>
  compareWithReference(t, openStore, { ...options, runs: differentialRuns(3_000), datasets: 20 }),
);
