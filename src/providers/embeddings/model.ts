import type { Connection } from '../../core/agents/chat/provider.ts';

/** Some models embed documents and queries differently. */
export type Use = 'document' | 'query';

/** A request's limits, or its best sizes. Bytes are UTF-8. */
export interface Limits {
  maxTexts: number;
  maxBytes: number;
  /** The size of one text; longer ones are cut. */
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

type Prompt = Record<Use, string>;

/** From the models' documentation. Servers do not add them; without them search finds far less. */
const PROMPTS: [RegExp, Prompt][] = [
  [/gemini-embedding-2|embeddinggemma/, { document: 'title: none | text: ', query: 'task: search result | query: ' }],
  [/nomic-embed-text/, { document: 'search_document: ', query: 'search_query: ' }],
  [/\be5-(small|base|large)(?!.*instruct)/, { document: 'passage: ', query: 'query: ' }],
  [/mxbai-embed-large/, { document: '', query: 'Represent this sentence for searching relevant passages: ' }],
];

export function prompted(model: string, text: string, use: Use): string {
  const prompt = PROMPTS.find(([models]) => models.test(model))?.[1];
  return prompt === undefined ? text : prompt[use] + text;
}
