import { LRUCache } from 'lru-cache';
import { MAX_CORRECTED } from '../../../core/knowledge/selection.ts';
import { SpellingIndex, type VocabularyWord } from '../../../core/knowledge/spelling.ts';
import type { PostgresClient } from '../../state/postgres/pool.ts';

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
