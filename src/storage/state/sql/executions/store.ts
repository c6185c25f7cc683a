import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type {
  AbandonableChat,
  EndedExecution,
  ErasedConversations,
  ExecutionState,
  ExecutionStore,
  ListedExecution,
  RecordedChat,
  RunningChat,
  StoredExecution,
  StoredStep,
} from '../../../../core/agents/executions/store.ts';
import { KeyedLimiter } from '../../../../core/base/concurrency/limiter.ts';
import type { StateDatabase, StateReader } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { packedContent, unpackedContent } from './body.ts';
import { failChats, recordChats, runningChats } from './chats.ts';
import { endsSent, unsentEnds } from './ends.ts';
import { erasedOf, removeAll } from './erased.ts';
import { countExecutions, listExecutions } from './list.ts';
import { lockParents, refuseParent } from './parents.ts';
import { type ExecutionTableRow, toFacts } from './rows.ts';
import { packedSteps, stepOutlines, stepParents, stepsById, stepsOf, writeSteps } from './steps.ts';
import { countThreads, listThreads } from './threads.ts';
import { WordIndex } from './words.ts';
import { compileStatements, type ExecutionStatements, write, writeFacets } from './write.ts';

/** Executions and characters per transaction: other work runs in between. */
const ERASED_AT_ONCE = 200;
const ERASED_CHARACTERS = 4 * 1024 * 1024;

/** A busy tenant delays only itself. */
const LISTS_OF_TENANT = {
  concurrency: 1,
  maxQueue: 100,
  rejection: 'Too many lists of executions are asked for at once. Try again.',
};
/** Pages wait for no count. */
const COUNTS_OF_TENANT = { concurrency: 1, maxQueue: 20, rejection: 'Too much is being counted.' };

export class SqlExecutionStore implements ExecutionStore {
  private readonly database: StateDatabase;
  private readonly reader: StateReader;
  private readonly runner: string;
  private readonly words: WordIndex;
  private readonly lists = new KeyedLimiter(LISTS_OF_TENANT);
  private readonly counts = new KeyedLimiter(COUNTS_OF_TENANT);
  private readonly statements: ExecutionStatements;

  constructor(database: StateDatabase, runner: string = randomUUID(), reader: StateReader = database) {
    this.database = database;
    this.reader = reader;
    this.runner = runner;
    this.words = new WordIndex(database);
    this.statements = compileStatements(database);
  }

  async find(tenantId: string, id: string): Promise<ExecutionState | null> {
    const { rows } = await this.database.executeQuery<ExecutionTableRow & { body: Uint8Array }>({
      ...this.statements.find,
      parameters: [tenantId, id],
    });
    const [row] = rows;
    if (!row) return null;
    const { body, ...facts } = row;
    return { execution: { ...toFacts(facts), ...(await unpackedContent(body)) }, revision: row.revision };
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

  async put(
    tenantId: string,
    execution: StoredExecution,
    before: ExecutionState | null,
    steps: StoredStep[] = [],
  ): Promise<'kept' | 'conflict'> {
    const [body, packed] = await Promise.all([
      hasContentOf(execution, before?.execution) ? null : packedContent(execution),
      packedSteps(steps),
    ]);
    const change = { tenantId, execution, before, body, runner: null };
    const { parentId } = execution;
    const isNewParent = parentId !== null && parentId !== before?.execution.parentId;
    return this.database.transaction().execute(async (transaction) => {
      if (isNewParent) await lockParents(transaction, tenantId);
      const number = await write(transaction, this.statements, change);
      if (number === null) return 'conflict';
      if (isNewParent) await refuseParent(transaction, tenantId, execution.id);
      const hasSteps = packed.length > 0 || execution.steps > 0;
      // Their sums, too, which the execution's own members have just replaced.
      if (hasSteps) await writeSteps(transaction, number, packed);
      await writeFacets(transaction, this.statements, { ...change, number, hasSteps });
      return 'kept';
    });
  }

  stepsOf(...given: Parameters<ExecutionStore['stepsOf']>) {
    return stepsOf(this.database, ...given);
  }

  stepsById(...given: Parameters<ExecutionStore['stepsById']>) {
    return stepsById(this.database, ...given);
  }

  stepOutlines(...given: Parameters<ExecutionStore['stepOutlines']>) {
    return stepOutlines(this.reader, ...given);
  }

  stepParents(...given: Parameters<ExecutionStore['stepParents']>) {
    return stepParents(this.database, ...given);
  }

  list(...[tenantId, filter, page]: Parameters<ExecutionStore['list']>): Promise<ListedExecution[]> {
    return this.lists.run(tenantId, () => listExecutions({ reader: this.reader, tenantId, filter }, page));
  }

  count(...[tenantId, filter, { signal, ...limits }]: Parameters<ExecutionStore['count']>) {
    const question = { reader: this.reader, tenantId, filter };
    return this.counted(tenantId, () => countExecutions(question, limits), signal);
  }

  listThreads(...[tenantId, filter, page]: Parameters<ExecutionStore['listThreads']>) {
    return this.lists.run(tenantId, () => listThreads({ reader: this.reader, tenantId, filter }, page));
  }

  countThreads(...[tenantId, filter, { most, signal }]: Parameters<ExecutionStore['countThreads']>) {
    const question = { reader: this.reader, tenantId, filter };
    return this.counted(tenantId, () => countThreads(question, most), signal);
  }

  indexSome(): Promise<number> {
    return this.words.indexSome();
  }

  close(): Promise<void> {
    return this.words.close();
  }

  unsentEnds(limit: number): Promise<EndedExecution[]> {
    return unsentEnds(this.database, limit);
  }

  endsSent(ended: readonly EndedExecution[]): Promise<void> {
    return endsSent(this.database, ended);
  }

  recordChats(chats: RecordedChat[]): Promise<Set<string>> {
    return recordChats(this.database, { statements: this.statements, runner: this.runner }, chats);
  }

  runningChats(after: RunningChat | null, limit: number): Promise<AbandonableChat[]> {
    return runningChats(this.database, this.runner, after, limit);
  }

  failChats(chats: RunningChat[]): Promise<void> {
    return failChats(this.database, this.statements, chats);
  }

  async isOfAnotherTenant(tenantId: string, id: string): Promise<boolean> {
    const { findMade } = this.statements;
    const { rows } = await this.database.executeQuery<{ tenant_id: string }>({ ...findMade, parameters: [id] });
    return rows.some((row) => row.tenant_id !== tenantId);
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

  async threadsOfOthers(tenantId: string, threadIds: string[], userId: string): Promise<Set<string>> {
    const { rows } = await sql<{ thread: string }>`
      SELECT value AS thread FROM ${dialectOf(this.reader).texts(threadIds)} AS given
      WHERE EXISTS (SELECT 1 FROM executions
        WHERE tenant_id = ${tenantId} AND thread_id = given.value AND user_id <> ${userId})`.execute(this.reader);
    return new Set(rows.map(({ thread }) => thread));
  }

  async idsOf(tenantId: string, erased: ErasedConversations): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`${executionsOf(this.database, tenantId, erased)}`.execute(this.database);
    return rows.map(({ id }) => id);
  }

  async erase(tenantId: string, erased: ErasedConversations | null): Promise<number> {
    const some = erased ? executionsOf(this.database, tenantId, erased) : anyExecutions(tenantId);
    return this.removeExecutions(tenantId, some);
  }

  retentions(): Promise<{ tenantId: string; days: number }[]> {
    return this.database
      .selectFrom('tenants')
      .select(['id as tenantId', 'execution_retention_days as days'])
      .where('execution_retention_days', 'is not', null)
      .$narrowType<{ days: number }>()
      .execute();
  }

  expire(tenantId: string, before: number): Promise<number> {
    return this.removeExecutions(tenantId, sql`${anyExecutions(tenantId)} AND at < ${before}`);
  }

  private counted(tenantId: string, count: () => Promise<number>, signal?: AbortSignal): Promise<number | null> {
    return this.counts.run(tenantId, count, { signal }).catch(() => null);
  }

  private async removeExecutions(tenantId: string, executions: RawBuilder<unknown>): Promise<number> {
    const { database } = this;
    const some = idsOfSome(executions);
    const removal = database.deleteFrom('executions').where('tenant_id', '=', tenantId).where('id', 'in', some);
    const removed = await removeAll(async () => Number((await removal.executeTakeFirst()).numDeletedRows));
    for (const index of ['execution_index', 'execution_text_index'] as const) {
      if (removed > 0) await dialectOf(database).terms.forgetRemoved(index, database);
    }
    return removed;
  }
}

function hasContentOf(execution: StoredExecution, before: StoredExecution | undefined): boolean {
  return execution.messages === before?.messages && execution.output === before.output;
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

function executionsOf(database: StateDatabase, tenantId: string, erased: ErasedConversations): RawBuilder<unknown> {
  const { given, isOfThreads, isErased } = erasedOf(database, erased);
  return sql`
    SELECT id, content_length FROM executions WHERE tenant_id = ${tenantId} AND ${isOfThreads}
    UNION
    SELECT executions.id, content_length FROM ${given} AS given
    JOIN executions ON tenant_id = ${tenantId} AND executions.id = given.value
    WHERE ${isErased}`;
}
