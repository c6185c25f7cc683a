import { type RawBuilder, sql } from 'kysely';
import type { Answers } from '../../../../core/agents/assessments/schema.ts';
import type {
  AnswersFilter,
  AssessmentPlace,
  AssessmentStore,
  PersonsAnswers,
  StoredAssessment,
} from '../../../../core/agents/assessments/store.ts';
import type { ErasedConversations } from '../../../../core/agents/executions/store.ts';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateReader } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { removeAll, someErased } from '../executions/erased.ts';
import { fromRow, toRow } from '../rows.ts';

export class SqlAssessmentStore implements AssessmentStore {
  private readonly database: StateDatabase;
  private readonly reader: StateReader;

  constructor(database: StateDatabase, reader: StateReader) {
    this.database = database;
    this.reader = reader;
  }

  async put(tenantId: string, assessment: StoredAssessment) {
    const row = await this.database
      .insertInto('assessments')
      .values(toAssessmentRow(tenantId, assessment))
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'execution_id', 'rubric', 'assessor_type', 'assessor_id'])
          .doUpdateSet((update) => ({
            version: update.ref('excluded.version'),
            assessor_label: update.ref('excluded.assessor_label'),
            answers: update.ref('excluded.answers'),
            comment: update.ref('excluded.comment'),
            updated_at: update.ref('excluded.updated_at'),
          })),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    return { created: row.id === assessment.id, assessment: toAssessment(row) };
  }

  async find(tenantId: string, executionId: string, id: string): Promise<StoredAssessment | null> {
    const row = await this.of(tenantId, executionId).selectAll().where('id', '=', id).executeTakeFirst();
    return row ? toAssessment(row) : null;
  }

  async list(
    tenantId: string,
    executionId: string,
    { limit, after }: { limit: number; after: AssessmentPlace | null },
  ): Promise<Page<StoredAssessment>> {
    const rows = await this.of(tenantId, executionId)
      .selectAll()
      .$if(after !== null, (all) => all.where(sql<boolean>`(created_at, id) > (${after!.createdAt}, ${after!.id})`))
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    const total = (await this.countsOf(tenantId, [executionId])).get(executionId) ?? 0;
    return { items: rows.map(toAssessment), total };
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.database
      .deleteFrom('assessments')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async countsOf(tenantId: string, executionIds: readonly string[]): Promise<Map<string, number>> {
    if (executionIds.length === 0) return new Map();
    const { rows } = await sql<{ id: string; count: number }>`
      SELECT execution_id AS id, count(*) AS count FROM assessments
      WHERE tenant_id = ${tenantId} AND ${this.isOneOf(executionIds)} GROUP BY execution_id`.execute(this.database);
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  async ofExecutions(tenantId: string, executionIds: readonly string[]): Promise<Map<string, StoredAssessment[]>> {
    if (executionIds.length === 0) return new Map();
    const rows = await this.reader
      .selectFrom('assessments')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where(this.isOneOf(executionIds))
      .orderBy('execution_id')
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return Map.groupBy(rows.map(toAssessment), ({ executionId }) => executionId);
  }

  async newestAnswered(tenantId: string, rubric: string): Promise<number | null> {
    const row = await ofPeople(this.database, tenantId, rubric)
      .select((of) => of.fn.max('version').as('version'))
      .executeTakeFirst();
    return row?.version ?? null;
  }

  answersPage(
    tenantId: string,
    { rubric, version, from, to }: AnswersFilter,
    after: Pick<PersonsAnswers, 'executionId' | 'id'> | null,
    limit: number,
  ): Promise<PersonsAnswers[]> {
    return ofPeople(this.reader, tenantId, rubric)
      .select(['id', 'execution_id as executionId', 'assessor_id as assessorId', 'answers'])
      .where('version', '=', version)
      .$if(from !== null, (all) => all.where('created_at', '>=', from!))
      .$if(to !== null, (all) => all.where('created_at', '<', to!))
      .$if(after !== null, (all) => all.where(sql<boolean>`(execution_id, id) > (${after!.executionId}, ${after!.id})`))
      .orderBy('execution_id')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  async erase(tenantId: string, erased: ErasedConversations | null): Promise<number> {
    const some = someErased<string>(this.database, ['assessments', 'id'], tenantId, erased);
    const removal = this.database.deleteFrom('assessments').where('tenant_id', '=', tenantId).where('id', 'in', some);
    return removeAll(async () => Number((await removal.executeTakeFirst()).numDeletedRows));
  }

  private of(tenantId: string, executionId: string) {
    return this.database
      .selectFrom('assessments')
      .where('tenant_id', '=', tenantId)
      .where('execution_id', '=', executionId);
  }

  private isOneOf(executionIds: readonly string[]): RawBuilder<boolean> {
    return sql`execution_id IN (SELECT value FROM ${dialectOf(this.database).texts(executionIds)} AS given)`;
  }
}

/** With a literal, which the partial index needs. */
function ofPeople(reader: StateReader, tenantId: string, rubric: string) {
  return reader
    .selectFrom('assessments')
    .where('tenant_id', '=', tenantId)
    .where('rubric', '=', rubric)
    .where('assessor_type', '=', sql.lit('user'));
}

function toAssessmentRow(
  tenantId: string,
  { assessor, answers, ...assessment }: StoredAssessment,
): StateTables['assessments'] {
  const { type, id, label } = assessor;
  return {
    ...toRow(assessment),
    tenant_id: tenantId,
    ...{ assessor_type: type, assessor_id: id, assessor_label: label },
    answers: JSON.stringify(answers),
  };
}

function toAssessment({ tenant_id: _, ...row }: StateTables['assessments']): StoredAssessment {
  const { assessor_type: type, assessor_id: id, assessor_label: label, answers, ...rest } = row;
  return { ...fromRow(rest), assessor: { type, id, label }, answers: JSON.parse(answers) as Answers };
}
