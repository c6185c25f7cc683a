/** Vectors of texts, concatenated in one array. */
export interface Embedded {
  vectors: Float32Array;
  dimensions: number;
}

/** Makes vectors of any number of texts, within the provider's limits, and retries (429, 5xx). */
export interface Embedder {
  /** Such as `openai/text-embedding-3-small`. Vectors of different names are not comparable. */
  readonly name: string;
  /** Null: the model's default. */
  readonly dimensions: number | null;
  /** Whether near vectors mean near meanings. */
  readonly semantic: boolean;
  /**
   * Vectors of length 1 in the order of the texts. Throws `upstream` when the provider is
   * unavailable, refuses, or returns too few vectors or other dimensions; the message names the
   * provider, the reason and the remedy, and no secret.
   */
  embed(texts: readonly string[], use: 'document' | 'query', signal: AbortSignal): Promise<Embedded>;
}

export interface Embedders {
  /** The embedder of new stores; `none` for lexical search only. */
  readonly configured: string;
  /**
   * The embedder of this name with a store's dimensions; null for `none`. Throws `unprocessable`
   * without an API key and `invalid` without an address; the message names what is missing.
   */
  of(name: string, dimensions: number | null): Embedder | null;
}
