import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { SPOOL_FILE } from '../../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';

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

test('Spool: numbers of tenants without ids are forgotten when the store is opened', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await DuckdbEventStore.open(storeOptions(directory));
  await first.append('t', [identified('1')]);
  await first.close();
  const database = new BetterSqlite3(join(directory, SPOOL_FILE));
  database.exec("INSERT INTO id_tenants (tenant_id) VALUES ('erased by an earlier version')");
  database.close();
  const store = await DuckdbEventStore.open(storeOptions(directory));
  t.after(() => store.close());
  for (let waited = 0; numbered(directory).length > 1 && waited < 1_000; waited += 1) await store.ping();
  assert.deepEqual(numbered(directory), ['t']);
});

function numbered(directory: string): string[] {
  const database = new BetterSqlite3(join(directory, SPOOL_FILE), { readonly: true });
  try {
    return database.prepare<[], string>('SELECT tenant_id FROM id_tenants ORDER BY tenant_id').pluck().all();
  } finally {
    database.close();
  }
}
