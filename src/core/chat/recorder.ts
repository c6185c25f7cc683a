import type { Caller } from '../caller.ts';
import type { Effects } from '../effects.ts';
import type { EventStore, StoredEvent } from '../events/store.ts';
import type { ExecutionStore } from '../executions/store.ts';
import { priceOf } from './price.ts';
import type { EndedChat, StartedChat } from './record.ts';
import { chatEvent, endedExecution, runningExecution } from './recorded.ts';

/** Written together: a commit costs as much for one chat as for a hundred. */
const PAUSE_MS = 50;
/** A chat that has not ended by then is recorded as running, so that it is known should the process end. */
const SHOW_RUNNING_MS = 250;
/** After a failure; a full disk is not emptied by trying. */
const RETRY_MS = 1_000;
/** Characters that may wait for a disk that takes nothing. Beyond that, what is new is not recorded. */
const MAX_WAITING = 64 * 1024 * 1024;
/** How long an ending process tries to write what waits. */
const CLOSE_MS = 5_000;

export interface RecorderParts {
  executions: Pick<ExecutionStore, 'recordChats'>;
  events: Pick<EventStore, 'append'>;
  auth: {
    registerAgents(caller: Caller, names: string[]): Promise<void>;
    isShut(tenantId: string): boolean;
  };
  effects: Effects;
  /** Whether what was said is kept, or only that it was. */
  withContent: boolean;
  onError(error: unknown): void;
  /** Chats that are not recorded, because too many wait. */
  onLost(chats: number): void;
}

interface Entry {
  started: StartedChat;
  ended: EndedChat | null;
  isKnown: boolean;
  /** Until when it need not be written. */
  due: number;
  size: number;
}

/**
 * Records chats as executions and events, some time after they ended: no stream waits for a disk. Those that run are known
 * to it, too; whoever asks for one by its id is told to `settle` first.
 */
export class ChatRecorder {
  private readonly parts: RecorderParts;
  /** By execution. */
  private readonly entries = new Map<string, Entry>();
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  /** The flush under way, or the last one; it never rejects. */
  private flushing: Promise<boolean> = Promise.resolve(true);
  /** The one after it, when somebody waits for that. */
  private following: Promise<boolean> | null = null;
  /** Events whose executions are kept, and that the event store has not taken yet. */
  private events = new Map<string, StoredEvent[]>();

  constructor(parts: RecorderParts) {
    this.parts = parts;
  }

  begin(started: StartedChat): void {
    const due = performance.now() + SHOW_RUNNING_MS;
    this.entries.set(started.executionId, { started, ended: null, isKnown: false, due, size: 0 });
    this.wake(SHOW_RUNNING_MS);
  }

  end(ended: EndedChat): void {
    const entry = this.entries.get(ended.executionId);
    if (!entry) return;
    entry.size = sizeOf(ended);
    if (this.waiting + entry.size > MAX_WAITING) {
      this.entries.delete(ended.executionId);
      this.parts.onLost(1);
      return;
    }
    this.waiting += entry.size;
    entry.ended = ended;
    entry.due = 0;
    this.wake(PAUSE_MS);
  }

  /** Resolves when the execution, if it is a chat of ours, is where executions are looked for. Never rejects. */
  async settle(executionId: string): Promise<void> {
    const entry = this.entries.get(executionId);
    if (!entry || (entry.isKnown && !entry.ended)) return;
    entry.due = 0;
    await this.flush();
  }

  /** The same for every chat. */
  async settleAll(): Promise<void> {
    for (const entry of this.entries.values()) entry.due = 0;
    await this.flush();
  }

  /** Writes what waits, for a few seconds at most. */
  async close(): Promise<void> {
    const end = performance.now() + CLOSE_MS;
    for (const entry of this.entries.values()) entry.due = 0;
    while ((this.hasEnded() || this.events.size > 0) && performance.now() < end) {
      const isWritten = await this.flush();
      if (!isWritten) await new Promise((resolve) => setTimeout(resolve, RETRY_MS / 4));
    }
    clearTimeout(this.timer);
    const lost = [...this.entries.values()].filter(({ ended }) => ended !== null).length;
    if (lost > 0) this.parts.onLost(lost);
  }

  private hasEnded(): boolean {
    return [...this.entries.values()].some(({ ended }) => ended !== null);
  }

  private wake(ms: number): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, ms).unref();
  }

  /**
   * Whether everything that is due by then was written. One at a time: two would write the same chats. Who asks while one
   * is under way, which may have begun too early for them, shares the next.
   */
  private flush(): Promise<boolean> {
    this.following ??= this.flushing.then(() => {
      this.following = null;
      return this.writeDue();
    });
    this.flushing = this.following;
    return this.following;
  }

  private async writeDue(): Promise<boolean> {
    const isWritten = await this.write();
    if (!isWritten) this.wake(RETRY_MS);
    else if (this.entries.size > 0 || this.events.size > 0) this.wake(this.hasEnded() ? PAUSE_MS : SHOW_RUNNING_MS);
    return isWritten;
  }

  private async write(): Promise<boolean> {
    const isRecorded = await this.hasDone(() => this.writeExecutions());
    const isTold = await this.hasDone(() => this.writeEvents());
    return isRecorded && isTold;
  }

  private async hasDone(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.parts.onError(error);
      return false;
    }
  }

  private async writeExecutions(): Promise<void> {
    const { executions, auth, effects } = this.parts;
    const now = performance.now();
    const due = [...this.entries.values()].filter((entry) => entry.due <= now && !(entry.isKnown && !entry.ended));
    if (due.length === 0) return;
    // As they are now: a chat may end while it is written as running.
    const prepared = await Promise.allSettled(due.map((entry) => this.prepared(entry)));
    // One that cannot be written yet keeps none of the others waiting.
    const batch = prepared.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const kept = await executions.recordChats(batch.filter(({ tenantId }) => !auth.isShut(tenantId)));
    for (const { entry, ended, execution } of batch) {
      const isKept = kept.has(execution.id);
      if (ended) this.forget(entry);
      else if (isKept) entry.isKnown = true;
      if (ended && isKept) this.addEvent(ended, chatEvent(ended, execution, effects.newId()));
    }
    const failed = prepared.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  private async prepared(entry: Entry) {
    const { started, ended, isKnown } = entry;
    const { auth, withContent } = this.parts;
    const { tenantId } = started.caller;
    if (!auth.isShut(tenantId)) await auth.registerAgents(started.caller, [started.agentId]);
    const execution = ended
      ? endedExecution(ended, await priceOf(ended), withContent)
      : runningExecution(started, withContent);
    return { entry, ended, tenantId, execution, isKnown };
  }

  private forget({ started, size }: Entry): void {
    this.entries.delete(started.executionId);
    this.waiting -= size;
  }

  private addEvent({ caller }: EndedChat, event: StoredEvent): void {
    const events = this.events.get(caller.tenantId);
    if (events) events.push(event);
    else this.events.set(caller.tenantId, [event]);
  }

  private async writeEvents(): Promise<void> {
    for (const [tenantId, events] of this.events) {
      if (!this.parts.auth.isShut(tenantId)) await this.parts.events.append(tenantId, events);
      this.events.delete(tenantId);
    }
  }
}

/** Characters, roughly, of what an entry holds. */
function sizeOf({ request, text, calls }: EndedChat): number {
  return 1_000 + text.length + lengthOf(request) + lengthOf(calls);
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + lengthOf(member), 0);
}
