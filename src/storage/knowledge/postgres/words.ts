import { LRUCache } from 'lru-cache';
import { MAX_CORRECTED, type Ranked } from '../../../core/knowledge/selection.ts';
import { SpellingIndex, type VocabularyWord } from '../../../core/knowledge/spelling.ts';
import { type Term, wordsIn } from '../../../core/knowledge/terms.ts';
import type { PostgresClient } from '../../state/postgres/pool.ts';
import { Values } from './values.ts';

interface Indexed {
  chunk: number;
  headings: readonly string[];
  text: string;
}

/** Words of chunks, whose number is returned. The chunks have none yet. */
export async function insertPostings(client: PostgresClient, store: number, chunks: readonly Indexed[]) {
  const rows: { word: string; chunk: number; times: number; ofWords: number }[] = [];
  let total = 0;
  for (const { chunk, headings, text } of chunks) {
    const words = [...wordsIn(headings.join(' ')), ...wordsIn(text)];
    total += words.length;
    const times = new Map<string, number>();
    for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
    for (const [word, count] of times) rows.push({ word, chunk, times: count, ofWords: words.length });
  }
  // In the order of the index.
  rows.sort((one, other) => (one.word < other.word ? -1 : one.word > other.word ? 1 : one.chunk - other.chunk));
  await client.query(
    `INSERT INTO knowledge_postings (store, word, chunk, times, of_words)
      SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::int[], $5::int[])`,
    [
      store,
      rows.map(({ word }) => word),
      rows.map(({ chunk }) => chunk),
      rows.map(({ times }) => times),
      rows.map(({ ofWords }) => ofWords),
    ],
  );
  return total;
}

/** Parameters of FTS5. */
const K1 = 1.2;
const B = 0.75;
const LEAST_WEIGHT = 1e-6;
/** Digits of a score that count: sums differ in the last ones with the order of their parts. */
const DIGITS = 9;
const LAST_CHARACTER = '\u{10ffff}';

export interface Corpus {
  chunks: number;
  /** The number of words in all chunks. */
  words: number;
}

interface Matched {
  store: number;
  terms: readonly Term[];
  corpus: Corpus;
  limit: number;
  /** On chunks c and documents d; null: every chunk is found. */
  condition: ((values: Values) => string) | null;
}

/**
 * The best chunks by BM25, as SQLite's FTS5 weighs them: frequencies are those of all chunks of the
 * store, hidden ones too, and a word in more than half of them counts next to nothing. Equal scores
 * in the order of the chunks.
 */
export async function rankByWords(
  client: PostgresClient,
  { store, terms, corpus, limit, condition }: Matched,
): Promise<{ ranked: Ranked[]; total: number }> {
  const values = new Values();
  const average = corpus.words / corpus.chunks;
  const visible = condition
    ? `JOIN knowledge_chunks c ON c.id = scored.id JOIN knowledge_documents d ON d.id = c.document WHERE ${condition(values)}`
    : '';
  const { rows } = await client.query<Ranked & { total: number }>(
    `WITH matches AS MATERIALIZED (${matches(store, terms, values)}),
      weights AS (
        SELECT term, greatest(ln(greatest(${corpus.chunks} - count(*) + 0.5::float8, 0.5) / (count(*) + 0.5)), ${LEAST_WEIGHT}) AS weight
        FROM matches GROUP BY term),
      scored AS (
        SELECT chunk AS id, sum(weight * times * ${K1 + 1} / (times + ${K1} * (${1 - B} + ${B} * of_words / ${average}::float8)))
          AS score FROM matches JOIN weights USING (term) GROUP BY chunk)
      SELECT scored.id, score, count(*) OVER () AS total FROM scored ${visible}
      ORDER BY round(score::numeric, ${DIGITS}) DESC, scored.id LIMIT ${values.integer(limit)}`,
    values.bound,
  );
  return { ranked: rows.map(({ id, score }) => ({ id, score })), total: rows[0]?.total ?? 0 };
}

/** A prefix counts all words that begin with it as one. */
function matches(store: number, terms: readonly Term[], values: Values): string {
  const whole = terms.filter(({ isPrefix }) => !isPrefix).map(({ word }) => word);
  const prefixes = terms.filter(({ isPrefix }) => isPrefix).map(({ word }) => word);
  const parts = [
    ...(whole.length > 0
      ? [
          `SELECT word AS term, chunk, times, of_words FROM knowledge_postings
            WHERE store = ${store} AND word = ANY (${values.list('text', whole)})`,
        ]
      : []),
    ...prefixes.map((prefix) => {
      const from = values.text(prefix);
      return `SELECT ${from} || '*' AS term, chunk, sum(times)::int AS times, max(of_words) AS of_words
        FROM knowledge_postings WHERE store = ${store} AND word >= ${from} AND word <= ${values.text(prefix + LAST_CHARACTER)}
        GROUP BY chunk`;
    }),
  ];
  return parts.join(' UNION ALL ');
}

/** How many chunks have a word, of the words that any has. */
export async function countWords(
  client: PostgresClient,
  store: number,
  words: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ word: string; chunks: number }>(
    `SELECT word, count(*) AS chunks FROM knowledge_postings WHERE store = $1 AND word = ANY ($2::text[]) GROUP BY word`,
    [store, words],
  );
  return new Map(rows.map(({ word, chunks }) => [word, chunks]));
}

/** TTL: an older vocabulary is nearly as good. */
const VOCABULARY_MS = 60_000;
const MAX_VOCABULARIES = 50;
/**
 * The most frequent ones. The index is made in the thread that answers requests: these take some 30
 * ms.
 */
const MAX_WORDS = 100_000;

/** Spellings of the words that a store has. */
export class Vocabularies {
  private readonly spelling = new LRUCache<number, Promise<SpellingIndex>>({
    max: MAX_VOCABULARIES,
    ttl: VOCABULARY_MS,
  });

  /** Words that a store has in place of the unknown ones. */
  async repairs(client: PostgresClient, store: number, unknown: readonly string[]): Promise<Map<string, string[]>> {
    if (unknown.length === 0) return new Map();
    const index = await this.of(client, store);
    return new Map(unknown.slice(0, MAX_CORRECTED).map((word) => [word, index.repairs(word)]));
  }

  /** Searches at the same time share one. */
  private of(client: PostgresClient, store: number): Promise<SpellingIndex> {
    const cached = this.spelling.get(store);
    if (cached) return cached;
    const index = read(client, store);
    this.spelling.set(store, index);
    index.catch(() => this.spelling.delete(store));
    return index;
  }
}

async function read(client: PostgresClient, store: number): Promise<SpellingIndex> {
  const { rows } = await client.query<VocabularyWord>(
    `SELECT word, chunks FROM (
        SELECT word, count(*) AS chunks FROM knowledge_postings WHERE store = $1 GROUP BY word
        ORDER BY chunks DESC, word LIMIT ${MAX_WORDS}) frequent
      ORDER BY word`,
    [store],
  );
  return new SpellingIndex(rows);
}
