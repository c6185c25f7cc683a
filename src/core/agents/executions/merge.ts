import { agentToWrite } from '../../base/shared/agent.ts';
import type { Caller } from '../../base/shared/caller.ts';
import { conflict, unprocessable } from '../../base/shared/errors.ts';
import { type ChatMessage, readCall } from '../chat/message.ts';
import { shapeOf } from '../reviews/training/shape.ts';
import { costOf } from './cost.ts';
import { MAX_EXECUTION_BYTES, type RecordExecution } from './schema.ts';
import { timeIn } from './steps.ts';
import { contentOf, NEW_EXECUTION, type StoredExecution } from './store.ts';
import { countsOf } from './usage.ts';

export type GivenExecution = { [Name in keyof RecordExecution]: Exclude<RecordExecution[Name], null> };

/** Without nulls and an empty conversation, which many clients send for what they do not set. */
export function givenIn(input: RecordExecution): GivenExecution {
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== undefined && value !== null && !(name === 'messages' && input.messages?.length === 0);
  return Object.fromEntries(Object.entries(input).filter(isGiven)) as GivenExecution;
}

export function newExecution(
  caller: Caller,
  input: GivenExecution,
  { id, now }: { id: string; now: number },
): StoredExecution {
  const agentId = agentToWrite(caller, input.agentId);
  const times = { createdAt: now, updatedAt: now };
  return { ...NEW_EXECUTION, id, idFromCaller: input.id !== undefined, agentId, ...times, createdBy: caller.userId };
}

/** Members of a chat's execution that no client replaces. */
const OF_THE_CHAT = ['status', 'provider', 'model', 'usage', 'cost', 'startedAt', 'completedAt'] as const;

/** The recorded execution with the members that are sent. Throws `conflict`, `unprocessable`. */
export async function merged(before: StoredExecution, input: GivenExecution, now: number): Promise<StoredExecution> {
  const { agentId = before.agentId, parentId = before.parentId } = input;
  if (agentId !== before.agentId) {
    throw conflict(`The execution "${before.id}" belongs to the agent "${before.agentId}".`);
  }
  const measured = before.chat && OF_THE_CHAT.find((name) => input[name] !== undefined);
  if (measured) {
    throw unprocessable(`${measured}: the chat endpoint measured it; leave it out, or send what you know in metadata.`);
  }
  if (parentId === before.id) throw unprocessable('parentId: is the execution itself.');
  const { messages: _, output: __, steps: ___, cost, startedAt, completedAt, id: ____, ...plain } = input;
  const status = input.status ?? statusAfter(before, input);
  const execution = {
    ...before,
    ...plain,
    ...mergedContent(before, input),
    ...mergedTimes({ ...before, status }, input, now),
    status,
    sentCost: cost ?? before.sentCost,
    updatedAt: now,
  };
  return { ...execution, ...(await figuresOf(execution)) };
}

/** Tokens and cost of its own usage; what is not known of it the store sums from the steps. */
export async function figuresOf(execution: StoredExecution) {
  // The chat endpoint has measured them.
  if (execution.chat) return {};
  const { usage, sentCost, provider, model, startedAt, completedAt, createdAt } = execution;
  const { inputTokens, outputTokens, totalTokens } = countsOf(usage);
  const cost = await costOf({ cost: sentCost, provider, model, usage, at: startedAt ?? createdAt });
  const latencyMs = startedAt === null || completedAt === null ? null : completedAt - startedAt;
  return { inputTokens, outputTokens, totalTokens, ...cost, latencyMs };
}

function mergedTimes(before: StoredExecution, { startedAt: start, completedAt: end }: GivenExecution, now: number) {
  const startedAt = start === undefined ? before.startedAt : timeIn(start, 'startedAt', now);
  if (before.status === 'running') {
    if (end) throw unprocessable('completedAt: is not for an execution with the status running.');
    return { startedAt, completedAt: null };
  }
  const completedAt = end ? timeIn(end, 'completedAt', now) : (before.completedAt ?? Math.max(now, startedAt ?? now));
  if (startedAt !== null && completedAt < startedAt) {
    const field = end ? 'completedAt' : 'startedAt';
    throw unprocessable(`${field}: lets the execution end before it starts; correct one of the two.`);
  }
  return { startedAt, completedAt };
}

function mergedContent(before: StoredExecution, input: GivenExecution) {
  if (input.messages === undefined && input.output === undefined && before.shape !== '') return {};
  const known = contentOf(before);
  const content = { messages: input.messages ?? known.messages, output: input.output ?? known.output };
  const messages = input.messages === undefined ? before.messages : JSON.stringify(input.messages);
  const output = input.output === undefined ? before.output : JSON.stringify(input.output);
  if (Buffer.byteLength(messages) + Buffer.byteLength(output) > MAX_EXECUTION_BYTES) {
    const field = input.messages === undefined ? 'output' : 'messages';
    throw unprocessable(
      `${field}: messages and output take more than ${MAX_EXECUTION_BYTES / 1024 / 1024} MB as JSON together; keep large files elsewhere and send a reference.`,
    );
  }
  return { messages, output, shape: shapeOf(content), tools: toolsIn(content.messages) };
}

/** Names of tools of an execution, and of its event. */
export const MAX_TOOLS = 50;

/** Names of the tools that messages call, each once. */
export function toolsIn(messages: readonly ChatMessage[]): string[] {
  const names = new Set<string>();
  for (const { tool_calls: calls = [] } of messages) {
    for (const call of calls) {
      const name = readCall(call)?.name;
      if (name !== undefined && names.size < MAX_TOOLS) names.add(name);
    }
  }
  return [...names];
}

function statusAfter(before: StoredExecution, { output, completedAt }: GivenExecution): StoredExecution['status'] {
  const ends = output !== undefined || completedAt !== undefined;
  return before.status === 'running' && ends ? 'completed' : before.status;
}
