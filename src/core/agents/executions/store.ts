import type { ChatMessage } from '../chat/message.ts';
import type { ChatFacts, EXECUTION_STATUSES } from './schema.ts';

/** Times are epoch milliseconds. */
export interface StoredExecution {
  id: string;
  /** Callers' ids are unique within their tenant, the server's ids everywhere. */
  idFromCaller: boolean;
  agentId: string;
  threadId: string | null;
  status: (typeof EXECUTION_STATUSES)[number];
  /** JSON texts; the output is `null` without one. */
  messages: string;
  output: string;
  provider: string | null;
  model: string | null;
  usage: Record<string, unknown> | null;
  /** From `shapeOf`: what training formats can express. */
  shape: string;
  startedAt: number | null;
  completedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** The user who recorded it, or whose key did. */
  createdBy: string | null;
  chat: ChatFacts | null;
}

export function contentOf({ messages, output }: Pick<StoredExecution, 'messages' | 'output'>): {
  messages: ChatMessage[];
  output: unknown;
} {
  return { messages: JSON.parse(messages) as ChatMessage[], output: JSON.parse(output) as unknown };
}

export type ExecutionFacts = Omit<StoredExecution, 'messages' | 'output'>;

export interface RunningChat {
  tenantId: string;
  execution: ExecutionFacts;
}

export interface AbandonableChat extends RunningChat {
  /** Recorded by this process. */
  isOwn: boolean;
}

export interface RecordedChat {
  tenantId: string;
  execution: StoredExecution;
  /** True for an update, which does not restore an erased chat. */
  isKnown: boolean;
}

export interface ExecutionState {
  execution: StoredExecution;
  revision: number;
}

/** The ids include executions that were recorded without a thread. */
export interface ErasedThread {
  threadId: string;
  executionIds: string[];
}

export interface SingleExecutions {
  find(tenantId: string, id: string): Promise<ExecutionState | null>;
  agentOf(tenantId: string, id: string): Promise<string | null>;
  /** Durable. Optimistic concurrency: `after` is the revision to replace, null for none. */
  put(tenantId: string, execution: StoredExecution, after: number | null): Promise<'kept' | 'conflict'>;
  isOfAnotherTenant(tenantId: string, id: string): Promise<boolean>;
}

export interface ExecutionStore extends SingleExecutions {
  /** One durable transaction. Keeps a thread that a client added. Returns the stored ids. */
  recordChats(chats: RecordedChat[]): Promise<Set<string>>;
  /**
   * Chats stored as running, but for those of another live process. In a stable order; `after` is
   * the cursor.
   */
  runningChats(after: RunningChat | null, limit: number): Promise<AbandonableChat[]>;
  /** In one transaction. Skips chats that no longer run. */
  failChats(chats: RunningChat[]): Promise<void>;
  /** The newest ids of each thread, at most `limit`; threads without executions are left out. */
  newestOfThreads(tenantId: string, threadIds: string[], limit: number): Promise<Map<string, string[]>>;
  idsOf(tenantId: string, thread: ErasedThread): Promise<string[]>;
  /** Erases a thread; null for the whole tenant. Returns the number of executions. */
  erase(tenantId: string, thread: ErasedThread | null): Promise<number>;
}
