import { PostgresPool } from '../../state/postgres/pool.ts';
import { Clickhouse } from './client.ts';
import { ofEvents, SETTINGS } from './schema.ts';
import { Backlog, type BacklogSize } from './write/backlog.ts';
import { FLUSH_LEASE } from './write/flusher.ts';
import { quarantined } from './write/quarantine.ts';

export interface ServerFound {
  /** 26.8.19.9 for example. */
  version: string;
  /** Its clock minus this machine's, in milliseconds. */
  clockAheadMs: number;
}

export interface PartsFound {
  parts: number;
  rows: number;
  bytes: number;
  /** Parts of one partition; the engine delays inserts from `delayAt` on. */
  most: number;
  delayAt: number;
}

export interface MutationsFound {
  /** That are not done. */
  count: number;
  oldestSeconds: number;
  /** Why the engine could not carry one out. */
  failure: string | null;
}

export interface DiskFound {
  name: string;
  freeBytes: number;
  totalBytes: number;
}

const ANSWER_MS = 10_000;
const RIGHTS = ['SELECT', 'INSERT', 'ALTER', 'CREATE TABLE', 'DROP TABLE', 'TRUNCATE', 'OPTIMIZE'];
const SETTINGS_READ = [...Object.keys(SETTINGS), 'parts_to_delay_insert'];

/**
 * The report of a server on itself and its table of events. Reading it changes nothing. Throws the
 * client's errors.
 */
export class ClickhouseExamination {
  private readonly clickhouse: Clickhouse;

  private constructor(clickhouse: Clickhouse) {
    this.clickhouse = clickhouse;
  }

  static async open(url: string): Promise<ClickhouseExamination> {
    return new ClickhouseExamination(await Clickhouse.open({ url, queryTimeoutMs: ANSWER_MS }));
  }

  async server(): Promise<ServerFound> {
    const asked = Date.now();
    const [row] = await this.clickhouse.examine<[string, number]>('SELECT version(), toUnixTimestamp64Milli(now64(3))');
    return { version: row![0], clockAheadMs: Number(row![1]) - (asked + Date.now()) / 2 };
  }

  /** Rights of the user that are missing on the database. */
  async missingRights(): Promise<string[]> {
    const missing: string[] = [];
    for (const right of RIGHTS) {
      const [row] = await this.clickhouse.examine<[number]>(`CHECK GRANT ${right} ON ${this.clickhouse.database}.*`);
      if (Number(row![0]) === 0) missing.push(right);
    }
    return missing;
  }

  /**
   * The setting of the table of events, or of the server where the table has none; null without a
   * table.
   */
  async tableSettings(): Promise<Map<string, string> | null> {
    const [table] = await this.clickhouse.examine<[string, string]>(
      `SELECT engine, engine_full FROM system.tables WHERE ${ofEvents(this.clickhouse, 'name')}`,
    );
    if (!table) return null;
    const names = SETTINGS_READ.map((name) => `'${name}'`).join(', ');
    const server = await this.clickhouse.examine<[string, string]>(
      `SELECT name, value FROM system.merge_tree_settings WHERE name IN (${names})`,
    );
    const own = [...table[1].matchAll(/\b(\w+) = ('[^']*'|[^,\s]+)/g)].map(
      ([, name, value]) => [name!, value!] as const,
    );
    return new Map([...server, ...own, ['engine', table[0]]]);
  }

  async maxInsertThreads(): Promise<string | null> {
    const [row] = await this.clickhouse.examine<[string]>(
      `SELECT value FROM system.settings WHERE name = 'max_insert_threads'`,
    );
    return row?.[0] ?? null;
  }

  async parts(): Promise<PartsFound> {
    const [row] = await this.clickhouse.examine<number[]>(
      `SELECT sum(parts), sum(rows), sum(bytes), max(parts),
          (SELECT toUInt64(value) FROM system.merge_tree_settings WHERE name = 'parts_to_delay_insert')
        FROM (SELECT count() AS parts, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
          WHERE ${ofEvents(this.clickhouse, 'table')} AND active GROUP BY partition)`,
    );
    const [parts, rows, bytes, most, delayAt] = row!.map(Number) as [number, number, number, number, number];
    return { parts, rows, bytes, most, delayAt };
  }

  async mutations(): Promise<MutationsFound> {
    const [row] = await this.clickhouse.examine<[number, number, string]>(
      `SELECT count(), dateDiff('second', min(create_time), now()), anyIf(latest_fail_reason, latest_fail_reason != '')
        FROM system.mutations WHERE ${ofEvents(this.clickhouse, 'table')} AND NOT is_done`,
    );
    const [count, oldestSeconds, failure] = row!;
    return { count: Number(count), oldestSeconds: Number(oldestSeconds), failure: failure || null };
  }

  async disks(): Promise<DiskFound[]> {
    const rows = await this.clickhouse.examine<[string, number, number]>(
      'SELECT name, free_space, total_space FROM system.disks ORDER BY name',
    );
    return rows.map(([name, free, total]) => ({ name, freeBytes: Number(free), totalBytes: Number(total) }));
  }

  close(): Promise<void> {
    return this.clickhouse.close();
  }
}

export interface SpoolFound extends BacklogSize {
  quarantined: number;
  /** Whether a node moves events at the moment. */
  isMoved: boolean;
}

/** Events that are accepted and not visible yet, by the database's clock. The tables must exist. */
export async function examineEventSpool(databaseUrl: string): Promise<SpoolFound> {
  const pool = await PostgresPool.open({ url: databaseUrl, connections: 1 });
  try {
    const { rows } = await pool.query<{ held: number }>(
      'SELECT count(*) AS held FROM leases WHERE name = $1 AND held_until > clock_timestamp()',
      [FLUSH_LEASE],
    );
    const size = await new Backlog(pool, Number.POSITIVE_INFINITY).measure();
    return { ...size, quarantined: await quarantined(pool), isMoved: rows[0]!.held > 0 };
  } finally {
    await pool.end();
  }
}
