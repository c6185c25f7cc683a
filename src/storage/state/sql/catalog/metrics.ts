import { sql } from 'kysely';
import type { Decision, MetricHead, MetricStore, StoredMetric } from '../../../../core/analytics/metrics/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { violationAsResult } from '../violations.ts';

type MetricRow = StateTables['metrics'];

export class SqlMetricStore implements MetricStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  /** The primary key refuses the second of two concurrent versions. */
  async add(tenantId: string, { definition, ...metric }: StoredMetric): Promise<'added' | 'conflict'> {
    const added = this.database
      .insertInto('metrics')
      .values({
        tenant_id: tenantId,
        name: metric.name,
        version: metric.version,
        definition: JSON.stringify(definition),
        state: metric.state,
        created_at: metric.createdAt,
        created_by: metric.createdBy,
        decided_at: metric.decidedAt,
        decided_by: metric.decidedBy,
      })
      .execute()
      .then(() => 'added' as const);
    return violationAsResult(added, { 'primary key': 'conflict' } as const);
  }

  async find(tenantId: string, name: string, version: number): Promise<StoredMetric | null> {
    const row = await this.named(tenantId, name).where('version', '=', version).executeTakeFirst();
    return row ? toMetric(row) : null;
  }

  async latest(tenantId: string, name: string): Promise<StoredMetric | null> {
    const row = await this.named(tenantId, name).orderBy('version', 'desc').limit(1).executeTakeFirst();
    return row ? toMetric(row) : null;
  }

  async versions(tenantId: string, name: string): Promise<MetricHead[]> {
    const rows = await this.heads(tenantId).where('name', '=', name).orderBy('version', 'desc').execute();
    return rows.map(toHead);
  }

  async some(tenantId: string, versions: readonly Pick<StoredMetric, 'name' | 'version'>[]): Promise<StoredMetric[]> {
    if (versions.length === 0) return [];
    const wanted = sql.join(versions.map(({ name, version }) => sql`(${name}, ${sql.lit(version)})`));
    const rows = await this.database
      .selectFrom('metrics')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`(name, version) IN (VALUES ${wanted})`)
      .orderBy('name')
      .orderBy('version')
      .execute();
    return rows.map(toMetric);
  }

  async current(tenantId: string): Promise<MetricHead[]> {
    const newest = sql<boolean>`(name, version) IN (SELECT name, max(version) FROM metrics WHERE tenant_id = ${tenantId} GROUP BY name)`;
    const rows = await this.heads(tenantId)
      .where((where) => where.or([where('state', '=', 'approved'), newest]))
      .orderBy('name')
      .orderBy('version')
      .execute();
    return rows.map(toHead);
  }

  async approve(tenantId: string, name: string, version: number, { at, by }: Decision): Promise<StoredMetric | null> {
    return this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, { table: 'tenants', id: tenantId });
      const decided = { decided_at: at, decided_by: by };
      const row = await transaction
        .updateTable('metrics')
        .set({ state: 'approved', ...decided })
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name)
        .where('version', '=', version)
        .returningAll()
        .executeTakeFirst();
      if (!row) return null;
      await transaction
        .updateTable('metrics')
        .set({ state: 'deprecated', ...decided })
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name)
        .where('state', '=', 'approved')
        .where('version', '!=', version)
        .execute();
      return toMetric(row);
    });
  }

  deprecate(
    tenantId: string,
    name: string,
    { at, by, approvedToo }: Decision & { approvedToo: boolean },
  ): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, { table: 'tenants', id: tenantId });
      const { numUpdatedRows } = await transaction
        .updateTable('metrics')
        .set({ state: 'deprecated', decided_at: at, decided_by: by })
        .where('tenant_id', '=', tenantId)
        .where('name', '=', name)
        .where('state', '!=', sql.lit('deprecated'))
        .$if(!approvedToo, (open) =>
          open.where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('metrics as approved')
                  .select('approved.version')
                  .where('approved.tenant_id', '=', tenantId)
                  .where('approved.name', '=', name)
                  .where('approved.state', '=', 'approved'),
              ),
            ),
          ),
        )
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }

  private heads(tenantId: string) {
    return this.database
      .selectFrom('metrics')
      .select(['name', 'version', 'state', 'created_at', 'created_by', 'decided_at', 'decided_by'])
      .select(sql<number>`octet_length(definition)`.as('bytes'))
      .where('tenant_id', '=', tenantId);
  }

  private named(tenantId: string, name: string) {
    return this.database.selectFrom('metrics').selectAll().where('tenant_id', '=', tenantId).where('name', '=', name);
  }
}

function toMetric({ definition, ...row }: MetricRow): StoredMetric {
  const { bytes: _, ...head } = toHead({ ...row, bytes: 0 });
  return { ...head, definition: JSON.parse(definition) as StoredMetric['definition'] };
}

function toHead(row: Omit<MetricRow, 'tenant_id' | 'definition'> & { bytes: number }): MetricHead {
  return {
    name: row.name,
    version: row.version,
    bytes: row.bytes,
    state: row.state,
    createdAt: row.created_at,
    createdBy: row.created_by,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
  };
}
