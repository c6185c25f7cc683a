import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { CANDIDATES, fuseRankings, type Ranked, selectTerms } from '../../../core/knowledge/selection.ts';
import { SpellingIndex, type VocabularyWord } from '../../../core/knowledge/spelling.ts';
import type { SearchHit, SearchPlan, SearchResult } from '../../../core/knowledge/store.ts';
import { type Term, termsOf } from '../../../core/knowledge/terms.ts';
import type { Statements } from '../../state/sqlite/prepared.ts';
import { FOUND } from '../rows/engine.ts';
import { type ChunkRow, isFirst, toHit } from '../rows/records.ts';
import { BitsIndex, bitmapOf, type Mask } from './bits/index.ts';
import { statementsOf } from './client.ts';
import { addFunctions, type SqlCondition, sqliteConditionOf } from './filter.ts';
import { vectorsTable, vocabularyTable, wordsTable } from './schema.ts';

/** TTL: an older vocabulary is nearly as good. */
const VOCABULARY_MS = 60_000;
const MAX_VOCABULARIES = 50;
/** With more hidden documents the visible chunks are listed: SQLite allows some sixty terms. */
const MAX_EXCLUDED = 8;
/** Reading a vector by its chunk takes so many times as long as comparing it in passing. */
const READING = 20;
/** The most neighbours that sqlite-vec finds at once. */
const MAX_NEIGHBOURS = 4_096;
/** More candidates for more neighbours than the ten of which the recall is known. */
const CANDIDATES_PER_HIT = 4;
const MAX_WORDS = 400_000;

export interface SearchOptions {
  /** Up to so many vectors are compared one by one. */
  exactVectors: number;
  /** Bytes of bits that are kept in memory. */
  keptBitsBytes: number;
}

interface StoreRow {
  id: number;
  dimensions: number | null;
  bits: number;
  /** How many to compare; null: the store is searched exactly. */
  candidates: number | null;
  /** Vectors that it had when the number of candidates was chosen. */
  measured: number;
}

interface Asked {
  store: StoreRow;
  vector: Float32Array;
  limit: number;
}

/** Chunks that pass a filter; without one, documents that are not to be found. */
interface Found {
  passing: number[] | null;
  hidden: number[];
}

interface Among {
  /** Chunks. */
  among?: number[];
  /** Documents. */
  without?: number[];
}

export class Search {
  private readonly database: Database;
  private readonly statements: Statements;
  private readonly exactVectors: number;
  private readonly index: BitsIndex;
  private readonly spelling = new LRUCache<number, SpellingIndex>({ max: MAX_VOCABULARIES, ttl: VOCABULARY_MS });

  constructor(database: Database, { exactVectors, keptBitsBytes }: SearchOptions) {
    this.database = database;
    this.statements = statementsOf(database);
    this.exactVectors = exactVectors;
    this.index = new BitsIndex(this.statements, keptBitsBytes);
    addFunctions(database);
  }

  /** Null for an unknown store. Reads one snapshot. */
  search(tenantId: string, plan: SearchPlan): SearchResult | null {
    return this.database.transaction(() => this.searchState(tenantId, plan))();
  }

  private searchState(tenantId: string, plan: SearchPlan): SearchResult | null {
    const store = this.statements
      .of(`SELECT id, dimensions, bits, candidates, measured FROM stores
          WHERE tenant_id = ? AND name = ? AND dropped_at IS NULL`)
      .get(tenantId, plan.store) as StoreRow | undefined;
    if (!store) return null;
    const visible = this.visible(store.id, plan);
    const lexical = plan.text === null ? null : this.byWords(store.id, plan.text, plan.limit, visible);
    const near = plan.vector && store.dimensions !== null ? this.byVector(store, plan, visible) : null;
    const { ranked, total } = near ?? lexical ?? { ranked: [], total: 0 };
    const best = lexical && near ? fuseRankings(lexical.ranked, near.ranked, plan) : ranked;
    return {
      hits: this.hits(best.slice(0, plan.limit)),
      total,
      repaired: lexical?.repaired ?? [],
      words: lexical?.words ?? [],
    };
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
    if (terms.length === 0) return { ranked: [], total: 0, repaired, words: [] };
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
    return { ranked: rows, total, repaired, words: terms.map(({ word }) => word) };
  }

  private byVector(store: StoreRow, plan: SearchPlan, visible: SqlCondition | null) {
    const { tests, text, limit: wanted } = plan;
    const passing = visible && tests.length > 0 ? this.chunksOf(store.id, visible) : null;
    const all = this.countChunks(store.id);
    const hidden = visible && !passing ? this.hiddenDocuments(store.id) : [];
    const total = passing?.length ?? (visible ? this.countVisible(store.id) : all);
    const vector = plan.vector!;
    if (vector.length !== store.dimensions) return { ranked: [], total };
    // A hundred costs a quarter more time: only for fusion.
    const asked = { store, vector, limit: text === null ? wanted : Math.max(wanted, CANDIDATES) };
    const candidates =
      (total > this.exactVectors ? this.byBits(asked, { passing, hidden }) : null) ??
      (passing && passing.length * READING < all ? passing : null);
    if (candidates) return { ranked: this.nearestOf(asked, candidates), total };
    const among = passing ?? (hidden.length > MAX_EXCLUDED ? this.chunksOf(store.id, visible!) : null);
    return { ranked: this.nearest(asked, among ? { among } : { without: hidden }), total };
  }

  /** Candidates; null if the store has no bits, or many of its vectors have none. */
  private byBits({ store, vector, limit }: Asked, { passing, hidden }: Found): number[] | null {
    const { id, dimensions, bits, candidates, measured } = store;
    if (candidates === null) return null;
    const indexed = { id, dimensions: dimensions!, bits };
    const mask = maskOf(passing, hidden);
    const latest = this.index.latest(indexed, mask, this.exactVectors);
    if (!latest) return null;
    const grown = Math.max(this.countChunks(id) / measured, 1);
    const count = Math.max(Math.ceil(candidates * grown), limit * CANDIDATES_PER_HIT);
    return [...this.index.nearest(indexed, vector, count, mask), ...latest];
  }

  /** The nearest of some chunks. The join reads each vector by itself, where IN would read all. */
  private nearestOf({ store, vector, limit }: Asked, chunks: number[]): Ranked[] {
    return this.statements
      .of(
        `SELECT wanted.value AS id, 1 - vec_distance_cosine(embedding, ?) AS score FROM json_each(?) wanted
          CROSS JOIN ${vectorsTable(store.id)} vectors ON vectors.rowid = wanted.value
          ORDER BY score DESC, id LIMIT ?`,
      )
      .all(bytesOf(vector), JSON.stringify(chunks), limit) as Ranked[];
  }

  /** The nearest of all vectors. Which of equally near ones vec0 finds depends on their places. */
  private nearest(asked: Asked, found: Among): Ranked[] {
    const { limit } = asked;
    const rows = this.neighbours(asked, found, limit + 1);
    const isTied = rows.length > limit && rows[limit]!.score === rows[limit - 1]!.score;
    const ranked = isTied ? this.neighbours(asked, found, MAX_NEIGHBOURS) : rows;
    return ranked.sort((one, other) => other.score - one.score || one.id - other.id).slice(0, limit);
  }

  private neighbours({ store, vector }: Asked, { among, without = [] }: Among, count: number): Ranked[] {
    return this.statements
      .of(
        `SELECT rowid AS id, 1 - distance AS score FROM ${vectorsTable(store.id)} WHERE embedding MATCH ? AND k = ?
          ${among ? 'AND rowid IN (SELECT value FROM json_each(?))' : without.map(() => 'AND document <> ?').join(' ')}
          ORDER BY distance`,
      )
      .all(bytesOf(vector), count, ...(among ? [JSON.stringify(among)] : without.map(BigInt))) as Ranked[];
  }

  private chunksOf(store: number, { sql, values }: SqlCondition): number[] {
    return this.statements
      .of(`SELECT c.id FROM documents d JOIN chunks c ON c.document = d.id WHERE d.store = ? AND ${sql}`)
      .all(store, ...values)
      .map(({ id }) => id as number);
  }

  private countVisible(store: number): number {
    const row = this.statements
      .of(`SELECT coalesce(sum(chunks), 0) AS total FROM documents d WHERE store = ? AND ${FOUND} AND ${isFirst()}`)
      .get(store) as { total: number };
    return row.total;
  }

  private countChunks(store: number): number {
    const row = this.statements
      .of('SELECT coalesce(sum(chunks), 0) AS chunks FROM documents WHERE store = ?')
      .get(store) as { chunks: number };
    return row.chunks;
  }

  private searchTerms(store: number, terms: Term[]) {
    return selectTerms(terms, this.countChunks(store), {
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

function maskOf(passing: number[] | null, hidden: number[]): Mask | null {
  if (passing) return { of: 'chunks', ids: bitmapOf(passing), finds: 'listed' };
  return hidden.length > 0 ? { of: 'documents', ids: bitmapOf(hidden), finds: 'others' } : null;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
