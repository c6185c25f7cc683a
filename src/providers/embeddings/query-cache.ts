import { LRUCache } from 'lru-cache';
import type { Embedded, Embedder } from '../../core/knowledge/embedder.ts';

/** Characters; longer queries hardly repeat. */
const MAX_LENGTH = 1_000;

export function cachingQueries(embedder: Embedder, size = 500): Embedder {
  const cache = new LRUCache<string, Embedded>({ max: size });
  const { name, dimensions, semantic } = embedder;
  return {
    name,
    dimensions,
    semantic,
    embed: async (texts, use, signal) => {
      const [text] = texts;
      if (use !== 'query' || text === undefined || texts.length > 1 || text.length > MAX_LENGTH) {
        return embedder.embed(texts, use, signal);
      }
      signal.throwIfAborted();
      const embedded = cache.get(text) ?? (await embedder.embed(texts, use, signal));
      cache.set(text, embedded);
      // A copy: the caller may transfer the vectors to a thread.
      return { ...embedded, vectors: embedded.vectors.slice() };
    },
  };
}
