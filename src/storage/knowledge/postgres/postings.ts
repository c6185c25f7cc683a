import { WORDS_VERSION, wordsIn } from '../../../core/knowledge/terms.ts';
import type { PostgresClient } from '../../state/postgres/pool.ts';

/** Grows when a chunk is indexed otherwise than before, apart from its words. */
const LAYOUT_VERSION = 1;
/** Of a chunk: smaller ones are indexed anew. */
export const INDEX_VERSION = LAYOUT_VERSION * 1_000 + WORDS_VERSION;

export interface Indexed {
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
