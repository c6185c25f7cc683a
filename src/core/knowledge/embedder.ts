/** Vectors of texts, one after the other in one array. */
export interface Embedded {
  vectors: Float32Array;
  dimensions: number;
}

/**
 * Makes vectors of texts. It keeps to its provider's limits, so that any number of texts may be given, and tries again what
 * a provider refuses for a while (429, 5xx, no answer), for as long as it was made to.
 */
export interface Embedder {
  /** Provider and model, `openai/text-embedding-3-small`: vectors of different names cannot be compared. */
  readonly name: string;
  /** Null: as many as the model makes. */
  readonly dimensions: number | null;
  /** Whether nearness of its vectors means nearness in meaning. */
  readonly semantic: boolean;
  /**
   * In the order of the texts, each of length 1. Throws `upstream` when the provider cannot be had, refuses, or answers with
   * too few vectors or of other dimensions; the message names the provider, the reason and the remedy, and no secret.
   */
  embed(texts: readonly string[], use: 'document' | 'query', signal: AbortSignal): Promise<Embedded>;
}

/** The embedders that there are. */
export interface Embedders {
  /** The one that new stores are made with; `none` for lexical search alone. */
  readonly configured: string;
  /**
   * By its name, with as many dimensions as a store has; null for `none`. For one that cannot be had as the server is set
   * up it throws `unprocessable` (no key) or `invalid` (no address); the message says what is missing.
   */
  of(name: string, dimensions: number | null): Embedder | null;
}
