import { type Connection, ProviderFault, refused } from '../../core/agents/chat/provider.ts';
import { BlockedAddress } from '../../outbound/guard.ts';
import { tryParseJson } from '../shared/json.ts';

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

/** Bytes: four times the response to our largest request, with 3,072 numbers per text. */
const MAX_ANSWER = 64 * 1024 * 1024;

export async function readResponse(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw new ProviderFault('broken', 'It answered with far more than vectors.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function membersOf(answer: string): Record<string, unknown> {
  const value = tryParseJson(answer);
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new ProviderFault('broken', 'It answered with something other than JSON with vectors.');
}

export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ProviderFault('broken', 'It answered without a list of vectors.');
}

/** A blocked address is refused for good. */
export function embeddingFaultOf(error: unknown, faultOfVendor: (error: unknown) => ProviderFault): ProviderFault {
  const { cause = error } = error as Error;
  if (cause instanceof BlockedAddress) return refused(cause.message);
  return faultOfVendor(error);
}
