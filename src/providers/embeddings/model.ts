import type { Connection } from '../../core/chat/provider.ts';

/** What a text is to be found by, or what it is to find: some models make different vectors of the two. */
export type Use = 'document' | 'query';

/** What a provider takes, or is better asked. Bytes are those of UTF-8. */
export interface Limits {
  /** In one request. */
  maxTexts: number;
  /** Of all texts of a request. */
  maxBytes: number;
  /** Of one text; what is longer is cut at its end. */
  maxTextBytes: number;
  /** At once. */
  maxRequests: number;
}

/** A model of vectors, as one vendor's API has it. */
export interface EmbeddingModel {
  readonly limits: Limits;
  /**
   * Sends one request, once. What the vendor gives as vectors, in the order of the texts: nobody has looked at them yet.
   * Rejects with a ProviderFault.
   */
  ask(texts: readonly string[], use: Use, signal: AbortSignal): Promise<readonly unknown[]>;
}

/** Which model, and how it is reached. */
export interface ModelSettings {
  model: string;
  /** Null: as many as the model makes. */
  dimensions: number | null;
  connection: Connection;
}
