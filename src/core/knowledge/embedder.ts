export interface Embedded {
  vectors: Float32Array;
  dimensions: number;
}

/** Embeds any number of texts within the provider's limits; retries 429 and 5xx. */
export interface Embedder {
  /** `openai/text-embedding-3-small`; vectors of different names are not comparable. */
  readonly name: string;
  /** Null for the model's default. */
  readonly dimensions: number | null;
  /** False where near vectors mean similar spelling, not similar meaning. */
  readonly semantic: boolean;
  /** Unit vectors in the order of the texts. Throws `upstream`; the message contains no secret. */
  embed(texts: readonly string[], use: 'document' | 'query', signal: AbortSignal): Promise<Embedded>;
}

export interface Embedders {
  /** `none`: lexical search only. */
  readonly configured: string;
  /** Null for `none`. Throws `unprocessable` without an API key, `invalid` without an address. */
  of(name: string, dimensions: number | null): Embedder | null;
}
