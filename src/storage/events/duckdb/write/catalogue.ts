import type { DuckDBConnection } from '@duckdb/node-api';
import type { KnownProperty } from '../../../../core/analytics/events/store.ts';
import { type ColumnCounts, KINDS, type Kind } from '../tables.ts';
import { addProperties, KnownTenant, loadKnownNames, type NewProperty } from './known.ts';
import { TenantColumns } from './typed-columns.ts';

/** Not rolled back with a transaction: a column that no row uses yet does no harm. */
export class Catalogue {
  private readonly tenants = new Map<string, KnownTenant>();
  private lastNumber = 0;
  private newProperties: NewProperty[] = [];

  /** Forgets what is not in the tables. */
  async load(connection: DuckDBConnection): Promise<void> {
    this.tenants.clear();
    this.lastNumber = 0;
    this.newProperties = [];
    const byNumber = new Map<number, KnownTenant>();
    const tenants = await connection.runAndReadAll(
      'SELECT number, tenant_id, learned_all, missed_dotted, listed_all FROM tenants',
    );
    for (const [number, tenantId, learnedAll, missedDotted, listedAll] of tenants.getRows()) {
      const paths = new TenantColumns(Number(number), String(tenantId));
      paths.learnedAll = learnedAll === true;
      paths.missedDotted = missedDotted === true;
      paths.listedAll = listedAll === true;
      const tenant = new KnownTenant(paths);
      this.tenants.set(paths.tenantId, tenant);
      this.lastNumber = Math.max(this.lastNumber, paths.number);
      byNumber.set(paths.number, tenant);
    }
    const learned = await connection.runAndReadAll('SELECT tenant, path, kind, slot FROM learned');
    for (const [number, path, kind, index] of learned.getRows()) {
      byNumber.get(Number(number))?.paths.restore(JSON.parse(String(path)) as string[], kind as Kind, Number(index));
    }
    await loadKnownNames(connection, byNumber);
    for (const { paths } of byNumber.values()) paths.savedRevision = paths.revision;
  }

  tenant(tenantId: string): KnownTenant {
    const known = this.tenants.get(tenantId);
    if (known) return known;
    const tenant = new KnownTenant(new TenantColumns(++this.lastNumber, tenantId));
    this.tenants.set(tenantId, tenant);
    return tenant;
  }

  /** Buffered until a flush has written it. */
  addProperty(property: NewProperty): void {
    this.newProperties.push(property);
  }

  properties(tenantId: string, agentId: string | null, eventNames: string[]): KnownProperty[] {
    return this.tenants.get(tenantId)?.properties(agentId, eventNames) ?? [];
  }

  find(tenantId: string): TenantColumns | null {
    return this.tenants.get(tenantId)?.paths ?? null;
  }

  forgetNames(tenantId: string, names: { agentId: string; eventName: string }[]): void {
    for (const { agentId, eventName } of names) this.tenants.get(tenantId)?.forgetName(agentId, eventName);
  }

  forget(tenantId: string): void {
    this.tenants.delete(tenantId);
  }

  columnsNeeded(): ColumnCounts {
    const needed: ColumnCounts = { text: 0, integer: 0, double: 0, boolean: 0, container: 0 };
    for (const { paths } of this.tenants.values()) {
      const used = paths.columnsUsed();
      for (const kind of KINDS) needed[kind] = Math.max(needed[kind], used[kind]);
    }
    return needed;
  }

  get size(): number {
    return this.tenants.size;
  }

  /** Crowded tenants have more keys than columns. */
  learned(): { columns: number; crowded: number } {
    let columns = 0;
    let crowded = 0;
    for (const { paths } of this.tenants.values()) {
      for (const used of Object.values(paths.columnsUsed())) columns += used;
      if (!paths.learnedAll) crowded += 1;
    }
    return { columns, crowded };
  }

  /** Call the result after the commit; it returns whether anything changed. */
  async save(connection: DuckDBConnection): Promise<() => boolean> {
    const changed = [...this.tenants.values()]
      .map(({ paths }) => paths)
      .filter((paths) => paths.revision > paths.savedRevision);
    const revisions = changed.map((paths) => paths.revision);
    for (const paths of changed) await saveTenant(connection, paths);
    const properties = [...this.newProperties];
    await addProperties(connection, properties);
    return () => {
      this.newProperties.splice(0, properties.length);
      for (const [index, paths] of changed.entries()) paths.savedRevision = revisions[index]!;
      return changed.length > 0;
    };
  }
}

async function saveTenant(connection: DuckDBConnection, paths: TenantColumns): Promise<void> {
  const { number, tenantId, learnedAll, missedDotted, listedAll } = paths;
  await connection.run(
    `INSERT INTO tenants VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO UPDATE SET learned_all = excluded.learned_all,
      missed_dotted = excluded.missed_dotted, listed_all = excluded.listed_all`,
    [number, tenantId, learnedAll, missedDotted, listedAll],
  );
  const columns = [...paths.columns()].map(({ path, kind, index }) => ({
    tenant: number,
    path: JSON.stringify(path),
    kind,
    slot: index,
  }));
  await connection.run('DELETE FROM learned WHERE tenant = $1', [number]);
  await connection.run(
    `INSERT INTO learned SELECT r.tenant, r.path, r.kind, r.slot, 0 FROM (SELECT unnest(from_json($1,
      '[{"tenant":"INTEGER","path":"VARCHAR","kind":"VARCHAR","slot":"INTEGER"}]')) AS r)`,
    [JSON.stringify(columns)],
  );
}
