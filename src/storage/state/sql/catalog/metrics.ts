import { sql } from 'kysely';
import type {
  Decision,
  MetricHead,
  MetricStore,
  StoredMetric,
  StoredTerm,
  TermStore,
} from '../../../../core/analytics/metrics/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { NamedRows } from '../named-rows.ts';
import { fromRow, toRow } from '../rows.ts';
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
      .values({ ...toRow(metric), tenant_id: tenantId, definition: JSON.stringify(definition) })
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
    return rows.map(fromRow);
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
    return rows.map(fromRow);
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

  async remove(tenantId: string, name: string): Promise<void> {
    await this.database.deleteFrom('metrics').where('tenant_id', '=', tenantId).where('name', '=', name).execute();
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

function toMetric({ tenant_id: _, definition, ...row }: MetricRow): StoredMetric {
  return { ...fromRow(row), definition: JSON.parse(definition) };
}

type TermRow = StateTables['terms'];

/** The glossary. */
export class SqlTermStore extends NamedRows<TermRow, StoredTerm> implements TermStore {
  constructor(database: StateDatabase) {
    super(database, { table: 'terms', key: 'term', updated: ['definition'], toItem: toTerm, toRow: toTermRow });
  }
}

function toTerm({ definition, created_at: createdAt, updated_at: updatedAt }: TermRow): StoredTerm {
  return { ...(JSON.parse(definition) as StoredTerm), createdAt, updatedAt };
}

function toTermRow(tenantId: string, { createdAt, updatedAt, ...term }: StoredTerm): TermRow {
  const definition = JSON.stringify(term);
  return { ...toRow({ tenantId, createdAt, updatedAt }), term: term.term, definition };
}
