import { CompiledQuery, sql } from 'kysely';
import type { AbandonableChat, RecordedChat, RunningChat } from '../../../core/executions/store.ts';
import { commitInBackground } from '../background-commit.ts';
import type { StateDatabase } from '../database.ts';
import { runsElsewhere } from '../runners.ts';
import type { StateTables } from '../schema.ts';
import { toFacts, toRow } from './rows.ts';

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

/** Plain SQL: building a statement takes longer than running it. */
const INSERT = `INSERT INTO executions (${COLUMNS.join(', ')})
  SELECT ${COLUMNS.map(() => '?').join(', ')} WHERE EXISTS (SELECT 1 FROM tenants WHERE id = ?)`;
const INSERT_CONTENT = 'INSERT INTO execution_contents (tenant_id, execution_id, messages, output) VALUES (?, ?, ?, ?)';
const UPDATE = `UPDATE executions SET ${CHANGED.map((name) => `${name} = ?`).join(', ')}, revision = revision + 1
  WHERE tenant_id = ? AND id = ?`;
const UPDATE_CONTENT =
  'UPDATE execution_contents SET messages = ?, output = ? WHERE tenant_id = ? AND execution_id = ?';

/** One transaction: a commit costs more than its statements. */
export function recordChats(database: StateDatabase, runner: string, chats: RecordedChat[]): Promise<Set<string>> {
  return commitInBackground(database, async (transaction) => {
    const run = async (text: string, values: readonly unknown[]) =>
      (await transaction.executeQuery(CompiledQuery.raw(text, [...values]))).numAffectedRows === 1n;
    const kept = new Set<string>();
    for (const { tenantId, execution, isKnown } of chats) {
      const { id, messages, output } = execution;
      const row = { ...toRow(tenantId, execution, 1), runner: execution.status === 'running' ? runner : null };
      const isKept = isKnown
        ? (await run(UPDATE, [...CHANGED.map((name) => row[name]), tenantId, id])) &&
          (await run(UPDATE_CONTENT, [messages, output, tenantId, id]))
        : (await run(INSERT, [...COLUMNS.map((name) => row[name]), tenantId])) &&
          (await run(INSERT_CONTENT, [tenantId, id, messages, output]));
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

const FAIL = `UPDATE executions SET status = 'failed', completed_at = ?, updated_at = ?, chat = ?, revision = revision + 1
  WHERE tenant_id = ? AND id = ? AND ${IS_RUNNING}`;

export async function failChats(database: StateDatabase, chats: RunningChat[]): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const { tenantId, execution } of chats) {
      const { id, completedAt, updatedAt, chat } = execution;
      const values = [completedAt, updatedAt, JSON.stringify(chat), tenantId, id];
      await transaction.executeQuery(CompiledQuery.raw(FAIL, values));
    }
  });
}
