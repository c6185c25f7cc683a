import { CANDIDATES, fuseRankings, type Ranked, selectTerms } from '../../../core/knowledge/selection.ts';
import type { SearchHit, SearchPlan, SearchResult } from '../../../core/knowledge/store.ts';
import { type Term, termsOf } from '../../../core/knowledge/terms.ts';
import type { PostgresClient, PostgresPool } from '../../state/postgres/pool.ts';
import { FOUND } from '../rows/engine.ts';
import type { MeasuredRecall } from '../rows/recall.ts';
import { type ChunkRow, isFirst, toHit } from '../rows/records.ts';
import { postgresConditionOf } from './filter.ts';
import { Values } from './values.ts';
import { MEASURED, nearestExact, nearestIndexed } from './vectors.ts';
import { type Corpus, countWords, rankByWords, Vocabularies } from './words.ts';

interface StoreState extends Corpus {
  id: number;
  dimensions: number | null;
  /** Chunks that are found. */
  found: number;
  hasHidden: number;
  /** JSON of what its index finds; null: it has none. */
  measured: string | null;
}

/** Compiling a statement takes PostgreSQL longer than running it. */
const STORE = `SELECT stores.id, stores.dimensions, counts.chunks, counts.words,
    counts.found - repeats.chunks AS found, counts.chunks > counts.found - repeats.chunks AS "hasHidden", ${MEASURED} AS measured,
    set_config('jit', 'off', true)
  FROM knowledge_stores stores CROSS JOIN LATERAL (
    SELECT coalesce(sum(chunks), 0) AS chunks, coalesce(sum(words), 0) AS words,
      coalesce(sum(chunks) FILTER (WHERE ${FOUND}), 0) AS found FROM knowledge_documents WHERE store = stores.id) counts
  CROSS JOIN LATERAL (SELECT coalesce(sum(chunks), 0) AS chunks FROM knowledge_documents d
    WHERE store = stores.id AND repeated = 1 AND ${FOUND} AND NOT ${isFirst()}) repeats
  WHERE tenant_id = $1 AND name = $2 AND dropped_at IS NULL`;
const HITS = `SELECT c.id, d.document_id AS "documentId", d.name, d.metadata AS "ofDocument", c.seq, c.text, c.headings, c.page,
    c."row", c.line, c.metadata
  FROM knowledge_chunks c JOIN knowledge_documents d ON d.id = c.document WHERE c.id = ANY ($1::bigint[])`;

type Condition = ((values: Values) => string) | null;

export class PostgresSearch {
  private readonly pool: PostgresPool;
  private readonly exactVectors: number;
  private readonly vocabularies = new Vocabularies();

  /** Up to so many vectors are compared one by one. */
  constructor(pool: PostgresPool, exactVectors: number) {
    this.pool = pool;
    this.exactVectors = exactVectors;
  }

  /** Null for an unknown store. Reads one snapshot. */
  search(tenantId: string, plan: SearchPlan): Promise<SearchResult | null> {
    return this.pool.transaction(async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const { rows } = await client.query<StoreState>(STORE, [tenantId, plan.store]);
      return rows[0] ? this.searchStore(client, rows[0], plan) : null;
    });
  }

  private async searchStore(client: PostgresClient, store: StoreState, plan: SearchPlan): Promise<SearchResult> {
    const condition = visible(store, plan);
    const lexical = plan.text === null ? null : await this.byWords(client, store, plan, condition);
    const isByVector = plan.vector !== null && store.dimensions !== null;
    const total = isByVector ? await countCandidates(client, store, plan) : (lexical?.total ?? 0);
    const vectors = isByVector ? await this.byVector(client, store, plan, { condition, total }) : null;
    const ranked =
      lexical && vectors ? fuseRankings(lexical.ranked, vectors, plan) : (vectors ?? lexical?.ranked ?? []);
    const hits = await readHits(client, ranked.slice(0, plan.limit));
    return { hits, total, repaired: lexical?.repaired ?? [], words: lexical?.words ?? [] };
  }

  private async byWords(client: PostgresClient, store: StoreState, plan: SearchPlan, condition: Condition) {
    const { terms, repaired } = await this.searchTerms(client, store, termsOf(plan.text!));
    if (terms.length === 0 || store.chunks === 0) return { ranked: [], total: 0, repaired, words: [] };
    const limit = Math.max(plan.limit, CANDIDATES);
    const found = await rankByWords(client, { store: store.id, corpus: store, terms, limit, condition });
    return { ...found, repaired, words: terms.map(({ word }) => word) };
  }

  private async searchTerms(client: PostgresClient, store: StoreState, terms: Term[]) {
    const words = terms.filter(({ isPrefix }) => !isPrefix).map(({ word }) => word);
    const counts = words.length > 0 ? await countWords(client, store.id, words) : new Map<string, number>();
    const unknown = words.filter((word) => !counts.has(word));
    const repairs = await this.vocabularies.repairs(client, store.id, unknown);
    const near = await countWords(client, store.id, [...repairs.values()].flat());
    return selectTerms(terms, store.chunks, {
      chunksWith: (word) => counts.get(word) ?? near.get(word) ?? 0,
      repairs: (word) => repairs.get(word) ?? [],
    });
  }

  /**
   * Without an index that finds enough, and among few: exact. Also where the index gives up before
   * enough pass the filter.
   */
  private async byVector(
    client: PostgresClient,
    store: StoreState,
    { vector, text, limit: asked }: SearchPlan,
    { condition, total }: { condition: Condition; total: number },
  ): Promise<Ranked[]> {
    if (vector!.length !== store.dimensions) return [];
    const limit = text === null ? asked : Math.max(asked, CANDIDATES);
    const nearest = () => {
      const values = new Values();
      return { store: store.id, vector: vector!, limit, condition: condition ? condition(values) : null, values };
    };
    const { candidates } = JSON.parse(store.measured ?? '{"candidates": null}') as Pick<MeasuredRecall, 'candidates'>;
    if (candidates === null || total <= this.exactVectors) return nearestExact(client, nearest());
    const near = await nearestIndexed(client, nearest(), candidates);
    return near.length >= Math.min(limit, total) ? near : nearestExact(client, nearest());
  }
}

/** Null if every chunk is found. */
function visible({ hasHidden }: StoreState, { tests }: SearchPlan): Condition {
  if (tests.length === 0 && hasHidden === 0) return null;
  return (values) => `d.completed_at IS NOT NULL AND d.removed_at IS NULL AND ${passing(tests, values)}`;
}

/** The first document that passes, among those with the same content. */
function passing(tests: SearchPlan['tests'], values: Values): string {
  const earlier = postgresConditionOf(tests, values, 'earlier_chunk', 'earlier');
  return `${postgresConditionOf(tests, values)} AND ${isFirst(earlier)}`;
}

async function countCandidates(client: PostgresClient, { id, found }: StoreState, { tests }: SearchPlan) {
  if (tests.length === 0) return found;
  const values = new Values();
  const { rows } = await client.query<{ total: number }>(
    `SELECT count(*) AS total FROM knowledge_documents d JOIN knowledge_chunks c ON c.document = d.id
      WHERE d.store = ${id} AND ${FOUND} AND ${passing(tests, values)}`,
    values.bound,
  );
  return rows[0]!.total;
}

async function readHits(client: PostgresClient, ranked: Ranked[]): Promise<SearchHit[]> {
  if (ranked.length === 0) return [];
  const { rows } = await client.query<ChunkRow & { id: number }>(HITS, [ranked.map(({ id }) => id)]);
  const chunks = new Map(rows.map((row) => [row.id, row]));
  return ranked.map(({ id, score }) => toHit(chunks.get(id)!, score));
}
