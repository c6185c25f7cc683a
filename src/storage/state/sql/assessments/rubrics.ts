import { sql } from 'kysely';
import type { RubricDefinition } from '../../../../core/agents/assessments/rubric-schema.ts';
import type { RubricHead, RubricStore, StoredRubric } from '../../../../core/agents/assessments/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { fromRow, toRow } from '../rows.ts';
import { violationAsResult } from '../violations.ts';

export class SqlRubricStore implements RubricStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  /** The primary key refuses the second of two concurrent versions. */
  async add(tenantId: string, { title, questions, ...rubric }: StoredRubric): Promise<'added' | 'conflict'> {
    const added = this.database
      .insertInto('rubrics')
      .values({ ...toRow(rubric), tenant_id: tenantId, definition: JSON.stringify({ title, questions }) })
      .execute()
      .then(() => 'added' as const);
    return violationAsResult(added, { 'primary key': 'conflict' } as const);
  }

  async find(tenantId: string, name: string, version?: number): Promise<StoredRubric | null> {
    const row = await this.of(tenantId)
      .where('name', '=', name)
      .$if(version !== undefined, (rubrics) => rubrics.where('version', '=', version!))
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ? toRubric(row) : null;
  }

  async heads(tenantId: string): Promise<RubricHead[]> {
    const { rows } = await sql<RubricHead>`
      SELECT name, version, octet_length(definition) AS bytes FROM rubrics
      WHERE tenant_id = ${tenantId} AND (name, version) IN (
        SELECT name, max(version) FROM rubrics WHERE tenant_id = ${tenantId} GROUP BY name)
      ORDER BY name`.execute(this.database);
    return rows;
  }

  async some(tenantId: string, versions: readonly Pick<RubricHead, 'name' | 'version'>[]): Promise<StoredRubric[]> {
    if (versions.length === 0) return [];
    const wanted = sql.join(versions.map(({ name, version }) => sql`(${name}, ${sql.lit(version)})`));
    const rows = await this.of(tenantId)
      .where(sql<boolean>`(name, version) IN (VALUES ${wanted})`)
      .orderBy('name')
      .orderBy('version')
      .execute();
    return rows.map(toRubric);
  }

  private of(tenantId: string) {
    return this.database.selectFrom('rubrics').selectAll().where('tenant_id', '=', tenantId);
  }
}

function toRubric({ tenant_id: _, definition, ...row }: StateTables['rubrics']): StoredRubric {
  return { ...fromRow(row), ...(JSON.parse(definition) as RubricDefinition) };
}
