import { CompiledQuery, sql } from 'kysely';
import type { RecordedChat } from '../../core/executions/store.ts';
import type { StateDatabase } from './database.ts';
import { toRow } from './execution-rows.ts';
import type { StateTables } from './schema.ts';

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
] as const satisfies readonly (keyof Row)[];

/** What the end of a chat brings; the rest was known at its beginning, or is others' to say. */
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
] as const;

/** Written out once: a chat ends as often as a request does, and building a statement takes longer than running it. */
const INSERT = `INSERT INTO executions (${COLUMNS.join(', ')})
  SELECT ${COLUMNS.map(() => '?').join(', ')} WHERE EXISTS (SELECT 1 FROM tenants WHERE id = ?)`;
const INSERT_CONTENT = 'INSERT INTO execution_contents (tenant_id, execution_id, messages, output) VALUES (?, ?, ?, ?)';
const UPDATE = `UPDATE executions SET ${CHANGED.map((name) => `${name} = ?`).join(', ')}, revision = revision + 1
  WHERE tenant_id = ? AND id = ?`;
const UPDATE_CONTENT =
  'UPDATE execution_contents SET messages = ?, output = ? WHERE tenant_id = ? AND execution_id = ?';

/** See the port. One transaction for many: a commit costs more than all that is in it. */
export function recordChats(database: StateDatabase, chats: RecordedChat[]): Promise<Set<string>> {
  return database.transaction().execute(async (transaction) => {
    const run = async (text: string, values: readonly unknown[]) =>
      (await transaction.executeQuery(CompiledQuery.raw(text, [...values]))).numAffectedRows === 1n;
    const kept = new Set<string>();
    for (const { tenantId, execution, isKnown } of chats) {
      const { id, messages, output } = execution;
      const row = toRow(tenantId, execution, 1);
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

const ABANDONED = JSON.stringify({
  kind: 'internal',
  message: 'The server ended before the answer did.',
  status: null,
});

/** See the port. */
export async function failAbandonedChats(database: StateDatabase, now: number): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable('executions')
    .set({
      status: 'failed',
      completed_at: now,
      updated_at: now,
      chat: sql`json_set(chat, '$.error', json(${ABANDONED}))`,
      revision: sql`revision + 1`,
    })
    .where('status', '=', sql.lit('running'))
    .where('chat', 'is not', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
