import { type RawBuilder, sql } from 'kysely';
import type { SortedBy } from '../../../../core/agents/executions/list-schema.ts';
import type {
  ExecutionFilter,
  ExecutionOrder,
  ExecutionPlace,
  ListedExecution,
} from '../../../../core/agents/executions/store.ts';
import type { StateReader } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { type ExecutionTableRow, toFacts } from './rows.ts';
import { type Facet, facetTerm, textTerm } from './terms.ts';

/*
 * Two ways to a page: along the index of its order, where each condition is checked on the rows,
 * or, when a condition alone holds for few executions, from these.
 */

const COLUMNS = { startedAt: 'at', cost: 'cost', latencyMs: 'latency_ms', totalTokens: 'total_tokens' } as const;

const FEW = 2_000;

type Condition = RawBuilder<unknown>;

/** A condition that an index answers, too. */
interface Source {
  /** The numbers for which it holds. */
  numbers: Condition;
  /** The condition on one row. */
  holds: Condition;
}

export interface Question<Filter extends ExecutionFilter = ExecutionFilter> {
  tenantId: string;
  reader: StateReader;
  filter: Filter;
  /** From so many rows a page is sorted sooner than found along the order. */
  few?: number;
}

interface Row extends ExecutionTableRow {
  review_id: string | null;
  rating: NonNullable<ListedExecution['review']>['rating'];
  review_status: NonNullable<ListedExecution['review']>['status'];
}

export async function listExecutions(
  question: Question,
  { by, order, after, limit }: ExecutionOrder & { after: ExecutionPlace | null; limit: number },
): Promise<ListedExecution[]> {
  const { reader, tenantId } = question;
  const column = sql.ref(`executions.${COLUMNS[by]}`);
  const direction = sql.raw(order);
  const from = await rowsOf(question);
  const following = after
    ? sql`AND (${column}, executions.number) ${sql.raw(order === 'desc' ? '<' : '>')} (${after[0]}, ${after[1]})`
    : sql``;
  const { rows } = await sql<Row>`
    SELECT page.*, reviews.id AS review_id, reviews.rating, reviews.status AS review_status
    FROM (SELECT executions.* FROM ${from} AND ${column} IS NOT NULL ${following}
      ORDER BY ${column} ${direction}, executions.number ${direction} LIMIT ${limit}) AS page
    LEFT JOIN reviews ON reviews.tenant_id = ${tenantId} AND reviews.execution_id = page.id
    ORDER BY ${sql.ref(`page.${COLUMNS[by]}`)} ${direction}, page.number ${direction}`.execute(reader);
  return rows.map(({ review_id: id, rating, review_status: status, ...row }) => ({
    execution: toFacts(row),
    place: [row[COLUMNS[by]]!, row.number],
    review: id === null ? null : { id, rating, status },
  }));
}

export async function countExecutions(
  question: Question,
  { by, most }: { by: SortedBy; most: number },
): Promise<number> {
  const from = await rowsOf(question);
  const column = sql.ref(`executions.${COLUMNS[by]}`);
  return countUpTo(question.reader, most, sql`${from} AND ${column} IS NOT NULL`);
}

/** How many rows FROM has, at most `most`. */
export async function countUpTo(reader: StateReader, most: number, from: Condition): Promise<number> {
  const { rows } = await sql<{ total: number }>`SELECT count(*) AS total
    FROM (SELECT 1 FROM ${from} LIMIT ${most}) AS found`.execute(reader);
  return rows[0]!.total;
}

/** The rows that match, for FROM; more conditions can follow with AND. */
export async function rowsOf(question: Question): Promise<Condition> {
  const { reader, filter } = question;
  const sources = sourcesOf(question);
  const few = filter.threadId === undefined && sources.length > 0 ? await fewest(question, sources) : null;
  const conditions = conditionsOf(
    question,
    sources.filter((source) => source !== few),
  );
  if (!few) return sql`executions WHERE ${conditions}`;
  return sql`(${few.numbers}) AS found
    ${dialectOf(reader).join} executions ON executions.number = found.number WHERE ${conditions}`;
}

/** Whether a row matches: without the sources that the statement reads anyway. */
export function conditionsOf(question: Question, sources = sourcesOf(question)): Condition {
  return sql.join(
    [
      sql`executions.tenant_id = ${question.tenantId}`,
      ...rowConditions(question),
      ...sources.map(({ holds }) => holds),
    ],
    sql` AND `,
  );
}

/** The source with the fewest numbers, if these are few. */
async function fewest({ reader, few = FEW }: Question, sources: Source[]): Promise<Source | null> {
  const counts = sources.map(
    ({ numbers }, index) =>
      sql`(SELECT count(*) FROM (${numbers} LIMIT ${few + 1}) AS found) AS ${sql.ref(`c${index}`)}`,
  );
  const { rows } = await sql<Record<string, number>>`SELECT ${sql.join(counts)}`.execute(reader);
  const [least] = sources
    .map((source, index) => ({ source, count: rows[0]![`c${index}`]! }))
    .sort((one, other) => one.count - other.count);
  return least!.count > few ? null : least!.source;
}

function sourcesOf(question: Question): Source[] {
  const { reader, tenantId, filter } = question;
  const { hasReview, rating, search } = filter;
  const facets = facetsOf(question);
  const words = search?.map((stems) => stems.map((stem) => textTerm(tenantId, stem))) ?? [];
  const withWords = numbersOf(reader, 'execution_text_index', words);
  return [
    ...(facets.length === 0
      ? []
      : [
          {
            numbers: numbersOf(
              reader,
              'execution_index',
              facets.map(({ term }) => [term]),
            ),
            holds: sql.join(
              facets.map(({ holds }) => holds),
              sql` AND `,
            ),
          },
        ]),
    // Without the plus SQLite reads the executions in the order of these numbers.
    ...(words.length === 0 ? [] : [{ numbers: withWords, holds: sql`+executions.number IN (${withWords})` }]),
    ...(hasReview !== true && rating === undefined ? [] : [reviewed(tenantId, rating)]),
    ...ranges(filter).map(([column, operator, bound]) => ({
      numbers: sql`SELECT number FROM executions
        WHERE tenant_id = ${tenantId} AND ${sql.ref(column)} ${sql.raw(operator)} ${bound}`,
      holds: sql`+${sql.ref(`executions.${column}`)} ${sql.raw(operator)} ${bound}`,
    })),
  ];
}

const FACET_COLUMNS = {
  agentId: 'agent_id',
  userId: 'user_id',
  name: 'name',
  provider: 'provider',
  model: 'model',
  status: 'status',
} as const;

function facetsOf({ reader, tenantId, filter }: Question): { term: string; holds: Condition }[] {
  const { filtered } = dialectOf(reader);
  const facet = (name: Facet, value: string | undefined, holds: (value: string) => Condition) =>
    value === undefined ? [] : [{ term: facetTerm(tenantId, name, value), holds: holds(value) }];
  const names = Object.keys(FACET_COLUMNS) as (keyof typeof FACET_COLUMNS)[];
  return [
    ...names.flatMap((name) =>
      facet(name, filter[name], (value) => sql`${filtered(`executions.${FACET_COLUMNS[name]}`)} = ${value}`),
    ),
    // The column is a list in JSON.
    ...facet('tag', filter.tag, (tag) => sql`replace(executions.tags, ${JSON.stringify(tag)}, '') <> executions.tags`),
    ...facet(
      'kind',
      filter.kind,
      (kind) => sql`EXISTS (SELECT 1 FROM execution_steps AS steps
        WHERE steps.number = executions.number AND steps.kind = ${kind})`,
    ),
  ];
}

function numbersOf(
  reader: StateReader,
  index: 'execution_index' | 'execution_text_index',
  terms: string[][],
): Condition {
  return sql`SELECT rowid AS number FROM ${sql.table(index)} WHERE ${dialectOf(reader).terms.matches(index, terms)}`;
}

function reviewed(tenantId: string, rating: ExecutionFilter['rating']): Source {
  const review = sql`reviews.tenant_id = ${tenantId} ${rating === undefined ? sql`` : sql`AND reviews.rating = ${rating}`}`;
  return {
    numbers: sql`SELECT executions.number FROM reviews JOIN executions
      ON executions.tenant_id = reviews.tenant_id AND executions.id = reviews.execution_id WHERE ${review}`,
    holds: sql`EXISTS (SELECT 1 FROM reviews WHERE ${review} AND execution_id = executions.id)`,
  };
}

function ranges({ minCost, maxCost, minLatencyMs, maxLatencyMs }: ExecutionFilter) {
  const all = [
    ['cost', '>=', minCost],
    ['cost', '<=', maxCost],
    ['latency_ms', '>=', minLatencyMs],
    ['latency_ms', '<=', maxLatencyMs],
  ] as const;
  return all.filter(([, , bound]) => bound !== undefined);
}

/** Conditions that no source answers. */
function rowConditions({ tenantId, filter }: Question): Condition[] {
  const { threadId, from = null, to = null, hasReview, hasAssessment, search } = filter;
  return [
    // Words that say nothing find nothing.
    ...(search?.length === 0 ? [sql`1 = 0`] : []),
    ...(threadId === undefined ? [] : [sql`executions.thread_id = ${threadId}`]),
    ...(from === null ? [] : [sql`executions.at >= ${from}`]),
    ...(to === null ? [] : [sql`executions.at < ${to}`]),
    ...(hasReview === false ? [sql`NOT ${isIn('reviews', tenantId)}`] : []),
    ...(hasAssessment === undefined
      ? []
      : [hasAssessment ? isIn('assessments', tenantId) : sql`NOT ${isIn('assessments', tenantId)}`]),
  ];
}

function isIn(table: 'reviews' | 'assessments', tenantId: string): Condition {
  return sql`EXISTS (SELECT 1 FROM ${sql.table(table)} AS said
    WHERE said.tenant_id = ${tenantId} AND said.execution_id = executions.id)`;
}
