import type { Capabilities } from './capabilities.ts';
import type { ChatRequest } from './schema.ts';
import type { Vendor } from './vendors.ts';

/** The address and credentials of a provider. */
export interface Connection {
  provider: Vendor;
  /** Null: the vendor's own. */
  baseUrl: string | null;
  /** Null: the server needs none, or the vendor's own chain finds one (AWS). */
  apiKey: string | null;
  /** Added to every request; they override the SDK's. */
  headers: Record<string, string>;
  /** Of AWS; null: from the environment. */
  region: string | null;
  /** Whether the server may be at a private address. */
  allowPrivateNetwork: boolean;
  /** Whether images, whose addresses callers choose, may be loaded from private addresses. */
  allowPrivateImages: boolean;
}

/** A request adapted to one provider: unsupported members are removed. */
export interface ProviderCall {
  request: ChatRequest;
  connection: Connection;
  capabilities: Capabilities;
  /** Members of the request that must not be dropped; the request is refused instead. */
  requiredParams: readonly string[];
  /** Aborted when the answer is no longer needed. The request must end within 250 ms. */
  signal: AbortSignal;
}

/** A function call of the model. `function.arguments` is JSON text as the model wrote it. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  /** What a vendor wants back with the result, such as Gemini's `{google: {thought_signature}}`. */
  extra_content?: Record<string, unknown>;
}

/** Tokens. `inputTokens` includes cached ones, `outputTokens` those of reasoning. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
}

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'other'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

/** What the caller should know about the answer. */
export interface Warning {
  type: 'warning';
  message: string;
  /** The request member that was dropped. */
  droppedParam?: string;
}

/** The events of an answer. A tool call arrives whole. The last usage wins. */
export type ChatEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'usage'; usage: Usage }
  | Warning
  | { type: 'finish'; reason: FinishReason };

export interface ProviderStream {
  /** The provider's own id of the request. */
  requestId: string | null;
  /**
   * One batch per read of the response; an empty one is a sign of life. Adjacent texts may be
   * joined. Ends only after the provider's terminal marker and a `finish`; throws a ProviderFault
   * if the response breaks off, ends early or is invalid. Returning the iterator ends the request.
   */
  events: AsyncIterable<ChatEvent[]>;
}

/** One vendor's API. `src/providers/index.ts` names the file of each. */
export interface ChatProvider {
  /** Sends one request. Resolves once the provider accepts it; rejects with a ProviderFault. */
  stream(call: ProviderCall): Promise<ProviderStream>;
}

/**
 * `refused`: the request can never succeed. `credential`: the key is not accepted. `rate_limited`:
 * too many requests. `unavailable`: unreachable or failing. `broken`: an invalid or incomplete
 * response. `timeout`: nothing arrived in time.
 */
export type FaultKind = 'refused' | 'credential' | 'rate_limited' | 'unavailable' | 'broken' | 'timeout';

/**
 * A provider did not answer, or not to the end. Contains nothing of the SDK's error, which carries
 * headers and thus keys. Callers see the message of a `refused` fault; executions and logs contain
 * all.
 */
export class ProviderFault extends Error {
  readonly kind: FaultKind;
  /** Null without a response. */
  readonly status: number | null;
  /** How long the provider asks to wait. */
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
