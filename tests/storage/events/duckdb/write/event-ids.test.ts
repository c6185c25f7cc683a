import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { planRaw } from '../../../../../src/core/analytics/events/questions/plan.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { SPOOL_FILE } from '../../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { tableQuestion } from '../../../../reference/questions.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';
import { rareTest } from '../../../../support/rare.ts';
import { ChangingStore } from '../states.ts';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
/** Ids are returned unchanged; of a UUID the engine knows only the canonical form. */
const IDS = [
  UUID,
  UUID.toUpperCase(),
  UUID.replaceAll('-', ''),
  `{${UUID}}`,
  ` ${UUID}`,
  `${UUID}\n`,
  `${UUID.slice(0, -1)}A`,
  `${UUID}0`,
  UUID.slice(0, -1),
  UUID.replace('0', '\u00b0'),
  UUID.replace('0', 'g'),
  '0f8fad5bd-9cb-469f-a165-70867728950e',
  '00000000-0000-0000-0000-000000000000',
  '7fffffff-ffff-ffff-ffff-ffffffffffff',
  '80000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'order 17',
  '0',
  'nul \0 inside',
  ...Array.from({ length: 40 }, () => randomUUID()),
];

rareTest('DuckdbEventStore: ids are texts, whether stored as UUIDs or not', async (t) => {
  const changing = await ChangingStore.open(t);
  await changing.append('t', IDS.map(eventWith));
  for (const change of [async () => undefined, () => changing.sort(), () => changing.reopen()]) {
    await change();
    assert.deepEqual(await ids({ sortBy: 'id', sortOrder: 'asc' }), IDS.toSorted());
    assert.deepEqual(await ids({ sortBy: 'id', sortOrder: 'desc' }), IDS.toSorted().reverse());
    // All have the same time: ties are sorted by id.
    assert.deepEqual(await ids({ sortOrder: 'desc' }), IDS.toSorted().reverse());
    assert.deepEqual(await ids({ sortBy: 'id', sortOrder: 'asc', limit: 7, offset: 5 }), IDS.toSorted().slice(5, 12));
    for (const id of IDS) assert.deepEqual(await ids(filter('eq', id)), [id]);
    const some = IDS.filter((_, index) => index % 3 === 0).toSorted();
    assert.deepEqual(await ids({ ...filter('in', some), sortBy: 'id', sortOrder: 'asc' }), some);
    assert.equal((await ids(filter('neq', UUID))).length, IDS.length - 1);
    assert.equal((await ids(filter('notIn', some))).length, IDS.length - some.length);
    const larger = IDS.filter((id) => id > UUID);
    assert.deepEqual(await ids({ ...filter('gt', UUID), sortBy: 'id', sortOrder: 'asc' }), larger.toSorted());
    const starting = IDS.filter((id) => id.toLowerCase().startsWith(UUID.slice(0, 6)));
    assert.deepEqual(
      await ids({ ...filter('startsWith', UUID.slice(0, 6)), sortBy: 'id' }),
      starting.toSorted().reverse(),
    );
    assert.equal(await changing.append('t', IDS.map(eventWith)), IDS.length, 'each is known');
  }

  assert.equal(await changing.store.erase('t', { threadId: 'thread 0' }), Math.ceil(IDS.length / 2));
  assert.deepEqual(await ids({ sortBy: 'id', sortOrder: 'asc' }), IDS.filter((_, index) => index % 2 === 1).toSorted());
  const again = await changing.append('t', IDS.map(eventWith));
  assert.equal(again, Math.floor(IDS.length / 2), 'ids that were erased are new again');

  async function ids(input: object): Promise<unknown[]> {
    const query = tableQuestion({ eventName: 'a', columns: ['id'], ...input });
    const plan = planRaw(query, ['id'], { agentId: null, timezone: 'UTC', now: 1 });
    const { rows } = await changing.store.query('t', plan);
    return rows.map(([text]) => (JSON.parse(text as string) as { id: unknown }).id);
  }
});

function eventWith(id: string, index: number) {
  return {
    ...{ id, idFromCaller: true, agentId: 'support', eventName: 'a', timestamp: 1 },
    ...{ threadId: `thread ${index % 2}`, executionId: null, properties: '{}' },
  };
}

function filter(operator: string, value: string | string[]) {
  return { filters: [{ propertyKey: 'id', operator, value }] };
}

const identified = (id: string) => storedEvent({ id, idFromCaller: true });

test('Erasure: the id of an erased tenant is in no table of the spool', async (t) => {
  const directory = temporaryDirectory(t);
  const store = await DuckdbEventStore.open(storeOptions(directory));
  t.after(() => store.close());
  for (const tenant of ['gone', 'stays']) await store.append(tenant, [identified('1'), identified('2')]);
  await store.settle();
  assert.deepEqual(numbered(directory), ['gone', 'stays']);

  assert.equal(await store.erase('gone', {}), 2);
  assert.deepEqual(numbered(directory), ['stays']);

  assert.equal((await store.append('new', [identified('1')])).duplicates, 0, 'a number that was used before');
  assert.equal((await store.append('gone', [identified('1')])).duplicates, 0, 'an id that was erased');
  assert.equal((await store.append('gone', [identified('1')])).duplicates, 1);
  assert.equal((await store.append('new', [identified('1')])).duplicates, 1);
  assert.equal((await store.append('stays', [identified('2')])).duplicates, 1);
});

test('Erasure: a tenant whose events still wait in the spool keeps their ids', async (t) => {
  const directory = temporaryDirectory(t);
  const store = await DuckdbEventStore.open(storeOptions(directory));
  t.after(() => store.close());
  await store.append('t', [identified('1')]);
  const erased = store.erase('t', {});
  await store.append('t', [identified('2')], 60_000);
  await erased;
  assert.equal((await store.append('t', [identified('2')])).duplicates, 1);
});

test('DuckdbEventStore: an opening reads no ids', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await DuckdbEventStore.open(storeOptions(directory));
  await first.append('t', [identified('1')]);
  await first.close();
  const database = new BetterSqlite3(join(directory, SPOOL_FILE));
  database.exec("INSERT INTO id_tenants (tenant_id) VALUES ('without ids')");
  database.close();
  const store = await DuckdbEventStore.open(storeOptions(directory));
  t.after(() => store.close());
  await store.append('t', [identified('2')]);
  await store.settle();
  assert.deepEqual(numbered(directory), ['t', 'without ids']);
});

function numbered(directory: string): string[] {
  const database = new BetterSqlite3(join(directory, SPOOL_FILE), { readonly: true });
  try {
    return database.prepare<[], string>('SELECT tenant_id FROM id_tenants ORDER BY tenant_id').pluck().all();
  } finally {
    database.close();
  }
}
