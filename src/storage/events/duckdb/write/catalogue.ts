import type { DuckDBConnection } from '@duckdb/node-api';
import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import type { JsonType } from '../../../../core/analytics/events/store.ts';
import { jsonPointer, TYPE_BIT } from '../../shared/known-names.ts';
import { KnownTenant, KnownTenants } from '../../shared/tenants.ts';
import { type ColumnCounts, KINDS, type Kind } from '../tables.ts';
import { TenantColumns } from './typed-columns.ts';

export interface TenantCounts {
  tenants: number;
  /** Learned columns of all tenants. */
  columns: number;
  /** Tenants with more keys than columns. */
  crowded: number;
}

/** What the tables know of tenants, loaded when it is first needed. */
export class Catalogue extends KnownTenants<TenantColumns> {
  counts: TenantCounts = { tenants: 0, columns: 0, crowded: 0 };
  private lastNumber = 0;

  /** Forgets what is not in the tables. */
  async open(connection: DuckDBConnection): Promise<void> {
    this.clear();
    const [lastNumber] = await row(connection, 'SELECT coalesce(max(number), 0) FROM tenants');
    this.lastNumber = Math.max(this.lastNumber, lastNumber!);
    this.counts = await countsIn(connection);
  }

  /** For a flush, which gives new tenants a number. */
  async load(connection: DuckDBConnection, tenantIds: string[]): Promise<void> {
    const missing = this.missing(tenantIds);
    for (const tenant of await loadTenants(connection, missing)) this.known.set(tenant.tenantId, tenant);
    for (const tenantId of missing) {
      if (this.known.has(tenantId)) continue;
      this.known.set(tenantId, new KnownTenant(tenantId, ++this.lastNumber, new TenantColumns()));
    }
  }

  inMemory(tenantId: string): KnownTenant<TenantColumns> | null {
    return this.known.get(tenantId) ?? null;
  }

  /**
   * Call it before a snapshot begins, and the result within the snapshot: the tenant then has every
   * column of the snapshot. Null if no event of the tenant was ever stored.
   */
  finder(tenantId: string): (connection: DuckDBConnection) => Promise<KnownTenant<TenantColumns> | null> {
    const { generation } = this;
    return async (connection) => {
      const known = this.known.get(tenantId);
      if (known) return known;
      const [loaded = null] = await loadTenants(connection, [tenantId]);
      const meanwhile = this.known.get(tenantId);
      if (meanwhile) return meanwhile;
      // Otherwise a flush may have changed it after the snapshot, and have been forgotten since.
      if (loaded && generation === this.generation && !this.isFull) this.known.set(tenantId, loaded);
      return loaded;
    };
  }

  columnsNeeded(tenantIds: Iterable<string>): ColumnCounts {
    const needed: ColumnCounts = { text: 0, integer: 0, double: 0, boolean: 0, container: 0 };
    for (const tenantId of tenantIds) {
      const { columns } = this.tenant(tenantId);
      for (const kind of KINDS) needed[kind] = Math.max(needed[kind], columns.used(kind));
    }
    return needed;
  }

  /** The same statements, however many tenants have changed. Call the result after the commit. */
  async save(connection: DuckDBConnection, tenantIds: Iterable<string>): Promise<() => void> {
    const changed = Array.from(tenantIds, (tenantId) => this.tenant(tenantId)).filter(
      ({ columns }) => columns.isChanged,
    );
    if (changed.length === 0) return () => undefined;
    const rows = <Row>(of: (tenant: KnownTenant<TenantColumns>) => Row[]) => JSON.stringify(changed.flatMap(of));
    await connection.run(SAVE_TENANTS, [
      rows(({ number, tenantId, columns: { learnedAll, missedDotted, listedAll } }) => [
        { number, tenantId, learnedAll, missedDotted, listedAll },
      ]),
    ]);
    await connection.run(ADD_COLUMNS, [
      rows(({ number, columns }) =>
        columns.added.map(({ path, kind, slot }) => ({ tenant: number, path: JSON.stringify(path), kind, slot })),
      ),
    ]);
    const retired = rows(({ number, columns }) =>
      columns.retired.map((path) => ({ tenant: number, path: JSON.stringify(path) })),
    );
    if (retired !== '[]') await connection.run(RETIRE_COLUMNS, [retired]);
    const counts = await countsIn(connection);
    return () => {
      this.counts = counts;
      for (const { columns } of changed) columns.saved();
    };
  }
}

async function row(connection: DuckDBConnection, sql: string): Promise<number[]> {
  return (await connection.runAndReadAll(sql)).getRows()[0]!.map(Number);
}

async function countsIn(connection: DuckDBConnection): Promise<TenantCounts> {
  const [tenants, columns, crowded] = await row(
    connection,
    'SELECT count(*), (SELECT count(*) FROM learned), count(*) FILTER (NOT learned_all) FROM tenants',
  );
  return { tenants: tenants!, columns: columns!, crowded: crowded! };
}

const SAVE_TENANTS = `INSERT INTO tenants
  SELECT r.number, r."tenantId", r."learnedAll", r."missedDotted", r."listedAll" FROM (SELECT unnest(from_json($1,
    '[{"number":"INTEGER","tenantId":"VARCHAR","learnedAll":"BOOLEAN","missedDotted":"BOOLEAN","listedAll":"BOOLEAN"}]')) AS r)
  ON CONFLICT DO UPDATE SET learned_all = excluded.learned_all, missed_dotted = excluded.missed_dotted,
    listed_all = excluded.listed_all`;

const ADD_COLUMNS = `INSERT INTO learned SELECT r.tenant, r.path, r.kind, r.slot, 0 FROM (SELECT unnest(from_json($1,
  '[{"tenant":"INTEGER","path":"VARCHAR","kind":"VARCHAR","slot":"INTEGER"}]')) AS r)`;

/** A retired column has an empty path. */
const RETIRE_COLUMNS = `UPDATE learned SET path = '[]' FROM (SELECT unnest(from_json($1,
  '[{"tenant":"INTEGER","path":"VARCHAR"}]')) AS r) WHERE learned.tenant = r.tenant AND learned.path = r.path`;

async function loadTenants(connection: DuckDBConnection, tenantIds: string[]): Promise<KnownTenant<TenantColumns>[]> {
  const read = async (sql: string, value: unknown) =>
    (await connection.runAndReadAll(sql, [JSON.stringify(value)])).getRows();
  if (tenantIds.length === 0) return [];
  const tenants = new Map<number, KnownTenant<TenantColumns>>();
  for (const [number, tenantId, learnedAll, missedDotted, listedAll] of await read(
    `SELECT number, tenant_id, learned_all, missed_dotted, listed_all FROM tenants
      WHERE tenant_id IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`,
    tenantIds,
  )) {
    const columns = Object.assign(new TenantColumns(), { learnedAll, missedDotted, listedAll, isChanged: false });
    tenants.set(Number(number), new KnownTenant(String(tenantId), Number(number), columns));
  }
  if (tenants.size === 0) return [];
  const numbers = [...tenants.keys()];
  const isOne = `WHERE tenant IN (SELECT unnest(from_json($1, '["INTEGER"]')))`;
  for (const [number, path, kind, slot] of await read(
    `SELECT tenant, path, kind, slot FROM learned ${isOne}`,
    numbers,
  )) {
    const keys = JSON.parse(String(path)) as PropertyPath;
    const pointer = keys.length === 0 ? null : jsonPointer(keys);
    tenants.get(Number(number))!.columns.restore(pointer, kind as Kind, Number(slot));
  }
  for (const [number, agentId, eventName] of await read(
    `SELECT tenant, agent_id, event_name FROM known_events ${isOne}`,
    numbers,
  )) {
    tenants.get(Number(number))!.eventNames(String(agentId), String(eventName));
  }
  for (const [number, agentId, eventName, json, type] of await read(
    `SELECT tenant, agent_id, event_name, path, type FROM known_properties ${isOne} ORDER BY seen_order`,
    numbers,
  )) {
    const path = JSON.parse(String(json)) as PropertyPath;
    const names = tenants.get(Number(number))!.eventNames(String(agentId), String(eventName));
    names?.note({ path, pointer: jsonPointer(path) }, TYPE_BIT[type as JsonType]);
  }
  return [...tenants.values()];
}
