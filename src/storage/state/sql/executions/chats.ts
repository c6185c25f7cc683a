import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { AbandonableChat, RecordedChat, RunningChat } from '../../../../core/agents/executions/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { runsElsewhere } from '../installation.ts';
import { toExecutionRow, toFacts } from './rows.ts';

type Row = StateTables['executions'];

const COLUMNS = [
  'tenant_id',
  'id',
  'id_from_caller',
  'agent_id',
  'thread_id',
  'status',
  'provider',
  'model',
  'usage',
  'shape',
  'content_length',
  'revision',
  'started_at',
  'completed_at',
  'created_at',
  'updated_at',
  'created_by',
  'chat',
  'runner',
] as const satisfies readonly (keyof Row)[];

const CHANGED = [
  'status',
  'provider',
  'model',
  'usage',
  'shape',
  'content_length',
  'completed_at',
  'updated_at',
  'chat',
  'runner',
] as const;

/** Without values: they are bound in the order of the statement. */
const VALUE = sql.val(null);
const values = sql.join(COLUMNS.map(() => VALUE));
const assignments = sql.join(CHANGED.map((name) => sql`${sql.ref(name)} = ${VALUE}`));

const STATEMENTS = {
  insert: sql`INSERT INTO executions (${sql.join(COLUMNS.map((name) => sql.ref(name)))})
    SELECT ${values} WHERE EXISTS (SELECT 1 FROM tenants WHERE id = ${VALUE})`,
  insertContent: sql`INSERT INTO execution_contents (tenant_id, execution_id, messages, output)
    VALUES (${VALUE}, ${VALUE}, ${VALUE}, ${VALUE})`,
  update: sql`UPDATE executions SET ${assignments}, revision = revision + 1 WHERE tenant_id = ${VALUE} AND id = ${VALUE}`,
  updateContent: sql`UPDATE execution_contents SET messages = ${VALUE}, output = ${VALUE}
    WHERE tenant_id = ${VALUE} AND execution_id = ${VALUE}`,
};

export type ChatStatements = Record<keyof typeof STATEMENTS, CompiledQuery>;

/** Once: building a statement takes longer than running it. */
export function compileChatStatements(database: StateDatabase): ChatStatements {
  const compile = (statement: RawBuilder<unknown>) => statement.compile(database);
  const { insert, insertContent, update, updateContent } = STATEMENTS;
  return {
    insert: compile(insert),
    insertContent: compile(insertContent),
    update: compile(update),
    updateContent: compile(updateContent),
  };
}

/** One transaction: a commit costs more than its statements. */
export function recordChats(
  database: StateDatabase,
  { statements, runner }: { statements: ChatStatements; runner: string },
  chats: RecordedChat[],
): Promise<Set<string>> {
  return database.transaction().execute(async (transaction) => {
    const run = async (statement: CompiledQuery, parameters: readonly unknown[]) =>
      (await transaction.executeQuery({ ...statement, parameters })).numAffectedRows === 1n;
    const kept = new Set<string>();
    for (const { tenantId, execution, isKnown } of chats) {
      const { id, messages, output } = execution;
      const row = { ...toExecutionRow(tenantId, execution, 1), runner: execution.status === 'running' ? runner : null };
      const isKept = isKnown
        ? (await run(statements.update, [...CHANGED.map((name) => row[name]), tenantId, id])) &&
          (await run(statements.updateContent, [messages, output, tenantId, id]))
        : (await run(statements.insert, [...COLUMNS.map((name) => row[name]), tenantId])) &&
          (await run(statements.insertContent, [tenantId, id, messages, output]));
      if (isKept) kept.add(id);
    }
    return kept;
  });
}

/** Exactly as in the partial index. */
const IS_RUNNING = "status = 'running' AND chat IS NOT NULL";

export async function runningChats(
  database: StateDatabase,
  runner: string,
  after: RunningChat | null,
  limit: number,
): Promise<AbandonableChat[]> {
  const rows = await database
    .selectFrom('executions')
    .selectAll()
    .where(sql<boolean>`${sql.raw(IS_RUNNING)}`)
    .where(sql<boolean>`NOT ${runsElsewhere('executions', runner)}`)
    .where(sql<boolean>`(tenant_id, id) > (${after?.tenantId ?? ''}, ${after?.execution.id ?? ''})`)
    .orderBy('tenant_id')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ tenantId: row.tenant_id, execution: toFacts(row), isOwn: row.runner === runner }));
}

export async function failChats(database: StateDatabase, chats: RunningChat[]): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const { tenantId, execution } of chats) {
      const { id, completedAt, updatedAt, chat } = execution;
      await sql`
        UPDATE executions SET status = 'failed', completed_at = ${completedAt}, updated_at = ${updatedAt},
          chat = ${JSON.stringify(chat)}, revision = revision + 1
        WHERE tenant_id = ${tenantId} AND id = ${id} AND ${sql.raw(IS_RUNNING)}`.execute(transaction);
    }
  });
}
