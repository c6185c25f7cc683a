import type { ChatMessage } from '../chat/message.ts';
import type { ExecutionFilters, ExecutionRow, SortedBy } from './list-schema.ts';
import type { Execution } from './schema.ts';
import type { ExecutionStep } from './step-schema.ts';

type Changed = 'messages' | 'output' | 'startedAt' | 'completedAt' | 'createdAt' | 'updatedAt';

/** Times are epoch milliseconds. */
export interface StoredExecution extends Omit<Execution, Changed | 'tags' | 'metadata' | 'steps' | 'stepsTotal'> {
  /** US dollars, as the sender said. */
  sentCost: number | null;
  /** Callers' ids are unique within their tenant, the server's ids everywhere. */
  idFromCaller: boolean;
  tags: readonly string[];
  metadata: Record<string, unknown> | null;
  /** JSON texts; the output is `null` without one. */
  messages: string;
  output: string;
  /** As it was sent. Null: tokens and cost are the sums of the model steps. */
  usage: Record<string, unknown> | null;
  /** Names of tools that the messages call, each once, in their order. */
  tools: readonly string[];
  /** The number of its steps; the store counts them. */
  steps: number;
  /** From `shapeOf`: what training formats can express. */
  shape: string;
  startedAt: number | null;
  completedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** The user who recorded it, or whose key did. */
  createdBy: string | null;
}

/** Nothing is known of it yet. */
export const NEW_EXECUTION = {
  ...{ threadId: null, userId: null, name: null, tags: [], metadata: null, parentId: null, source: 'api' },
  ...{ status: 'running', messages: '[]', output: 'null', provider: null, model: null, usage: null },
  ...{ inputTokens: null, outputTokens: null, totalTokens: null, sentCost: null, cost: null, costBasis: null },
  ...{ errorKind: null, tools: [], latencyMs: null, steps: 0, shape: '', startedAt: null, completedAt: null },
  ...{ createdBy: null, chat: null },
} as const satisfies Partial<StoredExecution>;

export interface StoredStep
  extends Omit<ExecutionStep, keyof StepContent | 'error' | 'startedAt' | 'endedAt' | 'isFromMessages'> {
  errorKind: string | null;
  error: string | null;
  startedAt: number;
  endedAt: number | null;
  /** A JSON text with the members of `StepContent`. */
  content: string;
}

/** The members that a line about a step shows. */
export type StepOutline = Pick<
  StoredStep,
  'id' | 'kind' | 'name' | 'status' | 'errorKind' | 'error' | 'startedAt' | 'endedAt' | 'totalTokens' | 'cost'
>;

/** Members that were not sent are left out. */
export interface StepContent {
  input?: unknown;
  output?: unknown;
  attributes?: Record<string, unknown>;
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

/** A part of a tenant's data that is erased. Empty lists name nothing. */
export interface ErasedConversations {
  threadIds: string[];
  /** Erased if they have no thread or are not recorded, or are the user's. */
  executionIds: string[];
  /** The end user whose erasure it is: no execution of another one is erased. Null: of threads. */
  userId: string | null;
}

/** An execution that ended, and whose event is not stored yet. */
export interface EndedExecution {
  tenantId: string;
  execution: ExecutionFacts;
  /** Names of its tool steps, each once. */
  stepTools: string[];
}

export interface StepPlace {
  startedAt: number;
  id: string;
}

export interface StepPage {
  steps: StoredStep[];
  hasMore: boolean;
}

export interface SingleExecutions {
  find(tenantId: string, id: string): Promise<ExecutionState | null>;
  agentOf(tenantId: string, id: string): Promise<string | null>;
  /**
   * Durable. Optimistic concurrency: `before` is what it replaces, null for none. The steps are
   * added, or replace those with their ids; too many together throw `unprocessable`, as does a new
   * parent that runs within the execution, or has too many above it.
   */
  put(
    tenantId: string,
    execution: StoredExecution,
    before: ExecutionState | null,
    steps?: StoredStep[],
  ): Promise<'kept' | 'conflict'>;
  isOfAnotherTenant(tenantId: string, id: string): Promise<boolean>;
}

export interface ExecutionSteps {
  /**
   * In the order of their starts, after that place: at most `limit`, and some 4 MB of contents, but
   * one at least.
   */
  stepsOf(tenantId: string, executionId: string, after: StepPlace | null, limit: number): Promise<StepPage>;
  stepsById(tenantId: string, executionId: string, ids: string[]): Promise<StoredStep[]>;
  /** All of them, in the order of their starts; errors are cut at `characters`. */
  stepOutlines(tenantId: string, executionId: string, characters: number): Promise<StepOutline[]>;
  /** The parent of each step that has one. */
  stepParents(tenantId: string, executionId: string): Promise<Map<string, string>>;
}

export interface ExecutionWords {
  /**
   * Lets searches find words of some executions that were recorded. Returns how many these were; 0:
   * none is left.
   */
  indexSome(): Promise<number>;
}

/** Executions that ended wait here until their events are stored. */
export interface ExecutionEnds {
  /** The oldest first. */
  unsentEnds(limit: number): Promise<EndedExecution[]>;
  endsSent(ended: readonly EndedExecution[]): Promise<void>;
}

export interface ExecutionStore
  extends SingleExecutions,
    ExecutionSteps,
    ExecutionEnds,
    ExecutionLists,
    ExecutionThreads,
    ExecutionWords {
  /** One durable transaction. Keeps what a client added. Returns the stored ids. */
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
  /** The threads among these that have an execution of another end user. */
  threadsOfOthers(tenantId: string, threadIds: string[], userId: string): Promise<Set<string>>;
  idsOf(tenantId: string, erased: ErasedConversations): Promise<string[]>;
  /** Null erases the whole tenant. Returns the number of executions. */
  erase(tenantId: string, erased: ErasedConversations | null): Promise<number>;
  /** Tenants that keep their executions for so many days. */
  retentions(): Promise<{ tenantId: string; days: number }[]>;
  /** Removes executions that started before, in the background. Returns their number. */
  expire(tenantId: string, before: number): Promise<number>;
  close(): Promise<void>;
}

/** All conditions must hold. Times are epoch milliseconds, costs US dollars. */
export interface ExecutionFilter extends Omit<ExecutionFilters, 'reviewed' | 'dateFrom' | 'dateTo' | 'search'> {
  from?: number | null;
  to?: number | null;
  /** From `contentSearchTerms`: a match has a term of each list. */
  search?: string[][] | undefined;
}

export interface ExecutionOrder {
  by: SortedBy;
  order: 'asc' | 'desc';
}

/** Where a page begins: after the row with this value and number. */
export type ExecutionPlace = [value: number, number: number];

export interface ListedExecution {
  execution: ExecutionFacts;
  place: ExecutionPlace;
  review: ExecutionRow['review'];
}

export interface CountLimits {
  most: number;
  /** Aborted when no answer needs the count any more: one that waits is then dropped. */
  signal?: AbortSignal;
}

/** Slow questions, answered beside the others of the store. */
export interface ExecutionLists {
  list(
    tenantId: string,
    filter: ExecutionFilter,
    page: ExecutionOrder & { after: ExecutionPlace | null; limit: number },
  ): Promise<ListedExecution[]>;
  /**
   * The length of the list, at most `most`. Null when too many others are being counted, or the
   * signal comes before its turn. Never rejects.
   */
  count(tenantId: string, filter: ExecutionFilter, limits: CountLimits & { by: SortedBy }): Promise<number | null>;
}

/** All conditions must hold for one execution of a thread. */
export type ThreadFilter = Pick<ExecutionFilter, 'agentId' | 'userId' | 'from' | 'to'>;

/** Numbers and times are those of all its executions. */
export interface ListedThread {
  threadId: string;
  /** The user of the newest execution that names one. */
  userId: string | null;
  executions: number;
  /** US dollars; null when no execution has a cost. */
  cost: number | null;
  /** Starts of the first and the newest execution, in epoch milliseconds. */
  firstAt: number;
  lastAt: number;
  /** The place of its newest execution that fits. */
  place: ExecutionPlace;
}

/** Threads of executions; as slow as `ExecutionLists`. */
export interface ExecutionThreads {
  /** By their newest executions that fit, the newest first. */
  listThreads(
    tenantId: string,
    filter: ThreadFilter,
    page: { after: ExecutionPlace | null; limit: number },
  ): Promise<ListedThread[]>;
  /** As `ExecutionLists.count`. */
  countThreads(tenantId: string, filter: ThreadFilter, limits: CountLimits): Promise<number | null>;
}
