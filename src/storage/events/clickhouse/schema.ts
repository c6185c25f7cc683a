import type { Clickhouse } from './client.ts';

/*
 * The table of events. ClickHouse never parses JSON: properties are taken apart before they are
 * inserted, into numbered typed columns (which tenant has which property in which column is a
 * matter of PostgreSQL's event_tenants) and, beyond those, into maps by JSON pointer. The exact
 * text is always stored.
 *
 * The server must be ClickHouse 24.8 or newer: nullable values in maps, positiveModulo, parallel
 * windows, sumKahan, quantilesExactInclusive, and months outside of 1970 to 2149. Settings that it
 * does not know are left out (`with_buckets`, which reads one key of a map alone, is of 2026).
 */

export const KINDS = ['text', 'number', 'boolean', 'container'] as const;
export type Kind = (typeof KINDS)[number];
/** Containers are in maps, so that lists can be searched. */
export type ColumnKind = Exclude<Kind, 'container'>;

export const TYPE_OF_KIND: Record<ColumnKind, string> = {
  text: 'LowCardinality(Nullable(String))',
  number: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
};

/**
 * Limits of a tenant; `container`: known paths of lists and objects, all others are looked
 * for.
 */
export const MAX_COLUMNS: Record<Kind, number> = { text: 48, number: 48, boolean: 16, container: 64 };
const FIRST_COLUMNS: Record<ColumnKind, number> = { text: 12, number: 12, boolean: 4 };
const GROWTH = 4;

export function columnName(kind: ColumnKind, slot: number): string {
  return `${kind}_${slot}`;
}

export const MAPS = {
  texts: 'Map(LowCardinality(String), Nullable(String))',
  numbers: 'Map(LowCardinality(String), Nullable(Float64))',
  booleans: 'Map(LowCardinality(String), Nullable(Bool))',
  containers: 'Map(LowCardinality(String), Nullable(String))',
  /** Elements with their type as the first character (`read/literals.ts`). */
  lists: 'Map(LowCardinality(String), Array(String))',
} as const;

export const MAP_OF_KIND: Record<Kind, keyof typeof MAPS> = {
  text: 'texts',
  number: 'numbers',
  boolean: 'booleans',
  container: 'containers',
};

/** `flush` and `position` are those of PostgreSQL; `flush_id` is the token of the insert. */
export const EVENT_COLUMNS = {
  tenant: 'UInt32',
  flush: 'UInt64',
  flush_id: 'LowCardinality(String)',
  position: 'UInt64 CODEC(Delta, ZSTD(1))',
  agent_id: 'LowCardinality(String)',
  event_name: 'LowCardinality(String)',
  // Every question reads it: T64 is unpacked faster than ZSTD, and takes a seventh more.
  timestamp: 'Int64 CODEC(Delta, T64, LZ4)',
  id: 'String CODEC(ZSTD(1))',
  thread_id: 'Nullable(String) CODEC(ZSTD(1))',
  execution_id: 'Nullable(String) CODEC(ZSTD(1))',
  properties: 'String CODEC(ZSTD(1))',
} as const;

/**
 * A retry is known by its token for so many inserts. Without fsync the engine acknowledges what a
 * power loss takes.
 */
export const SETTINGS: Record<string, string> = {
  non_replicated_deduplication_window: '10000',
  replicated_deduplication_window: '10000',
  fsync_after_insert: '1',
  fsync_part_directory: '1',
  map_serialization_version: "'with_buckets'",
  map_serialization_version_for_zero_level_parts: "'with_buckets'",
};

/** The tables' names in statements. */
export interface Tables {
  events: string;
  /** Keeps nothing: an insert only tries whether the engine accepts the rows. */
  trial: string;
}

export function tablesOf({ database }: Clickhouse): Tables {
  return { events: `${database}.events`, trial: `${database}.events_trial` };
}

/** In a table of `system` whose `column` names tables. */
export function ofEvents({ database }: Clickhouse, column: 'name' | 'table'): string {
  return `database = '${database.slice(1, -1).replaceAll("'", "''")}' AND ${column} = 'events'`;
}

const OLDEST = [24, 8] as const;
export const OLDEST_VERSION = OLDEST.join('.');

/** `version` as the server says it: 26.8.19.9 for example. */
export function isSupported(version: string): boolean {
  const [year = 0, month = 0] = version.split('.').map(Number);
  return year > OLDEST[0] || (year === OLDEST[0] && month >= OLDEST[1]);
}

/** Throws for a server that is too old. */
export async function checkVersion(clickhouse: Clickhouse): Promise<void> {
  const [[version] = ['']] = await clickhouse.rows<[string]>('SELECT version()');
  if (isSupported(version)) return;
  throw new Error(
    `The server of AGENT_RUNTIME_CLICKHOUSE_URL is ClickHouse ${version}. It must be ${OLDEST_VERSION} or newer.`,
  );
}

export async function createTables(clickhouse: Clickhouse): Promise<void> {
  const { events, trial } = tablesOf(clickhouse);
  const known = new Set((await clickhouse.rows<[string]>('SELECT name FROM system.merge_tree_settings')).flat());
  const settings = Object.entries(SETTINGS).filter(([name]) => known.has(name));
  const columns = [
    ...Object.entries({ ...EVENT_COLUMNS, ...MAPS }).map(([name, type]) => `${name} ${type}`),
    ...Object.entries(FIRST_COLUMNS).flatMap(([kind, count]) => definitions(kind as ColumnKind, 0, count)),
    'INDEX flushes flush TYPE minmax GRANULARITY 1',
  ];
  await clickhouse.command(
    `CREATE TABLE IF NOT EXISTS ${events} (${columns.join(', ')}) ENGINE = MergeTree ORDER BY (tenant, event_name, timestamp) ` +
      `SETTINGS ${settings.map(([name, value]) => `${name} = ${value}`).join(', ')}`,
  );
  await clickhouse.command(`CREATE TABLE IF NOT EXISTS ${trial} (${columns.slice(0, -1).join(', ')}) ENGINE = Null`);
}

/** Adds the columns that are missing; every node may do so at any time. */
export async function addColumns(
  clickhouse: Clickhouse,
  kind: ColumnKind,
  { present, needed }: { present: number; needed: number },
): Promise<number> {
  const count = Math.min(MAX_COLUMNS[kind], needed + GROWTH);
  const added = definitions(kind, present, count).map((column) => `ADD COLUMN IF NOT EXISTS ${column}`);
  for (const table of Object.values(tablesOf(clickhouse))) {
    await clickhouse.command(`ALTER TABLE ${table} ${added.join(', ')}`);
  }
  return count;
}

/** How many columns of each kind every table has. */
export function firstColumns(): Record<ColumnKind, number> {
  return { ...FIRST_COLUMNS };
}

function definitions(kind: ColumnKind, from: number, to: number): string[] {
  return Array.from(
    { length: Math.max(0, to - from) },
    (_, at) => `${columnName(kind, from + at)} ${TYPE_OF_KIND[kind]}`,
  );
}
