import { agentToWrite } from '../../base/shared/agent.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { notFound, RuntimeError } from '../../base/shared/errors.ts';
import { formatUtc, parseUtc } from '../../base/time/time.ts';
import { shapeOf } from '../reviews/training/shape.ts';
import { type Execution, MAX_EXECUTION_BYTES, type RecordExecution } from './schema.ts';
import { contentOf, type SingleExecutions, type StoredExecution } from './store.ts';

const MAX_ATTEMPTS = 100;

export interface ExecutionParts {
  store: SingleExecutions;
  agents: { register(caller: Caller, names: string[]): Promise<void> };
  effects: Effects;
}

export class ExecutionService {
  private readonly parts: ExecutionParts;

  constructor(parts: ExecutionParts) {
    this.parts = parts;
  }

  /** Idempotent upsert. Throws `conflict` (another agent's), `forbidden`, `unprocessable`. */
  async record(caller: Caller, sent: RecordExecution): Promise<{ created: boolean; execution: Execution }> {
    requireScope(caller, 'executions:write');
    const input = givenIn(sent);
    const { store, agents, effects } = this.parts;
    const id = input.id ?? effects.newId();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = await store.find(caller.tenantId, id);
      if (!before && input.id !== undefined) await refuseForeignExecution(store, caller, id);
      const now = effects.now();
      const execution = merged(before?.execution ?? newExecution(caller, input, { id, now }), input, now);
      if (!before) await agents.register(caller, [execution.agentId]);
      if ((await store.put(caller.tenantId, execution, before?.revision ?? null)) === 'kept') {
        return { created: !before, execution: shownExecution(execution) };
      }
    }
    throw new RuntimeError('unavailable', 'The execution is being recorded by too many at once. Try again.', {
      retryAfter: 1,
    });
  }

  async execution(caller: Caller, id: string): Promise<Execution> {
    requireScope(caller, 'executions:read');
    const found = await this.parts.store.find(caller.tenantId, id);
    if (found) return shownExecution(found.execution);
    await refuseForeignExecution(this.parts.store, caller, id);
    throw notFound(`There is no execution "${id}". It may not have been recorded.`);
  }
}

/** Throws `forbidden` when the server made this id for another tenant. */
export async function refuseForeignExecution(store: SingleExecutions, { tenantId }: Caller, id: string): Promise<void> {
  if (!(await store.isOfAnotherTenant(tenantId, id))) return;
  throw new RuntimeError('forbidden', `The execution "${id}" is not one of your tenant.`);
}

type GivenExecution = { [Name in keyof RecordExecution]: Exclude<RecordExecution[Name], null> };

/** Without nulls and an empty conversation, which many clients send for what they do not set. */
function givenIn(input: RecordExecution): GivenExecution {
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== undefined && value !== null && !(name === 'messages' && input.messages?.length === 0);
  return Object.fromEntries(Object.entries(input).filter(isGiven)) as GivenExecution;
}

function newExecution(
  caller: Caller,
  input: GivenExecution,
  { id, now }: { id: string; now: number },
): StoredExecution {
  return {
    id,
    idFromCaller: input.id !== undefined,
    agentId: agentToWrite(caller, input.agentId),
    threadId: null,
    status: 'running',
    messages: '[]',
    output: 'null',
    provider: null,
    model: null,
    usage: null,
    shape: '',
    startedAt: null,
    completedAt: null,
    createdAt: now,
    updatedAt: now,
    createdBy: caller.userId,
    chat: null,
  };
}

function merged(before: StoredExecution, input: GivenExecution, now: number): StoredExecution {
  if (input.agentId !== undefined && input.agentId !== before.agentId) {
    throw new RuntimeError('conflict', `The execution "${before.id}" belongs to the agent "${before.agentId}".`);
  }
  const { messages: _, output: __, ...plain } = input;
  const { threadId, provider, model, usage } = { ...before, ...plain };
  const status = input.status ?? statusAfter(before, input);
  const times = mergedTimes({ ...before, status }, input, now);
  const content = mergedContent(before, input);
  return { ...before, ...content, ...times, threadId, provider, model, usage, status, updatedAt: now };
}

function mergedTimes(before: StoredExecution, { startedAt: start, completedAt: end }: GivenExecution, now: number) {
  const startedAt = start === undefined ? before.startedAt : parseUtc(start);
  if (before.status === 'running') {
    if (end) throw new RuntimeError('unprocessable', 'completedAt: is not for an execution with the status running.');
    return { startedAt, completedAt: null };
  }
  const completedAt = end ? parseUtc(end)! : (before.completedAt ?? Math.max(now, startedAt ?? now));
  if (startedAt !== null && completedAt < startedAt) {
    const field = end ? 'completedAt' : 'startedAt';
    throw new RuntimeError(
      'unprocessable',
      `${field}: lets the execution end before it starts; correct one of the two.`,
    );
  }
  return { startedAt, completedAt };
}

function mergedContent(before: StoredExecution, input: GivenExecution) {
  if (input.messages === undefined && input.output === undefined && before.shape !== '') return {};
  const messages = input.messages === undefined ? before.messages : JSON.stringify(input.messages);
  const output = input.output === undefined ? before.output : JSON.stringify(input.output);
  if (Buffer.byteLength(messages) + Buffer.byteLength(output) > MAX_EXECUTION_BYTES) {
    const field = input.messages === undefined ? 'output' : 'messages';
    throw new RuntimeError(
      'unprocessable',
      `${field}: messages and output take more than ${MAX_EXECUTION_BYTES / 1024 / 1024} MB as JSON together; keep large files elsewhere and send a reference.`,
    );
  }
  return { messages, output, shape: shapeOf(contentOf({ messages, output })) };
}

function statusAfter(before: StoredExecution, { output, completedAt }: GivenExecution): StoredExecution['status'] {
  const ends = output !== undefined || completedAt !== undefined;
  return before.status === 'running' && ends ? 'completed' : before.status;
}

function shownExecution(execution: StoredExecution): Execution {
  const { id, agentId, threadId, status, provider, model, usage, chat } = execution;
  const iso = (time: number | null) => (time === null ? null : formatUtc(time));
  return {
    id,
    agentId,
    threadId,
    status,
    ...contentOf(execution),
    provider,
    model,
    usage,
    startedAt: iso(execution.startedAt),
    completedAt: iso(execution.completedAt),
    chat,
    createdAt: formatUtc(execution.createdAt),
    updatedAt: formatUtc(execution.updatedAt),
  };
}
