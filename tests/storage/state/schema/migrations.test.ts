import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { ageOf } from '../../../../src/backup/inspect.ts';
import { EVENTS_VERSION } from '../../../../src/storage/events/duckdb/tables.ts';
import { STATE_FILE } from '../../../../src/storage/installation/names.ts';
import { POSTGRES } from '../../../../src/storage/state/postgres/schema/index.ts';
import { ACCESS } from '../../../../src/storage/state/schema/access.ts';
import { CONTENT } from '../../../../src/storage/state/schema/content.ts';
import type { EngineSchema } from '../../../../src/storage/state/schema/index.ts';
import { LATER } from '../../../../src/storage/state/schema/later.ts';
import type { StateTables } from '../../../../src/storage/state/schema/types.ts';
import { SqlDeliveryStore } from '../../../../src/storage/state/sql/alerts/deliveries.ts';
import type { StateDatabase } from '../../../../src/storage/state/sql/database.ts';
import { dialectOf } from '../../../../src/storage/state/sql/dialect.ts';
import { SqlExecutionStore } from '../../../../src/storage/state/sql/executions/store.ts';
import { facetTerm } from '../../../../src/storage/state/sql/executions/terms.ts';
import { SqlKeyStore } from '../../../../src/storage/state/sql/keys.ts';
import { toRow } from '../../../../src/storage/state/sql/rows.ts';
import { openStateDatabase } from '../../../../src/storage/state/sqlite/database.ts';
import { SQLITE } from '../../../../src/storage/state/sqlite/schema.ts';
import { newDelivery } from '../../../contracts/delivery-store.ts';
import { storedKey } from '../../../contracts/key-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { databaseOf, hasPostgres, newPlace, openTestPostgres } from '../../../support/postgres-state.ts';
import { addTenants } from '../../../support/state.ts';

const SCHEMA = '0025-schema';

/** Former databases have nothing of the later migrations. */
const laterUndone = (engine: EngineSchema) => [
  ...['DROP TABLE dashboard_changes', 'DROP TABLE dashboard_links', 'ALTER TABLE users DROP COLUMN language'],
  ...(engine === SQLITE
    ? ['reviews', 'assessments'].flatMap((table) => [
        `DROP TRIGGER ${table}_added_to_queues`,
        `DROP TRIGGER ${table}_removed_for_queues`,
      ])
    : ['DROP FUNCTION note_changed_execution CASCADE', 'DROP FUNCTION note_judged_execution CASCADE']),
  ...['queue_changes', 'queue_hands', 'queue_items', 'queues'].map((name) => `DROP TABLE ${name}`),
  ...['DROP TABLE assessments', 'DROP TABLE rubrics'],
  ...['execution_text_index', 'execution_index', 'execution_steps', 'execution_bodies', 'executions'].map(
    (name) => `DROP TABLE ${name}`,
  ),
  ...['DROP INDEX tenants_execution_retention', 'ALTER TABLE tenants DROP COLUMN execution_retention_days'],
  ...CONTENT.filter((text) => /^CREATE (TABLE|INDEX \w+ ON) execution/.test(text)),
  ...['DROP TABLE invitations', 'DROP INDEX users_newest', 'DROP INDEX sessions_newest'],
  ...['DROP INDEX oauth_grants_asserted', 'ALTER TABLE oauth_grants DROP COLUMN identity_provider'],
  ...['api_keys DROP COLUMN limits', 'oauth_grants DROP COLUMN limits', 'tenants DROP COLUMN role_limits'].map(
    (change) => `ALTER TABLE ${change}`,
  ),
  'DROP TABLE first_hours',
  'DROP INDEX api_keys_newest',
  ...['former_hash', 'former_until'].map((column) => `ALTER TABLE api_keys DROP COLUMN ${column}`),
  'ALTER TABLE credentials DROP COLUMN last_used_at',
  ...['times', 'action_times', 'actors', 'actor_ids', 'targets'].map((name) => `DROP INDEX audit_log_${name}`),
  'CREATE INDEX audit_log_newest ON audit_log (tenant_id, id)',
  'CREATE INDEX audit_log_actions ON audit_log (tenant_id, action, id)',
];

/** Makes the database one of the former history, which ends with `last`. A delivery waits in it. */
async function makeFormer(
  database: StateDatabase,
  engine: EngineSchema,
  last: string,
  undone: string[] = [],
): Promise<void> {
  await addTenants(database);
  await new SqlDeliveryStore(database).add('one', [newDelivery()]);
  for (const statement of [
    'ALTER TABLE deliveries ADD COLUMN body text',
    `UPDATE deliveries SET message_id = NULL, body = '{"title":"before"}'`,
    'DELETE FROM delivery_messages',
    'DELETE FROM kysely_migration',
    `INSERT INTO kysely_migration VALUES ('0001-first', ''), ('${last}', '')`,
    ...undone,
    ...laterUndone(engine).map(engine.statement),
  ]) {
    await sql.raw(statement).execute(database);
  }
}

async function assertAdopted(database: StateDatabase, { later }: EngineSchema = SQLITE): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(database);
  assert.deepEqual(
    rows.map(({ name }) => name),
    [SCHEMA, ...Object.keys({ ...LATER, ...later }).sort()],
  );
  const store = new SqlDeliveryStore(database);
  const [claimed, ...others] = await store.claim('one', { now: 100, leaseUntil: 200, limit: 5 });
  assert.deepEqual([claimed?.body, others], ['{"title":"before"}', []]);
  await assert.rejects(sql`SELECT body FROM deliveries`.execute(database), /body/);
}

async function formerFile(t: TestContext, last = '0024-sending'): Promise<string> {
  const path = join(temporaryDirectory(t), STATE_FILE);
  const database = await openStateDatabase(path);
  await makeFormer(database, SQLITE, last);
  await database.destroy();
  return path;
}

function snapshotsBeside(path: string): string[] {
  const directory = join(path, '..', 'snapshots');
  return existsSync(directory) ? readdirSync(directory) : [];
}

test('Migrations: a file of the former history is adopted once, after a snapshot', async (t) => {
  const path = await formerFile(t);
  const databases = await Promise.all(Array.from({ length: 4 }, () => openStateDatabase(path)));
  databases.push(await openStateDatabase(path));
  await assertAdopted(databases[0]!);
  for (const database of databases) await database.destroy();
  const [name, ...others] = snapshotsBeside(path);
  assert.deepEqual(others, []);
  assert.match(name ?? '', /^state-at-0024-sending-.*\.sqlite$/);
  assert.equal(statSync(join(path, '..', 'snapshots')).mode & 0o777, 0o700);
  const snapshot = new BetterSqlite3(join(path, '..', 'snapshots', name!), { readonly: true });
  t.after(() => snapshot.close());
  assert.equal(snapshot.pragma('integrity_check', { simple: true }), 'ok');
  assert.deepEqual(snapshot.prepare('SELECT body FROM deliveries').pluck().all(), ['{"title":"before"}']);
});

test('Migrations: an adoption that fails leaves all as it was; the next succeeds', async (t) => {
  const path = await formerFile(t);
  const sqlite = new BetterSqlite3(path);
  t.after(() => sqlite.close());
  const found = () => [
    sqlite.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all(),
    sqlite.prepare('SELECT name FROM kysely_migration').all(),
    sqlite.prepare('SELECT id, message_id FROM deliveries').all(),
  ];
  // A column that an index has cannot go.
  sqlite.exec('CREATE INDEX of_body ON deliveries (body)');
  const before = found();
  await assert.rejects(openStateDatabase(path), /of_body/);
  assert.deepEqual(found(), before);
  sqlite.exec('DROP INDEX of_body');
  const database = await openStateDatabase(path);
  await assertAdopted(database);
  await database.destroy();
});

test('Migrations: keys and credentials of before get the later columns, empty', async (t) => {
  const path = join(temporaryDirectory(t), STATE_FILE);
  const before = await openStateDatabase(path);
  await addTenants(before);
  const { formerHash: _, formerUntil: __, limits: ___, scopes, ...key } = storedKey('kept');
  for (const statement of [...laterUndone(SQLITE), `DELETE FROM kysely_migration WHERE name > '${SCHEMA}'`]) {
    await sql.raw(statement).execute(before);
  }
  const row = { ...toRow(key), scopes: JSON.stringify(scopes) } as unknown as StateTables['api_keys'];
  await before.insertInto('api_keys').values(row).execute();
  await before.destroy();
  const database = await openStateDatabase(path);
  t.after(() => database.destroy());
  const found = await new SqlKeyStore(database).find('kept');
  assert.deepEqual([found?.label, found?.formerHash, found?.formerUntil, found?.limits], ['kept', null, null, null]);
  assert.match(snapshotsBeside(path).join(' '), /^state-at-0025-schema-\S+\.sqlite$/);
});

const FORMER_EXECUTIONS = [
  `INSERT INTO executions (tenant_id, id, id_from_caller, agent_id, thread_id, status, shape, content_length, revision,
    started_at, completed_at, created_at, updated_at, usage, chat)
    VALUES ('one', 'run', 1, 'support', 'thread', 'completed', '1utoo', 9, 3, 5, 7, 1, 9,
      '{"input_tokens":12,"output_tokens":7,"cache_read_input_tokens":1000}', '{"cost":2e-7}'),
    ('one', 'odd', 1, 'billing', NULL, 'completed', '1utoo', 9, 3, NULL, NULL, 1, 9,
      '{"\\u0000\\ud800":1,"inputTokens":"7"}', '{"cost":null,"error":{"message":"\\u0000"}}')`,
  `INSERT INTO execution_contents VALUES ('one', 'run', '[{"role":"user","content":"Olá 😀"}]', '"ok"'),
    ('one', 'odd', '[]', 'null')`,
];

for (const [name, open] of Object.entries({
  SQLite: (t: TestContext) => openStateDatabase(join(temporaryDirectory(t), STATE_FILE)),
  ...(hasPostgres && { PostgreSQL: async () => (await openTestPostgres(await databaseOf(newPlace()))).state }),
})) {
  test(`Migrations: former executions keep what they had, and have no event (${name})`, async (t) => {
    const database = await open(t);
    t.after(() => database.destroy());
    await addTenants(database);
    const engine = name === 'SQLite' ? SQLITE : POSTGRES;
    for (const statement of [...laterUndone(engine).map(engine.statement), ...FORMER_EXECUTIONS]) {
      await sql.raw(statement).execute(database);
    }
    for (const statement of engine.later!['0032-executions-contract']!) {
      await sql.raw(engine.statement(statement)).execute(database);
    }
    const store = new SqlExecutionStore(database);
    const { execution, revision } = (await store.find('one', 'run'))!;
    const { messages, output, latencyMs, threadId, source } = execution;
    const { inputTokens, outputTokens, totalTokens, cost, costBasis } = execution;
    assert.deepEqual([inputTokens, outputTokens, totalTokens, cost, costBasis], [1_012, 7, 1_019, 2e-7, 'priced']);
    const { execution: odd } = (await store.find('one', 'odd'))!;
    assert.deepEqual([odd.inputTokens, odd.totalTokens, odd.cost, odd.costBasis], [null, null, null, null]);
    assert.deepEqual(
      { messages, output, latencyMs, threadId, source, revision },
      {
        messages: '[{"role":"user","content":"Olá 😀"}]',
        output: '"ok"',
        latencyMs: 2,
        threadId: 'thread',
        source: 'chat',
        revision: 3,
      },
    );
    assert.deepEqual(await store.unsentEnds(10), []);
    const facets = dialectOf(database).terms.matches('execution_index', [[facetTerm('one', 'agentId', 'support')]]);
    assert.equal((await sql`SELECT 1 FROM execution_index WHERE ${facets}`.execute(database)).rows.length, 1);
  });
}

test('Migrations: a new file needs no snapshot', async (t) => {
  const path = join(temporaryDirectory(t), STATE_FILE);
  await (await openStateDatabase(path)).destroy();
  assert.deepEqual(snapshotsBeside(path), []);
});

test('Migrations: a file of a newer or an older version is refused and unchanged', async (t) => {
  for (const [last, refusal] of [
    ['9999-future', /newer agent-runtime \(migration 9999-future\)/],
    ['0023-short-identities', /older agent-runtime \(migration 0023-short-identities\), and cannot be read/],
  ] as const) {
    const path = await formerFile(t, last);
    await assert.rejects(openStateDatabase(path), refusal);
    assert.deepEqual(snapshotsBeside(path), []);
  }
});

test('Migrations: an archive of the former history can be restored, others not', () => {
  const ages = ['0024-sending', SCHEMA, '9999-future', '0023-short-identities'].map((state) =>
    ageOf({ state, events: EVENTS_VERSION }),
  );
  assert.deepEqual(ages, [null, null, 'a newer', 'an older']);
});

test('Migrations: a PostgreSQL of the former history is adopted once', { skip: !hasPostgres }, async () => {
  const url = await databaseOf(newPlace());
  const first = await openTestPostgres(url);
  await makeFormer(first.state, POSTGRES, '0008-repeated-documents', [
    'DROP TABLE event_changes',
    'ALTER TABLE event_tenants DROP COLUMN noted',
  ]);
  await first.close();
  const nodes = await Promise.all([1, 2, 3].map(() => openTestPostgres(url, 2)));
  await assertAdopted(nodes[0]!.state, POSTGRES);
  await sql`DELETE FROM kysely_migration WHERE name > ${SCHEMA}`.execute(nodes[0]!.state);
  await sql`UPDATE kysely_migration SET name = '0007-sending'`.execute(nodes[0]!.state);
  for (const { close } of nodes) await close();
  await assert.rejects(openTestPostgres(url), /migrated by an older release \(0007-sending\), and cannot be read/);
});

test('Migrations: the tables of the first one never change', () => {
  const hash = createHash('sha256')
    .update(JSON.stringify([ACCESS, CONTENT]))
    .digest('hex');
  assert.equal(
    hash,
    '122571ede4b29684faed57c5f8edc3dd9b655297554c3312560754d93745acea',
    'databases in use have these tables: add an entry to migrationsOf in schema/index.ts instead',
  );
});
