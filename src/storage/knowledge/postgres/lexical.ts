import type { Ranked } from '../../../core/knowledge/fusion.ts';
import type { Term } from '../../../core/knowledge/terms.ts';
import type { PostgresClient } from '../../state/postgres/pool.ts';
import { Values } from './values.ts';

/** As FTS5 has them. */
const K1 = 1.2;
const B = 0.75;
const LEAST_WEIGHT = 1e-6;
/** Digits of a score that count: sums differ in the last ones with the order of their parts. */
const DIGITS = 9;

export interface Corpus {
  chunks: number;
  /** Of all chunks. */
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
        FROM knowledge_postings WHERE store = ${store} AND word >= ${from} AND word <= ${values.text(prefix + LAST)}
        GROUP BY chunk`;
    }),
  ];
  return parts.join(' UNION ALL ');
}

const LAST = '\u{10ffff}';

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
