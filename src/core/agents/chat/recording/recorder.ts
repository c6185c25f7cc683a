import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventOutbox } from '../../../analytics/events/outbox.ts';
import { Alarm, withTimeout } from '../../../base/concurrency/timers.ts';
import type { Caller } from '../../../base/shared/caller.ts';
import { RuntimeError } from '../../../base/shared/errors.ts';
import type { ExecutionStore, RecordedChat } from '../../executions/store.ts';
import type { AbandonedChats } from './abandoned.ts';
import { chatEvent, endedExecution, runningExecution } from './chat-execution.ts';
import { priceOf } from './price.ts';
import { type EndedChat, recordedSize, type StartedChat } from './record.ts';

/** A longer chat is first stored as running, so that a crash leaves a trace. */
const SHOW_RUNNING_MS = 1_000;
const RETRY_MS = 1_000;
/** Characters waiting for a failing disk. Beyond them, chats are lost. */
const MAX_WAITING = 64 * 1024 * 1024;
/** After this time without a write, the disk counts as failing. */
const STUCK_MS = 10_000;
/** The longest wait of an answer for its record. */
const RECORDED_WITHIN_MS = 5_000;
const CLOSE_MS = 5_000;

export interface ChatRecorderParts {
  outbox: EventOutbox;
  tenants: { isBlocked(tenantId: string): boolean };
  executions: Pick<ExecutionStore, 'recordChats'>;
  abandoned: Pick<AbandonedChats, 'end'>;
  agents: { register(caller: Caller, names: string[]): Promise<void> };
  /** An execution has ended, and is stored. */
  onRecorded(): void;
  /** False for facts about messages and answers only. */
  withContent: boolean;
  onError(error: unknown): void;
  onLost(chats: number): void;
}

interface Entry {
  started: StartedChat;
  ended: EndedChat | null;
  isStored: boolean;
  /** When it must be written, by `performance.now()`. */
  due: number;
  size: number;
}

interface Prepared extends RecordedChat {
  entry: Entry;
  ended: EndedChat | null;
}

/**
 * Writes an ended chat's execution, then its event (group commit); the answer waits for both. While
 * the disk fails, chats wait in memory and are retried; beyond the limit they are lost.
 */
export class ChatRecorder {
  private readonly parts: ChatRecorderParts;
  private readonly entries = new Map<string, Entry>();
  /** Characters of the ended chats. */
  private waiting = 0;
  private waitingSince = 0;
  private writesFail = false;
  /** Then no answer waits for its record. */
  private executionsFail = false;
  /** Whether stored chats may still say running after a crash or a lost record. */
  private mayHaveAbandoned = true;
  private readonly alarm = new Alarm(() => void this.flush());
  private writing: Promise<boolean> = Promise.resolve(true);
  private next: Promise<boolean> | null = null;

  constructor(parts: ChatRecorderParts) {
    this.parts = parts;
  }

  get withContent(): boolean {
    return this.parts.withContent;
  }

  begin(started: StartedChat): void {
    const due = performance.now() + SHOW_RUNNING_MS;
    const size = recordedSize(started);
    this.entries.set(started.executionId, { started, ended: null, isStored: false, due, size });
    this.wake(SHOW_RUNNING_MS);
  }

  /**
   * Resolves once execution and event are stored, or immediately if the disk fails. Never rejects.
   */
  async end(ended: EndedChat): Promise<void> {
    const entry = this.entries.get(ended.executionId);
    if (!entry) return;
    const { outbox } = this.parts;
    const size = recordedSize(ended);
    const now = performance.now();
    if (this.waiting === 0) this.waitingSince = now;
    // Only a failing disk limits chats: many that end at once were in memory before.
    const isStuck = this.writesFail || outbox.isFailing || now - this.waitingSince > STUCK_MS;
    if (isStuck && this.waiting + outbox.size + size > MAX_WAITING) {
      this.entries.delete(ended.executionId);
      this.mayHaveAbandoned = true;
      this.parts.onLost(1);
      return;
    }
    this.waiting += size;
    Object.assign(entry, { ended, size, due: 0 });
    if (this.executionsFail) this.wake(RETRY_MS);
    else await withTimeout(this.flush(), RECORDED_WITHIN_MS, () => undefined);
  }

  /** Call it before you read a chat by id. Never rejects. */
  async settle(executionId: string): Promise<void> {
    const entry = this.entries.get(executionId);
    if (!entry || (entry.isStored && !entry.ended)) return;
    entry.due = 0;
    await this.flush();
  }

  async settleAll(): Promise<void> {
    for (const entry of this.entries.values()) entry.due = 0;
    await this.flush();
    await this.parts.outbox.flush();
  }

  /** Other processes may have ended. */
  async endAbandonedOfOthers(): Promise<void> {
    this.mayHaveAbandoned = true;
    await this.flush();
  }

  async close(): Promise<void> {
    const end = performance.now() + CLOSE_MS;
    for (const entry of this.entries.values()) entry.due = 0;
    while (this.hasEnded() && performance.now() < end) {
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

  private untilDue(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { isStored, ended, due } of this.entries.values()) if (!isStored && !ended) first = Math.min(first, due);
    return Math.max(0, first - performance.now());
  }

  private wake(ms: number): void {
    this.alarm.set(this.writesFail ? RETRY_MS : ms);
  }

  /** Single-flight: callers during a write share the next one. False on failure. */
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
    this.executionsFail = !isRecorded;
    const { outbox } = this.parts;
    // While events fail, executions are still written, and the outbox tries once a second.
    if (!outbox.isFailing) await outbox.flush();
    const isComplete = isRecorded && !outbox.isFailing && (await this.succeeds(() => this.endAbandoned()));
    this.writesFail = !isComplete;
    if (!this.writesFail) this.waitingSince = performance.now();
    if (this.writesFail || this.mayHaveAbandoned) this.wake(RETRY_MS);
    this.wake(this.untilDue());
    return !this.writesFail;
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
      // The disk works: one chat is invalid and must not block the others.
      for (const one of batch) await this.store([one]).catch((fault: unknown) => this.drop(one.entry, fault));
    }
    for (const [index, one] of prepared.entries()) if (one.status === 'rejected') this.drop(due[index]!, one.reason);
  }

  private async store(batch: Prepared[]): Promise<void> {
    const { executions, tenants, outbox } = this.parts;
    const stored = await executions.recordChats(batch.filter(({ tenantId }) => !tenants.isBlocked(tenantId)));
    for (const { entry, tenantId, ended, execution } of batch) {
      const wasStored = stored.has(execution.id);
      if (ended) this.forget(entry);
      else if (wasStored) entry.isStored = true;
      if (ended && wasStored) outbox.add(tenantId, chatEvent(execution), MAX_WAITING);
    }
    if (batch.some(({ ended }) => ended)) this.parts.onRecorded();
  }

  /** The current state: the chat may end while it is written as running. */
  private async prepared(entry: Entry): Promise<Prepared> {
    const { started, ended, isStored } = entry;
    const { tenants, agents } = this.parts;
    const { tenantId } = started.caller;
    if (!tenants.isBlocked(tenantId)) await agents.register(started.caller, [started.agentId]);
    const execution = ended ? endedExecution(ended, await priceOf(ended)) : runningExecution(started);
    return { entry, ended, tenantId, execution, isKnown: isStored };
  }

  /** Throws if a retry may succeed. */
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

/** Characters; each is in memory several times during a write. */
const MAX_TOGETHER = 16 * 1024 * 1024;
const MAX_CHATS_TOGETHER = 50;

/** Keeps the order. A single entry may exceed the size. */
export function inBatches<Sized extends { size: number }>(entries: Sized[]): Sized[][] {
  const parts: Sized[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    size += entry.size;
    if (size > MAX_TOGETHER || parts.at(-1)!.length === MAX_CHATS_TOGETHER) {
      parts.push([]);
      size = entry.size;
    }
    parts.at(-1)!.push(entry);
  }
  return parts;
}
