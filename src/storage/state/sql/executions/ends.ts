import { sql } from 'kysely';
import type { EndedExecution } from '../../../../core/agents/executions/store.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { toFacts } from './rows.ts';

export async function unsentEnds(database: StateDatabase, limit: number): Promise<EndedExecution[]> {
  const rows = await database
    .selectFrom('executions')
    .selectAll()
    .where('event', '=', sql.lit('unsent'))
    // It may have been set to running again before its event was sent.
    .where('status', '!=', 'running')
    .orderBy('number')
    .limit(limit)
    .execute();
  const withSteps = rows.filter(({ steps }) => steps > 0).map(({ number }) => number);
  const tools = withSteps.length === 0 ? [] : await toolsOfSteps(database, withSteps);
  const byNumber = Map.groupBy(tools, ({ number }) => number);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    execution: toFacts(row),
    stepTools: (byNumber.get(row.number) ?? []).map(({ name }) => name),
  }));
}

function toolsOfSteps(database: StateDatabase, numbers: number[]) {
  return database
    .selectFrom('execution_steps')
    .select(['number', 'name'])
    .distinct()
    .where('number', 'in', numbers)
    .where('kind', '=', 'tool')
    .orderBy('number')
    .orderBy('name')
    .execute();
}

export async function endsSent(database: StateDatabase, ended: readonly EndedExecution[]): Promise<void> {
  for (const [tenantId, own] of Map.groupBy(ended, (end) => end.tenantId)) {
    const ids = own.map(({ execution }) => execution.id);
    await sql`UPDATE executions SET event = 'sent' WHERE tenant_id = ${tenantId} AND event = 'unsent'
      AND id IN (SELECT value FROM ${dialectOf(database).texts(ids)} AS given)`.execute(database);
  }
}
