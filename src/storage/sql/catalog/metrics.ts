import { sql } from 'kysely';
import type { Decision, MetricStore, StoredMetric } from '../../../core/metrics/store.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import type { StateTables } from '../schema.ts';
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

  async versions(tenantId: string, name: string): Promise<StoredMetric[]> {
    return (await this.named(tenantId, name).orderBy('version', 'desc').execute()).map(toMetric);
  }

  async current(tenantId: string): Promise<StoredMetric[]> {
    const newest = sql<boolean>`version = (SELECT max(version) FROM metrics AS other WHERE other.tenant_id = metrics.tenant_id AND other.name = metrics.name)`;
    const rows = await this.database
      .selectFrom('metrics')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where((where) => where.or([where('state', '=', 'approved'), newest]))
      .orderBy('name')
      .orderBy('version')
      .execute();
    return rows.map(toMetric);
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

  private named(tenantId: string, name: string) {
    return this.database.selectFrom('metrics').selectAll().where('tenant_id', '=', tenantId).where('name', '=', name);
  }
}

function toMetric(row: MetricRow): StoredMetric {
  return {
    name: row.name,
    version: row.version,
    definition: JSON.parse(row.definition) as StoredMetric['definition'],
    state: row.state,
    createdAt: row.created_at,
    createdBy: row.created_by,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
  };
}
