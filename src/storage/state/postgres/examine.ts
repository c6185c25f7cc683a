import type { StateTables } from '../schema/types.ts';
import { type ExaminedRows, examineRows } from '../sql/examined.ts';
import { startClock } from './clock.ts';
import { PostgresPool } from './pool.ts';
import { postgresMigrations } from './schema/index.ts';

/** Facts about a database. Reading them changes nothing. */
export interface PostgresFound {
  /** The form of `server_version_num`: 160004 is 16.4. */
  version: number;
  database: string;
  encoding: string;
  isStandby: boolean;
  /** Names of settings that are off, and so lose commits at a power failure. */
  unsafeSettings: string[];
  connections: { used: number; maximum: number };
  /** Version of the extension pgvector; null: not installed in this database. */
  pgvector: string | null;
  /** Whether the server has it to install. */
  hasPgvector: boolean;
  migrations: { missing: string[]; unknown: string[] };
  tenants: number;
  keys: number;
  /** Its clock minus this machine's, in milliseconds. */
  clockAheadMs: number;
  encrypted: boolean;
}

const ABOUT_SERVER = `SELECT current_setting('server_version_num')::int AS version, current_database() AS database,
    current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isStandby",
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit",
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
    current_setting('max_connections')::int AS maximum,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector,
    EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector') AS "hasPgvector",
    coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted,
    to_regclass('kysely_migration')::text AS migrated`;

interface ServerRow {
  version: number;
  database: string;
  encoding: string;
  isStandby: 0 | 1;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  used: number;
  maximum: number;
  pgvector: string | null;
  hasPgvector: 0 | 1;
  encrypted: 0 | 1;
  migrated: string | null;
}

/** Throws `unavailable`, and the server's own error for a wrong password or database. */
export async function examinePostgres(url: string): Promise<PostgresFound> {
  const pool = await PostgresPool.open({ url, connections: 1 });
  try {
    const clock = await startClock(pool);
    clock.stop();
    const row = (await pool.query<ServerRow>(ABOUT_SERVER)).rows[0]!;
    const { version, database, encoding, used, maximum, pgvector } = row;
    return {
      ...{ version, database, encoding, pgvector, connections: { used, maximum } },
      isStandby: row.isStandby === 1,
      hasPgvector: row.hasPgvector === 1,
      encrypted: row.encrypted === 1,
      unsafeSettings: unsafeSettings(row),
      ...(await examineTables(pool, row.migrated !== null)),
      clockAheadMs: clock.now() - Date.now(),
    };
  } finally {
    await pool.end();
  }
}

export type SealingKeyRow = StateTables['sealing_keys'];

/** The rows of a database that has all tables. */
export async function examinePostgresRows(url: string): Promise<ExaminedRows & { sealingKeys: SealingKeyRow[] }> {
  const pool = await PostgresPool.open({ url, connections: 1 });
  try {
    const examined = await examineRows(async (statement) => (await pool.query(statement)).rows);
    const { rows: sealingKeys } = await pool.query<SealingKeyRow>('SELECT * FROM sealing_keys ORDER BY created_at, id');
    return { ...examined, sealingKeys };
  } finally {
    await pool.end();
  }
}

function unsafeSettings({ fsync, fullPageWrites, synchronousCommit }: ServerRow): string[] {
  const settings = { fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit };
  return Object.entries(settings)
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);
}

async function examineTables(pool: PostgresPool, isMigrated: boolean) {
  const known = Object.keys(postgresMigrations);
  if (!isMigrated) return { migrations: { missing: known, unknown: [] }, tenants: 0, keys: 0 };
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name');
  const applied = rows.map(({ name }) => name);
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  const { rows: counts } = await pool.query<{ tenants: number; keys: number }>(
    `SELECT (SELECT count(*) FROM tenants) AS tenants, (SELECT count(*) FROM api_keys
      WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)) AS keys`,
    [Date.now()],
  );
  return { migrations: { missing, unknown }, ...counts[0]! };
}
