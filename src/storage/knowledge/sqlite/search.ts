import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { CANDIDATES, fuseRankings, type Ranked, selectTerms } from '../../../core/knowledge/selection.ts';
import { SpellingIndex, type VocabularyWord } from '../../../core/knowledge/spelling.ts';
import type { SearchHit, SearchPlan, SearchResult } from '../../../core/knowledge/store.ts';
import { type Term, termsOf } from '../../../core/knowledge/terms.ts';
import type { Statements } from '../../state/sqlite/prepared.ts';
import { FOUND } from '../rows/engine.ts';
import { type ChunkRow, isFirst, toHit } from '../rows/records.ts';
import { statementsOf } from './client.ts';
import { addFunctions, type SqlCondition, sqliteConditionOf } from './filter.ts';
import { vectorsTable, vocabularyTable, wordsTable } from './schema.ts';

/** TTL: an older vocabulary is nearly as good. */
const VOCABULARY_MS = 60_000;
const MAX_VOCABULARIES = 50;
/** With more hidden documents the visible chunks are listed: SQLite allows some sixty terms. */
const MAX_EXCLUDED = 8;
const MAX_WORDS = 400_000;

interface StoreRow {
  id: number;
  dimensions: number | null;
}

export class Search {
  private readonly database: Database;
  private readonly statements: Statements;
  private readonly spelling = new LRUCache<number, SpellingIndex>({ max: MAX_VOCABULARIES, ttl: VOCABULARY_MS });

  constructor(database: Database) {
    this.database = database;
    this.statements = statementsOf(database);
    addFunctions(database);
  }

  /** Null for an unknown store. Reads one snapshot. */
  search(tenantId: string, plan: SearchPlan): SearchResult | null {
    return this.database.transaction(() => this.searchState(tenantId, plan))();
  }

  private searchState(tenantId: string, plan: SearchPlan): SearchResult | null {
    const store = this.statements
      .of('SELECT id, dimensions FROM stores WHERE tenant_id = ? AND name = ? AND dropped_at IS NULL')
      .get(tenantId, plan.store) as StoreRow | undefined;
    if (!store) return null;
    const visible = this.visible(store.id, plan);
    const lexical = plan.text === null ? null : this.byWords(store.id, plan.text, plan.limit, visible);
    const vectors = plan.vector && store.dimensions !== null ? this.byVector(store, plan, visible) : null;
    const total = vectors ? this.countCandidates(store.id, plan, visible) : (lexical?.total ?? 0);
    const ranked =
      lexical && vectors ? fuseRankings(lexical.ranked, vectors, plan) : (vectors ?? lexical?.ranked ?? []);
    return { hits: this.hits(ranked.slice(0, plan.limit)), total, repaired: lexical?.repaired ?? [] };
  }

  /** Null if every chunk is visible. */
  private visible(store: number, { tests }: SearchPlan): SqlCondition | null {
    if (tests.length === 0 && this.hiddenDocuments(store).length === 0) return null;
    const { sql, values } = sqliteConditionOf(tests);
    const earlier = sqliteConditionOf(tests, 'earlier_chunk', 'earlier');
    return { sql: `${FOUND} AND ${sql} AND ${isFirst(earlier.sql)}`, values: [...values, ...earlier.values] };
  }

  /** Only those with chunks: documents that are not complete or removed, and repeated ones. */
  private hiddenDocuments(store: number): number[] {
    return this.statements
      .of(
        `SELECT id FROM documents WHERE store = :store AND (completed_at IS NULL OR removed_at IS NOT NULL) AND chunks > 0
          UNION ALL SELECT id FROM documents d WHERE store = :store AND repeated = 1 AND chunks > 0 AND ${FOUND} AND NOT ${isFirst()}`,
      )
      .all({ store })
      .map(({ id }) => id as number);
  }

  private byWords(store: number, text: string, limit: number, visible: SqlCondition | null) {
    const { terms, repaired } = this.searchTerms(store, termsOf(text));
    if (terms.length === 0) return { ranked: [], total: 0, repaired };
    const words = wordsTable(store);
    const match = terms.map(({ word, isPrefix }) => `"${word}"${isPrefix ? '*' : ''}`).join(' OR ');
    const from = visible
      ? `${words} w JOIN chunks c ON c.id = w.rowid JOIN documents d ON d.id = c.document
          WHERE ${words} MATCH ? AND ${visible.sql}`
      : `${words} w WHERE ${words} MATCH ?`;
    const values = [match, ...(visible?.values ?? [])];
    const rows = this.statements
      .of(`SELECT w.rowid AS id, -w.rank AS score FROM ${from} ORDER BY w.rank LIMIT ?`)
      .all(...values, Math.max(limit, CANDIDATES)) as Ranked[];
    const { total } = this.statements.of(`SELECT count(*) AS total FROM ${from}`).get(...values) as { total: number };
    return { ranked: rows, total, repaired };
  }

  private byVector(store: StoreRow, plan: SearchPlan, visible: SqlCondition | null): Ranked[] {
    const { id, dimensions } = store;
    const vector = plan.vector!;
    if (vector.length !== dimensions) return [];
    const hidden = this.hiddenDocuments(id);
    const among = visible && (plan.tests.length > 0 || hidden.length > MAX_EXCLUDED) ? chunkIds(visible) : null;
    const rows = this.statements
      .of(
        `SELECT rowid AS id, 1 - distance AS score FROM ${vectorsTable(id)} WHERE embedding MATCH ? AND k = ?
          ${among ? `AND rowid IN (${among.sql})` : hidden.map(() => 'AND document <> ?').join(' ')} ORDER BY distance`,
      )
      .all(
        Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
        // A hundred costs a quarter more time: only for fusion.
        plan.text === null ? plan.limit : Math.max(plan.limit, CANDIDATES),
        ...(among ? [id, ...among.values] : hidden.map(BigInt)),
      );
    return rows as Ranked[];
  }

  private countCandidates(store: number, { tests }: SearchPlan, visible: SqlCondition | null): number {
    const { sql, values } =
      visible && tests.length > 0
        ? { sql: `SELECT count(*) AS total FROM (${chunkIds(visible).sql})`, values: visible.values }
        : {
            sql: `SELECT coalesce(sum(chunks), 0) AS total FROM documents d WHERE store = ? AND ${FOUND}
              ${visible ? `AND ${isFirst()}` : ''}`,
            values: [],
          };
    return (this.statements.of(sql).get(store, ...values) as { total: number }).total;
  }

  private searchTerms(store: number, terms: Term[]) {
    const { chunks } = this.statements
      .of('SELECT coalesce(sum(chunks), 0) AS chunks FROM documents WHERE store = ?')
      .get(store) as { chunks: number };
    return selectTerms(terms, chunks, {
      chunksWith: (word) => this.chunksWith(store, word),
      repairs: (word) => this.spellingOf(store).repairs(word),
    });
  }

  private chunksWith(store: number, word: string): number {
    const row = this.statements.of(`SELECT doc FROM ${vocabularyTable(store)} WHERE term = ?`).get(word) as
      | { doc: number }
      | undefined;
    return row?.doc ?? 0;
  }

  private spellingOf(store: number): SpellingIndex {
    const cached = this.spelling.get(store);
    if (cached) return cached;
    const vocabulary = this.statements
      .of(`SELECT term AS word, doc AS chunks FROM ${vocabularyTable(store)} LIMIT ${MAX_WORDS}`)
      .all() as VocabularyWord[];
    const index = new SpellingIndex(vocabulary);
    this.spelling.set(store, index);
    return index;
  }

  private hits(ranked: Ranked[]): SearchHit[] {
    const chunk = this.statements.of(
      `SELECT d.document_id AS documentId, d.name, d.metadata AS ofDocument, c.seq, c.text, c.headings, c.page, c."row",
          c.line, c.metadata FROM chunks c JOIN documents d ON d.id = c.document WHERE c.id = ?`,
    );
    return ranked.map(({ id, score }) => toHit(chunk.get(id) as ChunkRow, score));
  }
}

/** The store is the first bound value. */
function chunkIds({ sql, values }: SqlCondition): SqlCondition {
  return {
    sql: `SELECT c.id FROM documents d JOIN chunks c ON c.document = d.id WHERE d.store = ? AND ${sql}`,
    values,
  };
}
