import type { Capabilities, Vendor } from './capabilities.ts';
import type { ChatRequest } from './schema.ts';

export interface Connection {
  provider: Vendor;
  /** The vendor's own address if null. */
  baseUrl: string | null;
  /** Null if none is needed, or AWS's credential chain finds one. */
  apiKey: string | null;
  /** Added to every request; override the SDK's. */
  headers: Record<string, string>;
  /** The AWS region; null takes it from the environment. */
  region: string | null;
  allowPrivateNetwork: boolean;
  /** Separate, because callers choose the addresses of images. */
  allowPrivateImages: boolean;
}

export interface ProviderCall {
  request: ChatRequest;
  connection: Connection;
  capabilities: Capabilities;
  /** Members that must not be dropped; refuse the request instead. */
  requiredParams: readonly string[];
  /** After the abort, the request must end within 250 ms. */
  signal: AbortSignal;
}

/** `function.arguments` is JSON text as the model wrote it. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  /** Members that a vendor wants back with the result, such as `{google: {thought_signature}}`. */
  extra_content?: Record<string, unknown>;
}

/** Tokens. `inputTokens` includes cached tokens, `outputTokens` reasoning tokens. */
export interface ChatUsage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
}

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'other'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

export interface Warning {
  type: 'warning';
  message: string;
  /** A member of the request, or `temperature: 2 -> 1` for a lowered one. */
  droppedParam?: string;
}

/** A tool call arrives whole. The last usage counts. */
export type ChatEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'usage'; usage: ChatUsage }
  | Warning
  | { type: 'finish'; reason: FinishReason };

export interface ProviderStream {
  requestId: string | null;
  /**
   * One batch per read; an empty one is a keep-alive. Ends after `finish`. Throws a ProviderFault
   * if the response is incomplete or invalid. Returning the iterator ends the request.
   */
  events: AsyncIterable<ChatEvent[]>;
}

export interface ChatProvider {
  /** Resolves once the provider accepts the request; rejects with a ProviderFault. */
  stream(call: ProviderCall): Promise<ProviderStream>;
}

/** `refused`: can never succeed. `broken`: an invalid or incomplete response. */
export type FaultKind = 'refused' | 'credential' | 'rate_limited' | 'unavailable' | 'broken' | 'timeout';

/** Omits the SDK's error, whose headers hold keys. Callers see only `refused` messages. */
export class ProviderFault extends Error {
  readonly kind: FaultKind;
  /** Null without a response. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;

  constructor(
    kind: FaultKind,
    message: string,
    detail: { status?: number | null; retryAfterMs?: number | null; requestId?: string | null } = {},
  ) {
    super(message);
    this.name = 'ProviderFault';
    this.kind = kind;
    this.status = detail.status ?? null;
    this.retryAfterMs = detail.retryAfterMs ?? null;
    this.requestId = detail.requestId ?? null;
  }
}

/** A request that can never succeed. The message names the field. */
export function refused(message: string): ProviderFault {
  return new ProviderFault('refused', message);
}
