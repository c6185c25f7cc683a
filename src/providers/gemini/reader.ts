import { randomUUID } from 'node:crypto';
import { type ChatUsage, type FinishReason, ProviderFault, type ToolCall } from '../../core/agents/chat/provider.ts';
import { faultOfVendorError, shortMessage, type VendorError } from '../shared/faults.ts';
import { type EventBatch, type MessageReader, usageOf } from '../shared/reading.ts';
import type { SseMessage } from '../shared/sse.ts';

interface Chunk {
  responseId?: string;
  candidates?: Candidate[];
  promptFeedback?: { blockReason?: string; blockReasonMessage?: string };
  usageMetadata?: ChunkUsage;
  error?: GeminiError;
}

interface Candidate {
  content?: { parts?: Part[] };
  finishReason?: string;
  finishMessage?: string;
}

interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name?: string; args?: unknown };
  inlineData?: { mimeType?: string };
}

interface ChunkUsage {
  promptTokenCount?: number;
  toolUsePromptTokenCount?: number;
  candidatesTokenCount?: number;
  thoughtsTokenCount?: number;
  cachedContentTokenCount?: number;
}

export interface GeminiError extends VendorError {
  details?: { '@type'?: string; retryDelay?: string }[];
}

const FINISH_REASONS: Record<string, FinishReason> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
};
/** The model failed; the same request may succeed another time. */
const BROKEN = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
]);

export class GeminiReader implements MessageReader {
  responseId: string | null = null;
  private finishReason: FinishReason | null = null;
  private hasCalled = false;
  private hasLeftOut = false;

  get state(): MessageReader['state'] {
    return this.finishReason === null ? 'open' : 'whole';
  }

  read({ data }: SseMessage, batch: EventBatch): void {
    const { responseId, error, usageMetadata, promptFeedback, candidates } = JSON.parse(data) as Chunk;
    if (error) throw faultOfVendorError(error, retryDelayOf(error));
    this.responseId ??= responseId ?? null;
    if (usageMetadata) batch.usage(readUsage(usageMetadata));
    if (promptFeedback?.blockReason) throw blocked(promptFeedback);
    const candidate = candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) this.readPart(part, batch);
    if (candidate?.finishReason) this.finish(candidate);
  }

  end(batch: EventBatch): void {
    const reason = this.finishReason ?? 'other';
    // Gemini says STOP; compatible servers use other words.
    batch.finish(this.hasCalled && (reason === 'stop' || reason === 'other') ? 'tool_calls' : reason);
  }

  private readPart({ text, thought, functionCall, thoughtSignature, inlineData }: Part, batch: EventBatch): void {
    if (text && thought) batch.reasoning(text);
    else if (text) batch.text(text);
    if (functionCall) {
      this.hasCalled = true;
      batch.add({ type: 'tool_call', call: callOf(functionCall, thoughtSignature) });
    }
    if (inlineData && !this.hasLeftOut) {
      this.hasLeftOut = true;
      batch.add({
        type: 'warning',
        message: `The answer holds ${inlineData.mimeType ?? 'a file'}, which is left out.`,
      });
    }
  }

  private finish({ finishReason = '', finishMessage }: Candidate): void {
    if (BROKEN.has(finishReason)) {
      throw new ProviderFault('broken', shortMessage(`The model failed (${finishReason}). ${finishMessage ?? ''}`));
    }
    this.finishReason = FINISH_REASONS[finishReason] ?? 'other';
  }
}

function callOf({ id, name = '', args }: NonNullable<Part['functionCall']>, signature: string | undefined): ToolCall {
  return {
    id: id || `call_${randomUUID()}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args ?? {}) },
    ...(signature ? { extra_content: { google: { thought_signature: signature } } } : {}),
  };
}

function blocked({ blockReason, blockReasonMessage }: NonNullable<Chunk['promptFeedback']>): ProviderFault {
  return new ProviderFault(
    'refused',
    shortMessage(`The prompt is blocked (${blockReason}). ${blockReasonMessage ?? ''}`),
    {
      status: 400,
    },
  );
}

/** Google sends the delay in no header. */
export function retryDelayOf({ details }: GeminiError): number | undefined {
  const delay = details?.find((detail) => detail['@type']?.endsWith('RetryInfo'))?.retryDelay;
  const seconds = Number.parseFloat(delay ?? '');
  return Number.isNaN(seconds) ? undefined : seconds * 1_000;
}

function readUsage(usage: ChunkUsage): ChatUsage {
  const { thoughtsTokenCount: reasoning = 0, cachedContentTokenCount: cached } = usage;
  const inputTokens = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0);
  return usageOf(inputTokens, (usage.candidatesTokenCount ?? 0) + reasoning, { cached, reasoning });
}
