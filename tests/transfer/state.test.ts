import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import type { StateDatabase } from '../../src/storage/state/sql/database.ts';
import { SqlReviewStore } from '../../src/storage/state/sql/reviews/store.ts';
import { openStateDatabase } from '../../src/storage/state/sqlite/database.ts';
import type { StateTable } from '../../src/storage/state/tables.ts';
import { atOneMoment, copyState, countState, digestTable, MOVED_TABLES } from '../../src/transfer/state.ts';
import { review } from '../contracts/reviews.ts';
import { temporaryDirectory } from '../support/app.ts';
import { databaseOf, hasPostgres, newPlace, openTestPostgres } from '../support/postgres-state.ts';
import { addTenants } from '../support/state.ts';
import { fillState } from './filled-state.ts';

const options = { skip: !hasPostgres };
async function sqlite(t: TestContext): Promise<StateDatabase> {
  const database = await openStateDatabase(join(temporaryDirectory(t), STATE_FILE));
  t.after(() => database.destroy());
  return database;
}

async function postgres(t: TestContext): Promise<StateDatabase> {
  const { state, close } = await openTestPostgres(await databaseOf(newPlace()));
  t.after(close);
  return state;
}

async function filled(t: TestContext, rows?: number): Promise<StateDatabase> {
  const database = await sqlite(t);
  await addTenants(database);
  await fillState(database, rows);
  return database;
}

async function assertEqual(one: StateDatabase, other: StateDatabase): Promise<void> {
  for (const table of MOVED_TABLES)
    assert.deepEqual(await digestTable(other, table), await digestTable(one, table), table);
}

test('copyState: SQLite to PostgreSQL and back is the same, row for row', options, async (t) => {
  const [from, server, back] = [await filled(t), await postgres(t), await sqlite(t)];
  for (const table of MOVED_TABLES) assert.ok((await digestTable(from, table)).rows > 0, `${table} is empty`);
  let copied = 0;
  await copyState(from, server, (rows) => {
    copied += rows;
  });
  assert.equal(copied, await countState(from));
  await assertEqual(from, server);
  await copyState(server, back);
  await assertEqual(from, back);
});

for (const [name, open] of Object.entries({ SQLite: sqlite, ...(hasPostgres && { PostgreSQL: postgres }) })) {
  test(`copyState: a repetition takes over what changed (${name})`, async (t) => {
    const [from, to] = [await filled(t, 3), await open(t)];
    await copyState(from, to);
    await from.updateTable('users').set({ name: 'Ada with a new name' }).where('id', '=', 'users.id 1').execute();
    await from.deleteFrom('dashboard_cards').where('id', '=', 'dashboard_cards.id 1').execute();
    await from.deleteFrom('executions').where('id', '=', 'executions.id 2').execute();
    await from.insertInto('installation').values({ fact: 'later', at: 5 }).execute();
    await copyState(from, to);
    await assertEqual(from, to);
  });

  test(`copyState: names that rows have exchanged are taken over (${name})`, async (t) => {
    const [from, to] = [await filled(t, 3), await open(t)];
    await copyState(from, to);
    await exchange(from, 'dashboard_tabs', ['name']);
    await exchange(from, 'users', ['email', 'email_key']);
    await exchange(from, 'reviews', ['id', 'execution_id']);
    await exchange(from, 'dashboard_cards', ['identity']);
    await exchange(from, 'identity_providers', ['id']);
    await exchange(from, 'passkeys', ['credential_id']);
    await from.updateTable('dashboard_cards').set({ tab_id: null }).execute();
    await from.deleteFrom('dashboard_tabs').where('id', '=', 'dashboard_tabs.id 3').execute();
    await copyState(from, to);
    await assertEqual(from, to);
  });

  test(`copyState: a tenant that was removed goes, with what it had (${name})`, async (t) => {
    const [from, to] = [await filled(t, 3), await open(t)];
    await copyState(from, to);
    await sql`DROP TRIGGER audit_log_kept`.execute(from);
    for (const table of MOVED_TABLES.toReversed()) {
      if (!['tenants', 'installation'].includes(table)) await from.deleteFrom(table).execute();
    }
    await from.deleteFrom('tenants').where('id', '=', 'one').execute();
    await copyState(from, to);
    await assertEqual(from, to);
    assert.equal((await digestTable(to, 'audit_log')).rows, 0);
  });
}

/** The first two rows by these columns. */
async function exchange(database: StateDatabase, table: StateTable, columns: string[]): Promise<void> {
  const rowids = await sql<{
    rowid: number;
  }>`SELECT rowid AS rowid FROM ${sql.table(table)} ORDER BY rowid LIMIT 2`.execute(database);
  const [one, other] = rowids.rows.map(({ rowid }) => rowid);
  for (const column of columns) {
    const name = sql.ref(column);
    const { rows } = await sql<{ value: string }>`SELECT ${name} AS value FROM ${sql.table(table)}
      WHERE rowid IN (${one}, ${other}) ORDER BY rowid`.execute(database);
    const set = (rowid: number | undefined, value: string) =>
      sql`UPDATE ${sql.table(table)} SET ${name} = ${value} WHERE rowid = ${rowid}`.execute(database);
    await set(one, 'neither');
    await set(other, rows[0]!.value);
    await set(one, rows[1]!.value);
  }
}

test('atOneMoment: rows that are added meanwhile are not read', options, async (t) => {
  const [filledState, from, to] = [await filled(t), await postgres(t), await sqlite(t)];
  await copyState(filledState, from);
  await atOneMoment(from, async (read) => {
    await countState(read);
    const [execution] = await from.selectFrom('executions').selectAll().execute();
    const [content] = await from.selectFrom('execution_bodies').selectAll().execute();
    await from
      .insertInto('executions')
      .values({ ...execution!, id: 'new', number: 77 })
      .execute();
    await from
      .insertInto('execution_bodies')
      .values({ ...content!, number: 77 })
      .execute();
    await copyState(read, to);
  });
  await assertEqual(filledState, to);
});

test('copyState: reviews are found by their words, and new ones get higher numbers', options, async (t) => {
  const from = await filled(t);
  const store = new SqlReviewStore(from, from);
  const made = review({ comment: 'entrega muito atrasada', executionId: 'another' });
  await store.create('one', made);
  const to = await postgres(t);
  await copyState(from, to);
  const moved = new SqlReviewStore(to, to);
  const page = await moved.list('one', { words: ['atrasada'] }, { limit: 10, offset: 0 });
  assert.deepEqual(
    page.items.map(({ id }) => id),
    [made.id],
  );
  assert.equal(await moved.create('one', review({ executionId: 'a third' })), 'created');
  const numbers = await to.selectFrom('reviews').select('number').orderBy('number').execute();
  assert.deepEqual(
    numbers.map(({ number }) => number),
    [...new Set(numbers.map(({ number }) => number))],
  );
});
