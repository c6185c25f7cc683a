import type { ChatFacts, EXECUTION_STATUSES } from './schema.ts';

/** One run of an agent as it is kept. Times are epoch milliseconds. */
export interface StoredExecution {
  id: string;
  /** Whether the caller chose the id: those live within their tenant, the server's own everywhere. */
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
  /** What training can make of it, told without reading it: see `core/reviews/training`. */
  shape: string;
  startedAt: number | null;
  completedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** The user who recorded it, themselves or by a key of theirs. */
  createdBy: string | null;
  /** Of one that the chat endpoint made. */
  chat: ChatFacts | null;
}

/** An execution without what was said in it. */
export type ExecutionFacts = Omit<StoredExecution, 'messages' | 'output'>;

/** A chat that is recorded as under way, or was. */
export interface RunningChat {
  tenantId: string;
  execution: ExecutionFacts;
}

/** A chat as it is to be kept. */
export interface RecordedChat {
  tenantId: string;
  execution: StoredExecution;
  /** Whether it was kept before: then it is changed, and left alone where it has been erased since. */
  isKnown: boolean;
}

/** An execution and which of its states this is: putting it names the state that it follows. */
export interface ExecutionState {
  execution: StoredExecution;
  revision: number;
}

/** A thread that is to be erased, and the executions that its events name: one may have been recorded without its thread. */
export interface ErasedThread {
  threadId: string;
  executionIds: string[];
}

/** One execution at a time. An id is unique within a tenant. */
export interface SingleExecutions {
  find(tenantId: string, id: string): Promise<ExecutionState | null>;
  /** The agent and nothing else of it. */
  agentOf(tenantId: string, id: string): Promise<string | null>;
  /**
   * Keeps the execution, durably. `after` is the revision that it was made of, null when there was none. `conflict` when
   * another put came between; nothing is kept then.
   */
  put(tenantId: string, execution: StoredExecution, after: number | null): Promise<'kept' | 'conflict'>;
  /** Whether the server made this id for another tenant. */
  isOfAnotherTenant(tenantId: string, id: string): Promise<boolean>;
}

/** Executions. */
export interface ExecutionStore extends SingleExecutions {
  /**
   * Keeps chats of any tenants, durably, all or none. Of a known one it keeps the thread that others
   * have added. Returns the ids of those that are kept now: not of tenants that are gone, nor of what was erased.
   */
  recordChats(chats: RecordedChat[]): Promise<Set<string>>;
  /** The first chats, of any tenants, that are recorded as running; those that follow `after`, in an order that stays. */
  runningChats(after: RunningChat | null, limit: number): Promise<RunningChat[]>;
  /** Keeps that, when and why these chats failed, all or none. Leaves alone what is not running any more. */
  failChats(chats: RunningChat[]): Promise<void>;
  /** The ids of the executions that erasing the thread removes. */
  idsOf(tenantId: string, thread: ErasedThread): Promise<string[]>;
  /** Removes the tenant's executions, or those of one thread. Returns how many there were. */
  erase(tenantId: string, thread: ErasedThread | null): Promise<number>;
}
