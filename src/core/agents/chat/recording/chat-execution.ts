import type { RuntimeEvent } from '../../../base/audit/runtime-event.ts';
import { toolsIn } from '../../executions/merge.ts';
import type { ChatFacts } from '../../executions/schema.ts';
import { MAX_EXECUTION_BYTES } from '../../executions/schema.ts';
import { type ExecutionFacts, NEW_EXECUTION, type StoredExecution } from '../../executions/store.ts';
import { countsOf } from '../../executions/usage.ts';
import { shapeOf } from '../../reviews/training/shape.ts';
import type { ChatMessage } from '../message.ts';
import { type EndedChat, recordedMessages, type StartedChat } from './record.ts';

export function runningExecution(chat: StartedChat): StoredExecution {
  const { request } = chat;
  const { isWhole, ...content } = contentOf(recordedMessages(chat), null);
  const facts = {
    providerName: request.providerName ?? null,
    finishReason: null,
    cost: null,
    latencyMs: null,
    timeToFirstTokenMs: null,
    providerRequestId: null,
    attempts: 0,
    fallback: false,
    truncated: chat.isTruncated || !isWhole,
    droppedParams: [],
    error: null,
  };
  return {
    ...identityOf(chat),
    ...content,
    status: 'running',
    provider: request.provider,
    model: request.model,
    updatedAt: chat.startedAt,
    chat: { projectId: request.projectId, ...facts },
  };
}

/** `cost` in US dollars; null: unknown. */
export function endedExecution(chat: EndedChat, cost: number | null): StoredExecution {
  const { isWhole, ...content } = contentOf(recordedMessages(chat), chat.text === '' ? null : chat.text);
  return {
    ...identityOf(chat),
    ...content,
    status: chat.status,
    provider: chat.provider,
    model: chat.model,
    usage: chat.usage && { ...chat.usage },
    ...figuresOf(chat, cost),
    completedAt: chat.completedAt,
    updatedAt: chat.completedAt,
    chat: { ...factsOf(chat, cost), truncated: chat.isTruncated || !isWhole },
  };
}

function factsOf(chat: EndedChat, cost: number | null): Omit<ChatFacts, 'truncated'> {
  return {
    projectId: chat.request.projectId,
    providerName: chat.providerName,
    finishReason: chat.finishReason,
    cost,
    latencyMs: chat.completedAt - chat.startedAt,
    timeToFirstTokenMs: chat.timeToFirstTokenMs,
    providerRequestId: chat.providerRequestId,
    attempts: chat.attempts,
    fallback: chat.isFallback,
    droppedParams: chat.droppedParams,
    error: chat.fault,
  };
}

function figuresOf({ usage, startedAt, completedAt, fault }: EndedChat, cost: number | null) {
  const { inputTokens, outputTokens, totalTokens } = countsOf(usage && { ...usage });
  const costBasis = cost === null ? null : ('priced' as const);
  const latencyMs = completedAt - startedAt;
  return { inputTokens, outputTokens, totalTokens, cost, costBasis, latencyMs, errorKind: fault?.kind ?? null };
}

function identityOf({ executionId, agentId, startedAt, caller, request }: StartedChat) {
  const { threadId = null, userId = null, tags = [] } = request;
  return {
    ...NEW_EXECUTION,
    ...{ id: executionId, idFromCaller: false, agentId, threadId, userId, tags: tags ?? [], source: 'chat' as const },
    startedAt,
    createdAt: startedAt,
    createdBy: caller.userId,
  };
}

/** Drops the oldest messages beyond MAX_EXECUTION_BYTES. */
function contentOf(messages: ChatMessage[], output: string | null) {
  const outputText = JSON.stringify(output);
  let recorded = messages;
  let text = JSON.stringify(recorded);
  while (recorded.length > 0 && Buffer.byteLength(text) + Buffer.byteLength(outputText) > MAX_EXECUTION_BYTES) {
    recorded = recorded.slice(Math.ceil(recorded.length / 2));
    text = JSON.stringify(recorded);
  }
  const isWhole = recorded.length === messages.length;
  const shape = shapeOf({ messages: recorded, output });
  return { isWhole, messages: text, output: outputText, shape, tools: toolsIn(recorded) };
}

export function chatEvent(execution: ExecutionFacts): RuntimeEvent {
  const { agentId, threadId, userId, status, provider, model, usage } = execution;
  const { projectId, providerName, finishReason, cost, latencyMs, timeToFirstTokenMs, error } = execution.chat!;
  const { attempts, fallback } = execution.chat!;
  const properties = {
    projectId,
    userId,
    provider,
    providerName,
    model,
    status,
    finishReason,
    ...usage,
    cost,
    latencyMs,
    timeToFirstTokenMs,
    // Unknown if the end was not observed.
    ...(latencyMs === null ? {} : { attempts, fallback }),
    error: error?.kind,
    errorStatus: error?.status,
  };
  return {
    agentId,
    eventName: status === 'completed' ? 'runtime.chat_completed' : 'runtime.chat_failed',
    timestamp: execution.completedAt!,
    threadId,
    executionId: execution.id,
    properties: withoutNull(properties),
  };
}

function withoutNull(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null && value !== undefined));
}
