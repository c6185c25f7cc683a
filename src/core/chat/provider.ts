import type { Capabilities } from './capabilities.ts';
import type { ChatRequest } from './schema.ts';
import type { ProviderName } from './vendors.ts';

/** Where a provider is reached, and as whom. */
export interface Connection {
  provider: ProviderName;
  /** Null is the vendor's own. */
  baseUrl: string | null;
  /** Null where the server needs none, or where the vendor's own chain finds one (AWS). */
  apiKey: string | null;
  /** Sent with every request, beside and after the SDK's own. */
  headers: Record<string, string>;
  /** Of AWS; null is that of the environment. */
  region: string | null;
  /** Whether addresses that are not public may be reached: the operator says so. */
  allowPrivateNetwork: boolean;
  /** Whether images, whose addresses callers choose, may come from such addresses. */
  allowPrivateImages: boolean;
}

/** A request as one provider is to be asked: what it cannot honour is no longer in it. */
export interface ProviderCall {
  request: ChatRequest;
  connection: Connection;
  capabilities: Capabilities;
  /** Members of the request that may not be left out: rather it is refused. */
  requiredParams: readonly string[];
  /** Aborted when nobody wants the answer any more. The upstream request must end within 250 ms. */
  signal: AbortSignal;
}

/** A call of a function that the model asks for. `function.arguments` is JSON text, as the model wrote it. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  /** What a vendor wants back with the answer; Gemini's `{google: {thought_signature}}` for example. */
  extra_content?: Record<string, unknown>;
}

/** Tokens. `inputTokens` includes those read from and written to a cache, `outputTokens` those of reasoning. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
}

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'other'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

/** What the caller should know of the answer. */
export interface Warning {
  type: 'warning';
  message: string;
  /** The member of the request that is left out, where that is what it is about. */
  droppedParam?: string;
}

/** What an answer is made of, whoever gives it. A tool call comes whole. Of several usages the last holds. */
export type ChatEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'usage'; usage: Usage }
  | Warning
  | { type: 'finish'; reason: FinishReason };

/** An answer that has begun. */
export interface ProviderStream {
  /** The provider's own id of the request. */
  requestId: string | null;
  /**
   * What comes, read by read, each read's events together; neighbouring texts may be one event. A read without events shows
   * that the provider is at work. Ends only after the
   * provider's own terminal marker was seen, and a `finish` was given; throws a ProviderFault when the upstream breaks
   * off, ends early or answers with anything else. Whoever stops reading ends the upstream request.
   */
  events: AsyncIterable<ChatEvent[]>;
}

/** One vendor's API. Implementations live in `src/providers`, one file each. */
export interface ChatProvider {
  /** Sends the request, once. Resolves when the upstream has accepted it; rejects with a ProviderFault. */
  stream(call: ProviderCall): Promise<ProviderStream>;
}

/**
 * `refused`: the request, as it is, will never do. `credential`: the server's key is not accepted. `rate_limited`: too much
 * for now. `unavailable`: it cannot be reached, or says that it failed. `broken`: what came is no answer, or not a whole
 * one. `timeout`: nothing came in time.
 */
export type FaultKind = 'refused' | 'credential' | 'rate_limited' | 'unavailable' | 'broken' | 'timeout';

/**
 * A provider did not answer, or not to the end. Holds nothing of the SDK's own error: those carry headers, and with them
 * keys. The message may be shown to the caller where the kind is `refused`, and stands in executions and logs.
 */
export class ProviderFault extends Error {
  readonly kind: FaultKind;
  /** HTTP status of the upstream, where there was one. */
  readonly status: number | null;
  /** How long the provider asks to be left alone. */
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
