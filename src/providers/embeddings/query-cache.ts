import type { Embedded, Embedder } from '../../core/knowledge/embedder.ts';

/** Longer ones are hardly asked twice. */
const MAX_LENGTH = 1_000;

/** The same embedder, which remembers the vectors of the queries that it was asked for last. */
export function rememberingQueries(embedder: Embedder, size = 500): Embedder {
  const known = new Map<string, Embedded>();
  const { name, dimensions, semantic } = embedder;
  return {
    ...{ name, dimensions, semantic },
    embed: async (texts, use, signal) => {
      const [text] = texts;
      if (use !== 'query' || text === undefined || texts.length > 1 || text.length > MAX_LENGTH) {
        return embedder.embed(texts, use, signal);
      }
      signal.throwIfAborted();
      const embedded = known.get(text) ?? (await embedder.embed(texts, use, signal));
      // Put at the end anew: the first is the one that was not asked for longest.
      known.delete(text);
      known.set(text, embedded);
      if (known.size > size) known.delete(known.keys().next().value!);
      // A copy: vectors may be handed over to a thread, and are then gone here.
      return { ...embedded, vectors: embedded.vectors.slice() };
    },
  };
}
