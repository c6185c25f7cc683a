import { createHash } from 'node:crypto';
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { adopt, otherVersion } from '../schema/index.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase, StateTransaction } from '../sql/database.ts';
import type { DialectAdapter, LockedRow, SqlDialect, TermIndexes } from '../sql/dialect.ts';
import { type DatabaseClock, startClock } from './clock.ts';
import { type PostgresOptions, PostgresPool } from './pool.ts';
import { POSTGRES, postgresMigrations } from './schema/index.ts';

/**
 * Characters of a term: what GIN indexes has 2,704 bytes at most. Longer ones go by their digest.
 */
const LONGEST_INDEXED = 500;

const terms: TermIndexes = {
  insert: (index, rows) =>
    sql`INSERT INTO ${sql.table(index)} (rowid, terms)
      VALUES ${sql.join(rows.map(([number, given]) => sql`(${number}, ${given.map(indexed)})`))}`,
  matches: (index, conditions) =>
    sql`(${sql.join(
      conditions.map((some) => sql`${sql.ref(`${index}.terms`)} && ${some.map(indexed)}::text[]`),
      sql` AND `,
    )})`,
  // Autovacuum does it.
  forgetRemoved: async () => undefined,
};

const postgresDialect: SqlDialect = {
  now: sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`,
  texts: (values) => sql`(SELECT unnest(${values}::text[]) AS value)`,
  textOf: (json, member) => sql`(${json}::json ->> ${sql.lit(member)})`,
  elements: (json, member) => sql`json_array_elements(coalesce(${json}::json -> ${sql.lit(member)}, '[]'))`,
  jsonArray: sql`json_build_array`,
  skipLocked: sql`FOR UPDATE SKIP LOCKED`,
  filtered: (column) => sql.ref(column),
  join: sql`JOIN`,
  lock,
  whileLocked: (database, row, statement) =>
    database.transaction().execute(async (transaction) => {
      await lock(transaction, row);
      return statement(transaction);
    }),
  stopWrites: async (transaction, tables) => {
    await sql`LOCK TABLE ${sql.join(tables.map((table) => sql.table(table)))} IN SHARE MODE`.execute(transaction);
  },
  continueNumbers: async (database) => {
    for (const table of ['reviews', 'executions']) {
      await sql`SELECT setval(pg_get_serial_sequence(${table}, 'number'), (SELECT max(number) FROM ${sql.table(table)}))`.execute(
        database,
      );
    }
  },
  terms,
};

async function lock(transaction: StateTransaction, row: LockedRow): Promise<void> {
  if (row === 'all tenants') {
    await sql`SELECT 1 FROM tenants ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
    return;
  }
  const { table, id, forRemoval } = row;
  // Rows that reference it can be added during this, except before its removal.
  const strength = forRemoval ? sql`FOR UPDATE` : sql`FOR NO KEY UPDATE`;
  await sql`SELECT 1 FROM ${sql.table(table)} WHERE id = ${id} ${strength}`.execute(transaction);
}

function indexed(text: string): string {
  return text.length <= LONGEST_INDEXED ? text : createHash('sha256').update(text).digest('hex');
}

export class PostgresStateAdapter extends PostgresAdapter implements DialectAdapter {
  readonly dialect = postgresDialect;
}

export interface PostgresDatabase {
  pool: PostgresPool;
  /** Kysely over the connections of the pool. */
  state: StateDatabase;
  clock: DatabaseClock;
  /** The id of all nodes together. */
  installationId: string;
  close(): Promise<void>;
}

const OLDEST_VERSION = 160_000;

/** Migrates the database if needed; of several nodes that start at once, one does. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDatabase> {
  const pool = await PostgresPool.open(options);
  const state = new Kysely<StateTables>({ dialect: new StateDialect({ pool: pool as never }) });
  let clock: DatabaseClock | undefined;
  const close = () => {
    clock?.stop();
    return pool.end();
  };
  try {
    await checkServer(pool);
    const applied = await appliedMigrations(pool);
    refuseOtherVersion(applied);
    if (Object.keys(postgresMigrations).some((name) => !applied.includes(name))) {
      if (applied.length > 0) await adopt(state);
      await migrate(state);
    }
    clock = await startClock(pool);
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM event_store');
    return { pool, state, clock, installationId: rows[0]!.id, close };
  } catch (error) {
    await close();
    throw error;
  }
}

class StateDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new PostgresStateAdapter();
  }
}

async function checkServer(pool: PostgresPool): Promise<void> {
  const { rows } = await pool.query<{ version: number; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
  );
  const { version, encoding } = rows[0]!;
  if (version < OLDEST_VERSION) {
    throw new Error(
      `The database of AGENT_RUNTIME_DATABASE_URL is PostgreSQL ${(version / 10_000) | 0}. It must be 16 or newer.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new Error(
      `The database of AGENT_RUNTIME_DATABASE_URL has the encoding ${encoding}. Create one with the encoding UTF8.`,
    );
  }
}

async function appliedMigrations(pool: PostgresPool): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string | null }>(
    `SELECT to_regclass('kysely_migration')::text AS name`,
  );
  if (tables[0]!.name === null) return [];
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name');
  return rows.map(({ name }) => name);
}

/** Tables of a newer release may be used while they do not break this one. */
function refuseOtherVersion(applied: readonly string[]): void {
  const breaking = applied.filter((name) => !(name in postgresMigrations) && name.endsWith('-contract'));
  if (breaking.length > 0) {
    throw new Error(
      `The database was migrated by a newer release (${breaking.join(', ')}), which this one cannot use. Update this node.`,
    );
  }
  const age = otherVersion(applied, POSTGRES);
  if (age?.is === 'older') {
    throw new Error(
      `The database was migrated by an older release (${age.by}), and cannot be read. Name another one with AGENT_RUNTIME_DATABASE_URL.`,
    );
  }
}

const UNDEFINED_TABLE = '42P01';

async function migrate(database: StateDatabase, isFirst = true): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => postgresMigrations } });
  // In one transaction, under an advisory lock that ends with it.
  const { error } = await migrator.migrateToLatest();
  // Kysely looks at the tables before it has the lock: another node may just be removing one.
  if (isFirst && (error as { code?: string } | undefined)?.code === UNDEFINED_TABLE) return migrate(database, false);
  if (error) throw error;
}
