import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import BetterSqlite3 from 'better-sqlite3';
import type { RawPlan } from '../../../../../src/core/analytics/events/query-plan.ts';
import type { StoredEvent } from '../../../../../src/core/analytics/events/store.ts';
import { Mutex } from '../../../../../src/core/base/concurrency/mutex.ts';
import type { AnalyticsDatabase } from '../../../../../src/storage/events/duckdb/database.ts';
import type { DuckdbObserver } from '../../../../../src/storage/events/duckdb/observer.ts';
import { openFiles } from '../../../../../src/storage/events/duckdb/open-files.ts';
import { readNumber } from '../../../../../src/storage/events/duckdb/read/rows.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import type { Transact } from '../../../../../src/storage/events/duckdb/transactions.ts';
import { type Flushed, Flusher } from '../../../../../src/storage/events/duckdb/write/flusher.ts';
import { NO_OBSERVER } from '../../../../../src/storage/events/shared/observer.ts';
import { QUARANTINE_FILE, SPOOL_FILE } from '../../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';
import { rareTest } from '../../../../support/rare.ts';

/*
 * Rows that ingestion never writes, between valid ones in the spool: a damaged disk, a manual edit,
 * an older version.
 */

const opens = (directory: string, watching?: Partial<DuckdbObserver>) =>
  DuckdbEventStore.open(storeOptions(directory, { resultCacheBytes: 1e6 }), watching);

const good = (event: Partial<StoredEvent> = {}) => storedEvent({ properties: '{"good":1}', ...event });
const bad = (members: Record<string, unknown>) => ({ ...storedEvent({ properties: '{"bad":1}' }), ...members });

const REFUSED: Record<string, unknown> = {
  'null as an event': null,
  'a text as an event': 'text',
  'an event without id': bad({ id: undefined }),
  'a number as id': bad({ id: 7 }),
  'an event without agent': bad({ agentId: undefined }),
  'null as name': bad({ eventName: null }),
  'an object as thread': bad({ threadId: {} }),
  'a fractional timestamp': bad({ timestamp: 1.5 }),
  'null as timestamp': bad({ timestamp: null }),
  'a text as timestamp': bad({ timestamp: 'yesterday' }),
  'a timestamp beyond 64 bits': bad({ timestamp: 1e19 }),
  'a timestamp of 1e300': bad({ timestamp: 1e300 }),
  'properties that are not JSON': bad({ properties: '{"bad":' }),
  'properties that are null': bad({ properties: 'null' }),
  'properties that are an array': bad({ properties: '[1]' }),
  'properties that are a text': bad({ properties: '"text"' }),
  'an unserialised properties object': bad({ properties: { bad: 1 } }),
  'an event without properties': bad({ properties: undefined }),
  'a lone surrogate in a value': bad({ properties: '{"bad":"\\ud800"}' }),
  'a lone surrogate in a key': bad({ properties: '{"\\ud800":1}' }),
};

const thousand = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key ${index}`, index]));

/** Unusual, but valid events. */
const ACCEPTED: Record<string, unknown> = {
  'a key of 64 KB': good({ properties: JSON.stringify({ ['k'.repeat(65_536)]: 1, good: 1 }) }),
  'a thousand keys': good({ properties: JSON.stringify({ ...thousand, good: 1 }) }),
  'a long number': good({ properties: '{"huge":123456789012345678901234567890,"good":1}' }),
  'a very early timestamp': good({ timestamp: -8e15 }),
};

/** Writes rows directly, as if they had been appended. */
function spool(directory: string, batches: (string | unknown[])[]): void {
  const database = new BetterSqlite3(join(directory, SPOOL_FILE));
  const insert = database.prepare('INSERT INTO batches (tenant_id, arrived_at, events) VALUES (?, ?, ?)');
  for (const batch of batches) insert.run('t', Date.now(), typeof batch === 'string' ? batch : JSON.stringify(batch));
  database.close();
}

function quarantined(directory: string): { tenantId: string; reason: string; content: unknown }[] {
  const path = join(directory, QUARANTINE_FILE);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const EVERYTHING: RawPlan = {
  kind: 'raw',
  selection: { agentId: null, eventNames: ['a'], from: null, to: null, predicates: [] },
  columns: [{ kind: 'property', paths: [['good']] }, { kind: 'event', name: 'id' }, { kind: 'properties' }],
  sort: { field: { kind: 'event', name: 'timestamp' }, descending: true },
  limit: 1_000,
  offset: 0,
};

async function poisoned(t: TestContext, batches: (string | unknown[])[]): Promise<string> {
  const directory = temporaryDirectory(t);
  const store = await opens(directory);
  await store.append('t', [good()]);
  await store.close();
  spool(directory, batches);
  return directory;
}

/**
 * Every valid event is stored once and readable, the counts of names match, and nothing is retried.
 */
async function check(store: DuckdbEventStore, events: number): Promise<void> {
  const { rows } = await store.query('t', EVERYTHING);
  assert.equal(rows.length, events);
  assert.equal(rows.filter(([value]) => value === 1).length, events, 'only the valid ones');
  assert.equal(new Set(rows.map(([, id]) => id)).size, events);
  const known = await store.knownEvents('t', null);
  assert.deepEqual(
    known.map((name) => [name.agentId, name.eventName, name.events]),
    [['support', 'a', events]],
  );
  const keys = (await store.knownProperties('t', null, ['a'])).map(({ key }) => key);
  assert.ok(!keys.includes('bad'), 'no key of a refused event is listed');
  const { backlog, failingSince } = await store.stats();
  assert.deepEqual([backlog.batches, backlog.bytes, failingSince], [0, 0, null]);
}

for (const [index, [what, event]] of Object.entries(REFUSED).entries()) {
  const define = index % 4 === 0 ? test : rareTest;
  define(`Flusher: ${what} is quarantined alone, and once`, async (t) => {
    const directory = await poisoned(t, [[good(), event, good()], [good()]]);
    const store = await opens(directory);
    t.after(() => store.close());
    await check(store, 4);
    await store.close();
    const lines = quarantined(directory);
    assert.equal(lines.length, 1);
    assert.equal(lines[0]!.tenantId, 't');
    assert.ok(lines[0]!.reason.length > 0);
    assert.deepEqual(lines[0]!.content, JSON.parse(JSON.stringify(event)));
  });
}

test('Flusher: unusual but valid events are flushed with the others', async (t) => {
  const directory = await poisoned(t, [[good(), ...Object.values(ACCEPTED)], [good()]]);
  const store = await opens(directory);
  t.after(() => store.close());
  await check(store, 3 + Object.keys(ACCEPTED).length);
  assert.deepEqual(quarantined(directory), []);
});

test('Flusher: unreadable batches and all bad events together block nothing', async (t) => {
  const bads = Object.values(REFUSED);
  const texts = ['', 'no JSON', '{"an":"object"}', '[', 'null'];
  const directory = await poisoned(t, [[good(), ...bads], ...texts, [good()]]);
  const notices: number[] = [];
  const onNotice: DuckdbObserver['onNotice'] = (notice) => {
    if (notice.kind === 'quarantined') notices.push(notice.events);
  };
  const store = await opens(directory, { onNotice });
  t.after(() => store.close());
  await check(store, 3);
  const { receipt } = await store.append('other', [good()]);
  assert.equal(await store.waitFor(receipt, 2_000), true, 'other tenants go on');
  await sleep(1_200);
  assert.equal(quarantined(directory).length, bads.length + texts.length, 'nothing is set aside again');
  assert.equal(
    notices.reduce((sum, events) => sum + events, 0),
    bads.length + texts.length,
  );
  assert.equal((await store.stats()).quarantined, bads.length + texts.length);
});

test('Flusher: a retried flush doubles neither quarantine lines nor events', async (t) => {
  const directory = await poisoned(t, [[good(), ...Object.values(REFUSED), good()]]);
  let committing = 0;
  const onStage: DuckdbObserver['onStage'] = (stage) => {
    if (stage === 'flush:committing' && ++committing <= 2) throw new Error('IO Error: for a moment');
  };
  const store = await opens(directory, { onStage });
  t.after(() => store.close());
  const { receipt } = await store.append('t', [good()]);
  assert.equal(await store.waitFor(receipt, 5_000), true);
  await check(store, 4);
  assert.equal(quarantined(directory).length, Object.keys(REFUSED).length);
});

/**
 * Fails as the engine would for an event with this name. Its checks before the engine know no such
 * event.
 */
function refusing(connection: DuckDBConnection, eventName: string): DuckDBConnection {
  const createAppender = connection.createAppender.bind(connection);
  return Object.assign(Object.create(connection), {
    async createAppender(table: string) {
      const appender = await createAppender(table);
      const append = appender.appendDataChunk.bind(appender);
      appender.appendDataChunk = (chunk) => {
        if (chunk.getRows().flat().includes(eventName)) throw new Error('Constraint Error: refused');
        append(chunk);
      };
      return appender;
    },
  });
}

test('Flusher: events that the engine refuses are found among accepted ones', async (t) => {
  const refused = [bad({ eventName: 'refused' }), bad({ eventName: 'refused' })];
  const directory = await poisoned(t, [[good(), refused[0], good()], [good()], [good(), refused[1]]]);
  const parts = await openFiles(storeOptions(directory), NO_OBSERVER);
  const write: Transact = (use) => parts.database.write((connection) => use(refusing(connection, 'refused')));
  const database: AnalyticsDatabase = Object.assign(Object.create(parts.database), { write });
  const flusher = new Flusher({ ...parts, database, writing: new Mutex() }, NO_OBSERVER);
  const flushed: (Flushed | null)[] = [];
  await flusher.flushAfter(
    () => parts.visible,
    (one) => flushed.push(one),
  );
  assert.equal(flushed[0]?.events, 4);
  assert.equal(await readNumber(database.writer, 'SELECT count(*) FROM hot'), 5, 'with the event of before');
  await flusher.flushAfter(
    () => flushed[0]!.position,
    (one) => flushed.push(one),
  );
  assert.equal(flushed[1], null);
  await database.close();
  parts.spool.close();
  assert.deepEqual(
    quarantined(directory).map(({ reason, content }) => [reason, content]),
    refused.map((event) => ['Constraint Error: refused', event]),
  );
});

test('Erasure: quarantined events of a thread are removed, torn lines ignored', async (t) => {
  const directory = await poisoned(t, [
    [bad({ threadId: 'x', timestamp: 1.5 }), bad({ threadId: 'y', timestamp: 1.5 })],
  ]);
  const store = await opens(directory);
  t.after(() => store.close());
  await store.erase('t', { threadId: 'x' });
  assert.deepEqual(
    quarantined(directory).map(({ content }) => (content as StoredEvent).threadId),
    ['y'],
  );
  await store.erase('t', {});
  assert.equal((await store.stats()).quarantined, 0);
});

test('Erasure: executions lose their quarantined events that name no thread', async (t) => {
  const refused = (members: Partial<StoredEvent>) => bad({ timestamp: 1.5, ...members });
  const directory = await poisoned(t, [
    [refused({ executionId: 'x' }), refused({ executionId: 'x', threadId: 'y' }), refused({ executionId: 'y' })],
    '[{"executionId":"x"',
  ]);
  const store = await opens(directory);
  t.after(() => store.close());
  assert.equal(await store.erase('t', { executionIds: ['x'] }), 2);
  assert.deepEqual(
    quarantined(directory).map(({ content }) => (content as StoredEvent).threadId),
    ['y', null],
  );
});

test('Erasure: ids of quarantined events are forgotten, unreadable batches removed', async (t) => {
  const directory = await poisoned(t, ['[{"threadId":"x"', '[{"threadId":"y"']);
  const store = await opens(directory);
  t.after(() => store.close());
  const of = (tenant: string) => store.append(tenant, [good({ id: 'mine', idFromCaller: true, threadId: 'x' })]);
  const refused = bad({ id: 'mine', idFromCaller: true, threadId: 'x', timestamp: 1.5 });
  for (const tenant of ['t', 'u']) await store.append(tenant, [refused]);
  assert.equal((await of('t')).duplicates, 1);
  assert.equal(await store.erase('t', { threadId: 'x' }), 2);
  assert.deepEqual(
    quarantined(directory).map(({ tenantId, content }) => [tenantId, typeof content]),
    [
      ['t', 'string'],
      ['u', 'object'],
    ],
  );
  assert.deepEqual([(await of('t')).duplicates, (await of('u')).duplicates], [0, 1]);
  assert.equal(await store.erase('u', {}), 1, 'of whom every event was refused');
  assert.equal((await of('u')).duplicates, 0);
});
