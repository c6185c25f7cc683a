import type { ChatFacts, EXECUTION_STATUSES } from './schema.ts';

/** A stored execution: one run of an agent. Times are epoch milliseconds. */
export interface StoredExecution {
  id: string;
  /** Callers' ids are unique within their tenant, the server's ids everywhere. */
  idFromCaller: boolean;
  agentId: string;
  threadId: string | null;
  status: (typeof EXECUTION_STATUSES)[number];
  /** JSON text of an array of chat messages. */
  messages: string;
  /** JSON text of any value; `null`: none. */
  output: string;
  provider: string | null;
  model: string | null;
  usage: Record<string, unknown> | null;
  /** What training formats can express: see `core/reviews/training/shape.ts`. */
  shape: string;
  startedAt: number | null;
  completedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** The user who recorded it, or whose key did. */
  createdBy: string | null;
  /** Only for executions of the chat endpoint. */
  chat: ChatFacts | null;
}

export type ExecutionFacts = Omit<StoredExecution, 'messages' | 'output'>;

export interface RunningChat {
  tenantId: string;
  execution: ExecutionFacts;
}

export interface RecordedChat {
  tenantId: string;
  execution: StoredExecution;
  /** Recorded before: it is updated, unless it has been erased since. */
  isKnown: boolean;
}

/** An execution with its revision, for optimistic concurrency. */
export interface ExecutionState {
  execution: StoredExecution;
  revision: number;
}

/** A thread to erase; events also name executions that were recorded without a thread. */
export interface ErasedThread {
  threadId: string;
  executionIds: string[];
}

/** One execution at a time. An id is unique within a tenant. */
export interface SingleExecutions {
  find(tenantId: string, id: string): Promise<ExecutionState | null>;
  agentOf(tenantId: string, id: string): Promise<string | null>;
  /** Durable. `after` is the revision that it replaces, null for a new execution. */
  put(tenantId: string, execution: StoredExecution, after: number | null): Promise<'kept' | 'conflict'>;
  /** Whether the server made this id for another tenant. */
  isOfAnotherTenant(tenantId: string, id: string): Promise<boolean>;
}

export interface ExecutionStore extends SingleExecutions {
  /**
   * Stores chats of any tenants durably, in one transaction. Keeps the thread that a client has
   * added to a known chat. Returns the ids of the stored chats: without those of removed tenants,
   * and erased ones.
   */
  recordChats(chats: RecordedChat[]): Promise<Set<string>>;
  /** Chats recorded as running, in a stable order; `after` is the cursor. */
  runningChats(after: RunningChat | null, limit: number): Promise<RunningChat[]>;
  /** Records chats as failed, in one transaction. Skips chats that no longer run. */
  failChats(chats: RunningChat[]): Promise<void>;
  idsOf(tenantId: string, thread: ErasedThread): Promise<string[]>;
  /** Removes the tenant's executions, or those of one thread. Returns their number. */
  erase(tenantId: string, thread: ErasedThread | null): Promise<number>;
}
