import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { ExecutionFacts, ExecutionState, StoredExecution } from '../../../../core/agents/executions/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateTransaction } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { toExecutionRow } from './rows.ts';
import { facetTerms } from './terms.ts';

type Column = Exclude<keyof StateTables['executions'], 'number'>;

/** A chat that goes on changes these alone: a client may have added others. */
const BY_CHATS = [
  ...['status', 'provider', 'model', 'usage', 'input_tokens', 'output_tokens', 'total_tokens', 'cost', 'cost_basis'],
  ...['error_kind', 'tools', 'latency_ms', 'shape', 'content_length', 'completed_at', 'updated_at', 'chat', 'runner'],
] as Column[];

const BY_CLIENTS = [
  ...['agent_id', 'thread_id', 'user_id', 'name', 'tags', 'metadata', 'parent_id', 'status', 'provider', 'model'],
  ...['usage', 'input_tokens', 'output_tokens', 'total_tokens', 'sent_cost', 'cost', 'cost_basis', 'error_kind'],
  ...['tools', 'latency_ms', 'shape', 'content_length', 'at', 'started_at', 'completed_at', 'updated_at', 'chat'],
] as Column[];

const FIRST = [
  ...new Set([...BY_CLIENTS, ...BY_CHATS]),
  ...['tenant_id', 'id', 'id_from_caller', 'source', 'steps', 'revision', 'created_at', 'created_by'],
  ...['event', 'is_indexed'],
] as Column[];

/** Without values: they are bound in the order of the statement. */
const VALUE = sql.val(null);
const refs = (columns: readonly Column[]) => sql.join(columns.map((name) => sql.ref(name)));
const values = (columns: readonly Column[]) => sql.join(columns.map(() => VALUE));

/** The event of an end is sent once; new contents are indexed again. */
const update = (columns: readonly Column[]) => sql`UPDATE executions
  SET ${sql.join(columns.map((name) => sql`${sql.ref(name)} = ${VALUE}`))}, revision = revision + 1,
    event = coalesce(event, ${VALUE}), is_indexed = is_indexed * ${VALUE}
  WHERE tenant_id = ${VALUE} AND id = ${VALUE}`;

const insert = (onConflict: RawBuilder<unknown>) => sql`INSERT INTO executions (${refs(FIRST)})
  SELECT ${values(FIRST)} WHERE EXISTS (SELECT 1 FROM tenants WHERE id = ${VALUE}) ${onConflict} RETURNING number`;

const STATEMENTS = {
  find: sql`SELECT executions.*, body FROM executions JOIN execution_bodies ON execution_bodies.number = executions.number
    WHERE tenant_id = ${VALUE} AND id = ${VALUE}`,
  // The condition of the partial index of server-made ids.
  findMade: sql`SELECT tenant_id FROM executions WHERE id_from_caller = 0 AND id = ${VALUE}`,
  insert: insert(sql`ON CONFLICT (tenant_id, id) DO NOTHING`),
  insertChat: insert(sql``),
  updateChat: sql`${update(BY_CHATS)} RETURNING number`,
  update: sql`${update(BY_CLIENTS)} AND revision = ${VALUE} RETURNING number`,
  putBody: sql`INSERT INTO execution_bodies (number, body) VALUES (${VALUE}, ${VALUE})
    ON CONFLICT (number) DO UPDATE SET body = excluded.body`,
  removeFacets: sql`DELETE FROM execution_index WHERE rowid = ${VALUE}`,
};

export type ExecutionStatements = Record<keyof typeof STATEMENTS, CompiledQuery>;

/** Once: building a statement takes longer than running it. */
export function compileStatements(database: StateDatabase): ExecutionStatements {
  const compiled = Object.entries(STATEMENTS).map(([name, text]) => [
    name,
    (text as RawBuilder<unknown>).compile(database),
  ]);
  return Object.fromEntries(compiled) as ExecutionStatements;
}

export interface Write {
  tenantId: string;
  execution: StoredExecution;
  /** The state that it replaces; null for none. Chats replace what clients made of them. */
  before: ExecutionState | 'new chat' | 'stored chat' | null;
  /** The packed contents; null leaves those that are stored. */
  body: Uint8Array | null;
  runner: string | null;
}

/** The execution's number; null if another change came before, or it is gone. */
export async function write(
  transaction: StateTransaction,
  statements: ExecutionStatements,
  { tenantId, execution, before, body, runner }: Write,
): Promise<number | null> {
  const run = async (statement: CompiledQuery, parameters: readonly unknown[]) =>
    (await transaction.executeQuery<{ number: number }>({ ...statement, parameters })).rows[0]?.number ?? null;
  const event = execution.status === 'running' ? null : ('unsent' as const);
  const row = { ...toExecutionRow(tenantId, execution, 1), runner, event, is_indexed: 0 };
  const valuesOf = (columns: readonly Column[]) => columns.map((name) => row[name]);
  const isIndexed = body === null ? 1 : 0;
  const { id } = execution;
  const number =
    before === null || before === 'new chat'
      ? await run(before === null ? statements.insert : statements.insertChat, [...valuesOf(FIRST), tenantId])
      : before === 'stored chat'
        ? await run(statements.updateChat, [...valuesOf(BY_CHATS), event, isIndexed, tenantId, id])
        : await run(statements.update, [...valuesOf(BY_CLIENTS), event, isIndexed, tenantId, id, before.revision]);
  if (number !== null && body !== null) await run(statements.putBody, [number, body]);
  return number;
}

interface Faceted extends Pick<Write, 'tenantId' | 'before'> {
  execution: ExecutionFacts;
  number: number;
  hasSteps: boolean;
}

/** Lists find the execution by these. */
export async function writeFacets(
  transaction: StateTransaction,
  statements: ExecutionStatements,
  { tenantId, execution, before, number, hasSteps }: Faceted,
): Promise<void> {
  const kinds = hasSteps ? await kindsOf(transaction, number) : [];
  const terms = facetTerms(tenantId, execution, kinds);
  if (before !== null && before !== 'new chat')
    await transaction.executeQuery({ ...statements.removeFacets, parameters: [number] });
  await dialectOf(transaction)
    .terms.insert('execution_index', [[number, terms]])
    .execute(transaction);
}

async function kindsOf(transaction: StateTransaction, number: number): Promise<string[]> {
  const steps = transaction.selectFrom('execution_steps').select('kind').distinct().where('number', '=', number);
  return (await steps.execute()).map(({ kind }) => kind);
}
