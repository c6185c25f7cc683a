import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import type { RawPlan } from '../../../../src/core/events/query-plan.ts';
import type { StoredEvent } from '../../../../src/core/events/store.ts';
import type { StoreObserver } from '../../../../src/storage/duckdb/observer.ts';
import { DuckdbEventStore } from '../../../../src/storage/duckdb/store.ts';
import { QUARANTINE_FILE, SPOOL_FILE } from '../../../../src/storage/files/names.ts';
import { storedEvent } from '../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { storeOptions } from '../../../support/event-store.ts';

/*
 * Rows that no ingest writes, in the spool between good ones: a torn disk, a hand that meant well, an older version.
 */

const opens = (directory: string, watching?: Partial<StoreObserver>) =>
  DuckdbEventStore.open(storeOptions(directory, { resultCacheBytes: 1e6 }), watching);

const good = (event: Partial<StoredEvent> = {}) => storedEvent({ properties: '{"good":1}', ...event });
const bad = (members: Record<string, unknown>) => ({ ...storedEvent({ properties: '{"bad":1}' }), ...members });

/** What the engine cannot hold, or could hold and not read again. */
const REFUSED: Record<string, unknown> = {
  'no event': null,
  'a text for an event': 'text',
  'no id': bad({ id: undefined }),
  'a number for an id': bad({ id: 7 }),
  'no agent': bad({ agentId: undefined }),
  'null for a name': bad({ eventName: null }),
  'an object for a thread': bad({ threadId: {} }),
  'half a millisecond': bad({ timestamp: 1.5 }),
  'no time': bad({ timestamp: null }),
  'a text for a time': bad({ timestamp: 'yesterday' }),
  'a time beyond 64 bits': bad({ timestamp: 1e19 }),
  'a time beyond all': bad({ timestamp: 1e300 }),
  'properties that are no JSON': bad({ properties: '{"bad":' }),
  'properties that are null': bad({ properties: 'null' }),
  'properties that are an array': bad({ properties: '[1]' }),
  'properties that are a text': bad({ properties: '"text"' }),
  'an object for properties': bad({ properties: { bad: 1 } }),
  'no properties': bad({ properties: undefined }),
  'half a character in a value': bad({ properties: '{"bad":"\\ud800"}' }),
  'half a character in a key': bad({ properties: '{"\\ud800":1}' }),
};

const thousand = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key ${index}`, index]));

/** Strange, but an event: it counts. */
const TAKEN: Record<string, unknown> = {
  'a key of 64 KB': good({ properties: JSON.stringify({ ['k'.repeat(65_536)]: 1, good: 1 }) }),
  'a thousand keys': good({ properties: JSON.stringify({ ...thousand, good: 1 }) }),
  'a long number': good({ properties: '{"huge":123456789012345678901234567890,"good":1}' }),
  'a time before all': good({ timestamp: -8e15 }),
};

/** As if they had been appended. */
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

/** Every good event is there once, and readable; the names' counts are the events' counts; nothing is tried again. */
async function check(store: DuckdbEventStore, events: number): Promise<void> {
  const { rows } = await store.query('t', EVERYTHING);
  assert.equal(rows.length, events);
  assert.equal(rows.filter(([value]) => value === 1).length, events, 'the good ones alone');
  assert.equal(new Set(rows.map(([, id]) => id)).size, events);
  const known = await store.knownEvents('t', null);
  assert.deepEqual(
    known.map((name) => [name.agentId, name.eventName, name.events]),
    [['support', 'a', events]],
  );
  const keys = (await store.knownProperties('t', null, ['a'])).map(({ key }) => key);
  assert.ok(!keys.includes('bad'), 'nothing is known of what was refused');
  const { backlog, failingSince } = await store.stats();
  assert.deepEqual([backlog.batches, backlog.bytes, failingSince], [0, 0, null]);
}

for (const [what, event] of Object.entries(REFUSED)) {
  test(`${what} among good events is set aside alone, and once`, async (t) => {
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

test('strange events among others are taken in', async (t) => {
  const directory = await poisoned(t, [[good(), ...Object.values(TAKEN)], [good()]]);
  const store = await opens(directory);
  t.after(() => store.close());
  await check(store, 3 + Object.keys(TAKEN).length);
  assert.deepEqual(quarantined(directory), []);
});

test('batches that are no JSON or no array, beside all bad events at once, hold up nobody', async (t) => {
  const bads = Object.values(REFUSED);
  const texts = ['', 'no JSON', '{"an":"object"}', '[', 'null'];
  const directory = await poisoned(t, [[good(), ...bads], ...texts, [good()]]);
  const notices: number[] = [];
  const onNotice: StoreObserver['onNotice'] = (notice) => {
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

test('when the flush fails after something was set aside, neither its line nor any event comes twice', async (t) => {
  const directory = await poisoned(t, [[good(), ...Object.values(REFUSED), good()]]);
  let committing = 0;
  const onStage: StoreObserver['onStage'] = (stage) => {
    if (stage === 'flush:committing' && ++committing <= 2) throw new Error('IO Error: for a moment');
  };
  const store = await opens(directory, { onStage });
  t.after(() => store.close());
  const { receipt } = await store.append('t', [good()]);
  assert.equal(await store.waitFor(receipt, 5_000), true);
  await check(store, 4);
  assert.equal(quarantined(directory).length, Object.keys(REFUSED).length);
});

test('erasing a thread takes its refused events from the quarantine, and a torn line holds up no erasure', async (t) => {
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

test('erasing executions takes their refused events that name no thread', async (t) => {
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

test('an id of a refused event is forgotten with it, and a batch that is no JSON goes with a thread that is in it', async (t) => {
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
