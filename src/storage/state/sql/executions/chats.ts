import { sql } from 'kysely';
import type { AbandonableChat, RecordedChat, RunningChat } from '../../../../core/agents/executions/store.ts';
import type { StateDatabase } from '../database.ts';
import { runsElsewhere } from '../installation.ts';
import { packedContent } from './body.ts';
import { toFacts } from './rows.ts';
import { type ExecutionStatements, write, writeFacets } from './write.ts';

/** One transaction: a commit costs more than its statements. */
export async function recordChats(
  database: StateDatabase,
  { statements, runner }: { statements: ExecutionStatements; runner: string },
  chats: RecordedChat[],
): Promise<Set<string>> {
  const bodies = await Promise.all(chats.map(({ execution }) => packedContent(execution)));
  return database.transaction().execute(async (transaction) => {
    const kept = new Set<string>();
    for (const [index, { tenantId, execution, isKnown }] of chats.entries()) {
      const before = isKnown ? ('stored chat' as const) : ('new chat' as const);
      const ownRunner = execution.status === 'running' ? runner : null;
      const change = { tenantId, execution, before, body: bodies[index]!, runner: ownRunner };
      const number = await write(transaction, statements, change);
      if (number === null) continue;
      await writeFacets(transaction, statements, { ...change, number, hasSteps: isKnown });
      kept.add(execution.id);
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

export async function failChats(
  database: StateDatabase,
  statements: ExecutionStatements,
  chats: RunningChat[],
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const { tenantId, execution } of chats) {
      const { id, completedAt, updatedAt, errorKind, chat } = execution;
      const failed = await sql<{ number: number }>`
        UPDATE executions SET status = 'failed', completed_at = ${completedAt}, updated_at = ${updatedAt},
          error_kind = ${errorKind}, chat = ${JSON.stringify(chat)}, event = coalesce(event, 'unsent'), revision = revision + 1
        WHERE tenant_id = ${tenantId} AND id = ${id} AND ${sql.raw(IS_RUNNING)} RETURNING number`.execute(transaction);
      for (const { number } of failed.rows) {
        const change = { tenantId, execution, before: 'stored chat', number, hasSteps: true } as const;
        await writeFacets(transaction, statements, change);
      }
    }
  });
}
