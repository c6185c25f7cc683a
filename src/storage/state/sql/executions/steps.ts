import { type RawBuilder, sql } from 'kysely';
import { MAX_EXECUTION_STEPS, MAX_STEP_CONTENTS } from '../../../../core/agents/executions/step-schema.ts';
import type { StepOutline, StepPage, StepPlace, StoredStep } from '../../../../core/agents/executions/store.ts';
import { decimal } from '../../../../core/analytics/events/decimals.ts';
import { unprocessable } from '../../../../core/base/shared/errors.ts';
import type { StateDatabase, StateReader, StateTransaction } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { packedText, unpackedText } from './body.ts';
import { toStep, toStepRow } from './rows.ts';

export type PackedStep = [step: StoredStep, body: Uint8Array | null];

export function packedSteps(steps: readonly StoredStep[]): Promise<PackedStep[]> {
  return Promise.all(
    steps.map(
      async (step): Promise<PackedStep> => [step, step.content === '{}' ? null : await packedText(step.content)],
    ),
  );
}

/** Rows of one statement: each has some twenty values. */
const AT_ONCE = 100;
/** An answer with larger contents would hold up others. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Then the execution has their number and their sums. Throws `unprocessable` for too many. */
export async function writeSteps(
  transaction: StateTransaction,
  number: number,
  steps: readonly PackedStep[],
): Promise<void> {
  for (let start = 0; start < steps.length; start += AT_ONCE) {
    const rows = steps.slice(start, start + AT_ONCE).map(([step, body]) => toStepRow(number, step, body));
    const changed = Object.keys(rows[0]!).filter((name) => name !== 'number' && name !== 'id');
    await transaction
      .insertInto('execution_steps')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['number', 'id'])
          .doUpdateSet(Object.fromEntries(changed.map((name) => [name, sql.ref(`excluded.${name}`)]))),
      )
      .execute();
  }
  const { rows } = await sql<Sums>`${sumSteps(number)} RETURNING steps AS count, cost,
    (SELECT coalesce(sum(content_length), 0) FROM execution_steps WHERE number = ${number}) AS length`.execute(
    transaction,
  );
  const { count, length, cost } = rows[0]!;
  if (length > MAX_STEP_CONTENTS) {
    throw unprocessable(
      `steps: their contents would take more than ${MAX_STEP_CONTENTS / 1024 / 1024} MB together; keep large ones elsewhere and send a reference.`,
    );
  }
  if (count > MAX_EXECUTION_STEPS) {
    throw unprocessable(
      `steps: the execution would have ${count.toLocaleString('en')} steps; ${MAX_EXECUTION_STEPS.toLocaleString('en')} is the most.`,
    );
  }
  if (cost !== null && decimal(cost) !== cost) {
    const rounded = transaction.updateTable('executions').set({ cost: decimal(cost) });
    await rounded.where('number', '=', number).where('sent_cost', 'is', null).execute();
  }
}

interface Sums {
  count: number;
  /** Characters. */
  length: number;
  cost: number | null;
}

/** Tokens of an execution without usage, and an unknown cost, are those of its model steps. */
function sumSteps(number: number): RawBuilder<unknown> {
  const sum = (column: string) => sql`(SELECT sum(${sql.ref(column)}) FROM execution_steps
    WHERE number = ${number} AND kind = 'model')`;
  const unlessOwn = (column: string) =>
    sql`${sql.ref(column)} = CASE WHEN usage IS NULL AND chat IS NULL THEN ${sum(column)} ELSE ${sql.ref(column)} END`;
  const isSummed = sql`sent_cost IS NULL AND (usage IS NULL OR cost IS NULL) AND chat IS NULL`;
  return sql`UPDATE executions SET
    steps = (SELECT count(*) FROM execution_steps WHERE number = ${number}),
    ${unlessOwn('input_tokens')}, ${unlessOwn('output_tokens')}, ${unlessOwn('total_tokens')},
    cost = CASE WHEN ${isSummed} THEN ${sum('cost')} ELSE cost END,
    cost_basis = CASE WHEN ${isSummed} THEN (SELECT min(cost_basis) FROM execution_steps
      WHERE number = ${number} AND kind = 'model' AND cost IS NOT NULL) ELSE cost_basis END,
    error_kind = CASE WHEN chat IS NULL THEN (SELECT error_kind FROM execution_steps
      WHERE number = ${number} AND status = 'error' AND error_kind IS NOT NULL ORDER BY started_at, id LIMIT 1) ELSE error_kind END
    WHERE number = ${number}`;
}

const ofExecution = (tenantId: string, id: string) =>
  sql`number = (SELECT number FROM executions WHERE tenant_id = ${tenantId} AND id = ${id})`;

type Row = Parameters<typeof toStep>[0];

export async function stepsOf(
  database: StateDatabase,
  tenantId: string,
  id: string,
  after: StepPlace | null,
  limit: number,
): Promise<StepPage> {
  const following = after ? sql`AND (started_at, id) > (${after.startedAt}, ${after.id})` : sql``;
  const { rows } = await sql<Row & { before: number; found: number }>`SELECT * FROM (
      SELECT asked.*, count(*) OVER () AS found,
        sum(content_length) OVER (ORDER BY started_at, id) - content_length AS before
      FROM (SELECT * FROM execution_steps WHERE ${ofExecution(tenantId, id)} ${following}
        ORDER BY started_at, id LIMIT ${limit + 1}) AS asked) AS measured
    WHERE before < ${PAGE_CHARACTERS} ORDER BY started_at, id LIMIT ${limit}`.execute(database);
  const steps = rows.map(({ before: _, found: __, ...row }) => row);
  return { steps: await unpackedSteps(steps), hasMore: (rows[0]?.found ?? 0) > rows.length };
}

export async function stepsById(
  database: StateDatabase,
  tenantId: string,
  id: string,
  ids: string[],
): Promise<StoredStep[]> {
  const { rows } = await sql<Row>`SELECT * FROM execution_steps
    WHERE ${ofExecution(tenantId, id)} AND id IN (SELECT value FROM ${dialectOf(database).texts(ids)} AS given)`.execute(
    database,
  );
  return unpackedSteps(rows);
}

/** Without contents. */
export async function stepOutlines(
  reader: StateReader,
  tenantId: string,
  id: string,
  characters: number,
): Promise<StepOutline[]> {
  const { rows } = await sql<StepOutline>`SELECT id, kind, name, status, error_kind AS "errorKind",
      substr(error, 1, ${characters}) AS error, started_at AS "startedAt", ended_at AS "endedAt",
      total_tokens AS "totalTokens", cost
    FROM execution_steps WHERE ${ofExecution(tenantId, id)} ORDER BY started_at, id`.execute(reader);
  return rows;
}

function unpackedSteps(rows: Row[]): Promise<StoredStep[]> {
  return Promise.all(rows.map(async (row) => toStep(row, row.body === null ? '{}' : await unpackedText(row.body))));
}

export async function stepParents(database: StateDatabase, tenantId: string, id: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; parent: string }>`SELECT id, parent_id AS parent FROM execution_steps
    WHERE ${ofExecution(tenantId, id)} AND parent_id IS NOT NULL`.execute(database);
  return new Map(rows.map((row) => [row.id, row.parent]));
}
