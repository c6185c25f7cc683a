import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type {
  AbandonableChat,
  ErasedThread,
  ExecutionState,
  ExecutionStore,
  RecordedChat,
  RunningChat,
  StoredExecution,
} from '../../../../core/agents/executions/store.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { type ChatStatements, compileChatStatements, failChats, recordChats, runningChats } from './chats.ts';
import { toExecution, toExecutionRow } from './rows.ts';

/** Executions and characters per transaction: other work runs in between. */
const ERASED_AT_ONCE = 200;
const ERASED_CHARACTERS = 4 * 1024 * 1024;

export class SqlExecutionStore implements ExecutionStore {
  private readonly database: StateDatabase;
  private readonly runner: string;
  private readonly chatStatements: ChatStatements;

  constructor(database: StateDatabase, runner: string = randomUUID()) {
    this.database = database;
    this.runner = runner;
    this.chatStatements = compileChatStatements(database);
  }

  async find(tenantId: string, id: string): Promise<ExecutionState | null> {
    const row = await this.database
      .selectFrom('executions')
      .innerJoin('execution_contents', (join) =>
        join
          .onRef('execution_contents.tenant_id', '=', 'executions.tenant_id')
          .onRef('execution_contents.execution_id', '=', 'executions.id'),
      )
      .selectAll('executions')
      .select(['messages', 'output'])
      .where('executions.tenant_id', '=', tenantId)
      .where('executions.id', '=', id)
      .executeTakeFirst();
    return row ? { execution: toExecution(row), revision: row.revision } : null;
  }

  async agentOf(tenantId: string, id: string): Promise<string | null> {
    const row = await this.database
      .selectFrom('executions')
      .select('agent_id')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.agent_id ?? null;
  }

  async put(tenantId: string, execution: StoredExecution, after: number | null): Promise<'kept' | 'conflict'> {
    const { messages, output } = execution;
    const row = toExecutionRow(tenantId, execution, (after ?? 0) + 1);
    return this.database.transaction().execute(async (transaction) => {
      const result =
        after === null
          ? await transaction
              .insertInto('executions')
              .values(row)
              .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
              .executeTakeFirst()
          : await transaction
              .updateTable('executions')
              .set(row)
              .where('tenant_id', '=', tenantId)
              .where('id', '=', execution.id)
              .where('revision', '=', after)
              .executeTakeFirst();
      const changed = 'numUpdatedRows' in result ? result.numUpdatedRows : result.numInsertedOrUpdatedRows;
      if (changed !== 1n) return 'conflict';
      await transaction
        .insertInto('execution_contents')
        .values({ tenant_id: tenantId, execution_id: execution.id, messages, output })
        .onConflict((conflict) =>
          conflict
            .columns(['tenant_id', 'execution_id'])
            .doUpdateSet({ messages, output })
            // Unchanged contents, which may have megabytes, are not rewritten.
            .where((where) =>
              where.or([
                where('execution_contents.messages', '!=', messages),
                where('execution_contents.output', '!=', output),
              ]),
            ),
        )
        .execute();
      return 'kept';
    });
  }

  recordChats(chats: RecordedChat[]): Promise<Set<string>> {
    return recordChats(this.database, { statements: this.chatStatements, runner: this.runner }, chats);
  }

  runningChats(after: RunningChat | null, limit: number): Promise<AbandonableChat[]> {
    return runningChats(this.database, this.runner, after, limit);
  }

  failChats(chats: RunningChat[]): Promise<void> {
    return failChats(this.database, chats);
  }

  async isOfAnotherTenant(tenantId: string, id: string): Promise<boolean> {
    const row = await this.database
      .selectFrom('executions')
      .select('tenant_id')
      .where('id', '=', id)
      // The condition of the partial index of server-made ids.
      .where('id_from_caller', '=', sql.lit(0))
      .where('tenant_id', '!=', tenantId)
      .executeTakeFirst();
    return row !== undefined;
  }

  async newestOfThreads(tenantId: string, threadIds: string[], limit: number): Promise<Map<string, string[]>> {
    const { rows } = await sql<{ thread: string; id: string }>`
      SELECT thread, id FROM (
        SELECT thread_id AS thread, id, row_number() OVER (PARTITION BY thread_id ORDER BY created_at DESC, id DESC) AS place
        FROM executions
        WHERE tenant_id = ${tenantId} AND thread_id IN (SELECT value FROM ${dialectOf(this.database).texts(threadIds)} AS given))
      WHERE place <= ${limit} ORDER BY thread, place`.execute(this.database);
    const byThread = Map.groupBy(rows, ({ thread }) => thread);
    return new Map([...byThread].map(([thread, found]) => [thread, found.map(({ id }) => id)]));
  }

  async idsOf(tenantId: string, thread: ErasedThread): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`${executionsOf(this.database, tenantId, thread)}`.execute(this.database);
    return rows.map(({ id }) => id);
  }

  async erase(tenantId: string, thread: ErasedThread | null): Promise<number> {
    let erased = 0;
    for (;;) {
      const { numDeletedRows } = await this.database
        .deleteFrom('executions')
        .where('tenant_id', '=', tenantId)
        .where('id', 'in', idsOfSome(thread ? executionsOf(this.database, tenantId, thread) : anyExecutions(tenantId)))
        .executeTakeFirst();
      if (numDeletedRows === 0n) return erased;
      erased += Number(numDeletedRows);
      await yieldToOthers();
    }
  }
}

function idsOfSome(executions: RawBuilder<unknown>): RawBuilder<string> {
  return sql`(
    SELECT id FROM (SELECT id, sum(content_length) OVER (ORDER BY id) - content_length AS before
      FROM (${executions} LIMIT ${ERASED_AT_ONCE}))
    WHERE before < ${ERASED_CHARACTERS})`;
}

function anyExecutions(tenantId: string): RawBuilder<unknown> {
  return sql`SELECT id, content_length FROM executions WHERE tenant_id = ${tenantId}`;
}

/** The events name those executions that have no thread. */
function executionsOf(
  database: StateDatabase,
  tenantId: string,
  { threadId, executionIds }: ErasedThread,
): RawBuilder<unknown> {
  return sql`
    SELECT id, content_length FROM executions WHERE tenant_id = ${tenantId} AND thread_id = ${threadId}
    UNION
    SELECT executions.id, content_length FROM ${dialectOf(database).texts(executionIds)} AS given
    JOIN executions ON tenant_id = ${tenantId} AND executions.id = given.value
    WHERE thread_id IS NULL`;
}
