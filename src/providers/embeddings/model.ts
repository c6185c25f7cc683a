import type { Connection } from '../../core/agents/chat/provider.ts';

/** Some models embed documents and queries differently. */
export type Use = 'document' | 'query';

/** A request's limits, or its best sizes. Bytes are UTF-8. */
export interface Limits {
  maxTexts: number;
  maxBytes: number;
  /** Of one text; longer ones are cut. */
  maxTextBytes: number;
  /** Concurrent. */
  maxRequests: number;
}

export interface EmbeddingModel {
  readonly limits: Limits;
  /** Resolves with unchecked vectors, in order; rejects with a ProviderFault. */
  ask(texts: readonly string[], use: Use, signal: AbortSignal): Promise<readonly unknown[]>;
}

export interface ModelSettings {
  model: string;
  dimensions: number | null;
  connection: Connection;
}
