import type { Connection } from '../../core/chat/provider.ts';

/** Whether a text will be found or is a query: some models embed the two differently. */
export type Use = 'document' | 'query';

/** Limits of a provider, or its best sizes. Bytes are UTF-8. */
export interface Limits {
  /** Per request. */
  maxTexts: number;
  /** Of all texts of a request. */
  maxBytes: number;
  /** Of one text; longer ones are cut. */
  maxTextBytes: number;
  /** Concurrent. */
  maxRequests: number;
}

/** One vendor's embedding model. */
export interface EmbeddingModel {
  readonly limits: Limits;
  /** Sends one request. Resolves with unchecked vectors, in order; rejects with a ProviderFault. */
  ask(texts: readonly string[], use: Use, signal: AbortSignal): Promise<readonly unknown[]>;
}

export interface ModelSettings {
  model: string;
  /** Null: the model's default. */
  dimensions: number | null;
  connection: Connection;
}
