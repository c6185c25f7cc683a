import { LRUCache } from 'lru-cache';
import { MAX_CORRECTED, MAX_WORDS } from '../../core/knowledge/selection.ts';
import { SpellingIndex, type VocabularyWord } from '../../core/knowledge/spelling.ts';
import type { PostgresClient } from '../postgres/pool.ts';

/** TTL: an older vocabulary is nearly as good. */
const VOCABULARY_MS = 60_000;
const MAX_VOCABULARIES = 50;

/** Spellings of the words that a store has. */
export class Vocabularies {
  private readonly spelling = new LRUCache<number, SpellingIndex>({ max: MAX_VOCABULARIES, ttl: VOCABULARY_MS });

  /** Words that a store has in place of the unknown ones. */
  async repairs(client: PostgresClient, store: number, unknown: readonly string[]): Promise<Map<string, string[]>> {
    if (unknown.length === 0) return new Map();
    const index = await this.of(client, store);
    return new Map(unknown.slice(0, MAX_CORRECTED).map((word) => [word, index.repairs(word)]));
  }

  private async of(client: PostgresClient, store: number): Promise<SpellingIndex> {
    const cached = this.spelling.get(store);
    if (cached) return cached;
    const { rows } = await client.query<VocabularyWord>(
      `SELECT word, count(*) AS chunks FROM knowledge_postings WHERE store = $1 GROUP BY word ORDER BY word
        LIMIT ${MAX_WORDS}`,
      [store],
    );
    const index = new SpellingIndex(rows);
    this.spelling.set(store, index);
    return index;
  }
}
