import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventOutbox, type OutboxParts } from '../../events/outbox.ts';
import type { ExecutionStore, RecordedChat } from '../../executions/store.ts';
import { Alarm } from '../../shared/alarm.ts';
import type { Caller } from '../../shared/caller.ts';
import type { Effects } from '../../shared/effects.ts';
import { RuntimeError } from '../../shared/errors.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import { inBatches } from '../batches.ts';
import type { AbandonedChats } from './abandoned.ts';
import { chatEvent, endedExecution, runningExecution } from './chat-execution.ts';
import { priceOf } from './price.ts';
import { type EndedChat, type StartedChat, sizeOf } from './record.ts';

/** A chat that has not ended by then is recorded as running, so that it is known should the process end. */
const SHOW_RUNNING_MS = 1_000;
/** After a failure; a full disk is not emptied by trying. */
const RETRY_MS = 1_000;
/** Characters that may wait for a disk that takes nothing. Beyond that, what is new is not recorded. */
const MAX_WAITING = 64 * 1024 * 1024;
/** When nothing was taken for so long, it is not only that many chats ended at once. */
const STUCK_MS = 10_000;
/** How long the end of an answer may wait for its record. */
const RECORDED_WITHIN_MS = 5_000;
/** How long an ending process tries to write what waits. */
const CLOSE_MS = 5_000;

export interface RecorderParts extends OutboxParts {
  executions: Pick<ExecutionStore, 'recordChats'>;
  abandoned: Pick<AbandonedChats, 'end'>;
  auth: OutboxParts['auth'] & { registerAgents(caller: Caller, names: string[]): Promise<void> };
  effects: Effects;
  /** Whether what was said is kept, or only that it was. */
  withContent: boolean;
  onError(error: unknown): void;
  /** Chats that are not recorded: too many wait, or they cannot be kept. */
  onLost(chats: number): void;
}

interface Entry {
  started: StartedChat;
  ended: EndedChat | null;
  isStored: boolean;
  /** Until when it need not be written. */
  due: number;
  size: number;
}

interface Prepared extends RecordedChat {
  entry: Entry;
  ended: EndedChat | null;
}

/**
 * Records chats as executions and events: at their end, and those that last also while they run. Chats that end while others
 * are written are written together afterwards (group commit). To read one by its id, `settle` it first.
 */
export class ChatRecorder {
  private readonly parts: RecorderParts;
  /** By execution. */
  private readonly entries = new Map<string, Entry>();
  private readonly outbox: EventOutbox;
  /** Of the chats that have ended. */
  private waiting = 0;
  private waitingSince = 0;
  private isFailing = false;
  /** Whether the last executions were refused: the end of no chat waits for the next try. */
  private isFull = false;
  /** Whether the last events were refused. They are tried again once a second, and chats are recorded meanwhile. */
  private refusesEvents = false;
  /** Whether chats may be recorded as running that nobody runs: left by a crash, or lost since. */
  private mayHaveAbandoned = true;
  private readonly alarm = new Alarm(() => {
    this.refusesEvents = false;
    void this.flush();
  });
  /** What is being written, and what will be after it. */
  private writing: Promise<boolean> = Promise.resolve(true);
  private next: Promise<boolean> | null = null;

  constructor(parts: RecorderParts) {
    this.parts = parts;
    this.outbox = new EventOutbox(parts);
  }

  /** Whether what was said is kept. */
  get withContent(): boolean {
    return this.parts.withContent;
  }

  begin(started: StartedChat): void {
    const due = performance.now() + SHOW_RUNNING_MS;
    const size = sizeOf(started);
    this.entries.set(started.executionId, { started, ended: null, isStored: false, due, size });
    this.wake(SHOW_RUNNING_MS);
  }

  /**
   * Resolves when the chat is on disk, as an execution and as an event. Never rejects: while the disk takes nothing it resolves
   * at once, and the chat waits in memory.
   */
  async end(chat: EndedChat): Promise<void> {
    const entry = this.entries.get(chat.executionId);
    if (!entry) return;
    const { withContent } = this.parts;
    const ended = { ...chat, ...(withContent ? {} : { text: '', calls: [] }) };
    const size = sizeOf(ended);
    const now = performance.now();
    if (this.waiting === 0) this.waitingSince = now;
    // Many that end at once take no more memory than they did before. It is a disk that takes nothing that they may not wait for.
    const isStuck = this.isFailing || now - this.waitingSince > STUCK_MS;
    if (isStuck && this.waiting + this.outbox.size + size > MAX_WAITING) {
      this.entries.delete(ended.executionId);
      this.mayHaveAbandoned = true;
      this.parts.onLost(1);
      return;
    }
    this.waiting += size;
    Object.assign(entry, { ended, size, due: 0 });
    if (this.isFull) this.wake(RETRY_MS);
    else await withTimeout(this.flush(), RECORDED_WITHIN_MS, () => undefined);
  }

  /** Resolves when the execution, if it is a chat of ours, is where executions are looked for. Never rejects. */
  async settle(executionId: string): Promise<void> {
    const entry = this.entries.get(executionId);
    if (!entry || (entry.isStored && !entry.ended)) return;
    entry.due = 0;
    await this.flush();
  }

  /** The same for every chat. */
  async settleAll(): Promise<void> {
    for (const entry of this.entries.values()) entry.due = 0;
    this.refusesEvents = false;
    await this.flush();
  }

  /** Writes what waits, for a few seconds at most. */
  async close(): Promise<void> {
    const end = performance.now() + CLOSE_MS;
    for (const entry of this.entries.values()) entry.due = 0;
    while ((this.hasEnded() || !this.outbox.isEmpty) && performance.now() < end) {
      this.refusesEvents = false;
      const isWritten = await this.flush();
      if (!isWritten) await new Promise((resolve) => setTimeout(resolve, RETRY_MS / 4));
    }
    this.alarm.cancel();
    await this.writing;
    const lost = [...this.entries.values()].filter(({ ended }) => ended !== null).length;
    if (lost > 0) this.parts.onLost(lost);
  }

  private hasEnded(): boolean {
    return [...this.entries.values()].some(({ ended }) => ended !== null);
  }

  /** Milliseconds until a chat is to be shown as running. */
  private untilDue(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { isStored, ended, due } of this.entries.values()) if (!isStored && !ended) first = Math.min(first, due);
    return Math.max(0, first - performance.now());
  }

  private wake(ms: number): void {
    // However many chats end meanwhile.
    this.alarm.set(this.isFailing ? RETRY_MS : ms);
  }

  /**
   * Writes everything that is due by now; whether that went well. One at a time, and who asks while one is under way shares the
   * next: two at once would write a chat twice.
   */
  private flush(): Promise<boolean> {
    this.next ??= this.writing.then(() => {
      this.next = null;
      this.writing = this.write();
      return this.writing;
    });
    return this.next;
  }

  private async write(): Promise<boolean> {
    const isRecorded = await this.succeeds(() => this.writeExecutions());
    this.isFull = !isRecorded;
    const isTold = !this.refusesEvents && (await this.succeeds(() => this.outbox.write()));
    this.refusesEvents = !isTold;
    const isTidy = isRecorded && isTold && (await this.succeeds(() => this.endAbandoned()));
    this.isFailing = !isTidy;
    if (!this.isFailing) this.waitingSince = performance.now();
    if (this.isFailing || this.mayHaveAbandoned) this.wake(RETRY_MS);
    this.wake(this.untilDue());
    return !this.isFailing;
  }

  private async endAbandoned(): Promise<void> {
    if (!this.mayHaveAbandoned) return;
    this.mayHaveAbandoned = false;
    try {
      await this.parts.abandoned.end((id) => this.entries.has(id));
    } catch (error) {
      this.mayHaveAbandoned = true;
      throw error;
    }
  }

  private async succeeds(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.parts.onError(error);
      return false;
    }
  }

  private async writeExecutions(): Promise<void> {
    const now = performance.now();
    const due = [...this.entries.values()].filter((entry) => entry.due <= now && !(entry.isStored && !entry.ended));
    for (const entries of inBatches(due)) {
      await this.writeBatch(entries);
      await nextTurn();
    }
  }

  private async writeBatch(due: Entry[]): Promise<void> {
    const prepared = await Promise.allSettled(due.map((entry) => this.prepared(entry)));
    const batch = prepared.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    try {
      await this.store(batch);
    } catch (error) {
      if (error instanceof RuntimeError) throw error;
      // No want of room: one of them cannot be kept, and must not keep all others from it for ever.
      for (const one of batch) await this.store([one]).catch((fault: unknown) => this.drop(one.entry, fault));
    }
    for (const [index, one] of prepared.entries()) if (one.status === 'rejected') this.drop(due[index]!, one.reason);
  }

  private async store(batch: Prepared[]): Promise<void> {
    const { executions, auth, effects } = this.parts;
    const kept = await executions.recordChats(batch.filter(({ tenantId }) => !auth.isShut(tenantId)));
    for (const { entry, tenantId, ended, execution } of batch) {
      const isKept = kept.has(execution.id);
      if (ended) this.forget(entry);
      else if (isKept) entry.isStored = true;
      if (ended && isKept) this.outbox.add(tenantId, chatEvent(execution, effects.newId()));
    }
  }

  /** As it is now: a chat may end while it is written as running. */
  private async prepared(entry: Entry): Promise<Prepared> {
    const { started, ended, isStored } = entry;
    const { auth, withContent } = this.parts;
    const { tenantId } = started.caller;
    if (!auth.isShut(tenantId)) await auth.registerAgents(started.caller, [started.agentId]);
    const execution = ended
      ? endedExecution(ended, await priceOf(ended), withContent)
      : runningExecution(started, withContent);
    return { entry, ended, tenantId, execution, isKnown: isStored };
  }

  /** Throws when it can be tried again. */
  private drop(entry: Entry, fault: unknown): void {
    if (fault instanceof RuntimeError) throw fault;
    this.forget(entry);
    this.mayHaveAbandoned = true;
    this.parts.onError(fault);
    this.parts.onLost(1);
  }

  private forget({ started, ended, size }: Entry): void {
    this.entries.delete(started.executionId);
    if (ended) this.waiting -= size;
  }
}
