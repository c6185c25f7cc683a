import { actorOf } from '../../base/audit/log.ts';
import { withTimeout } from '../../base/concurrency/timers.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, forbidden, notFound, RuntimeError } from '../../base/shared/errors.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { QueueFilling } from './filling.ts';
import { type Handed, MAX_WAITING } from './schema.ts';
import type { QueueService } from './service.ts';
import type { HeldItem, QueueAssessor, QueueDefinitions, QueueHands, StoredQueue } from './store.ts';

/** A lease ends by itself after so long. */
export const ITEM_LEASE_MS = 600_000;
/** Changes are looked at so long before an item that is there is handed out. */
const LOOK_MS = 500;
/** Whoever asks for an item waits so long while a queue is filled. */
const FILL_MS = 5_000;

export interface QueueHandParts {
  store: QueueHands & Pick<QueueDefinitions, 'counts'>;
  queues: Pick<QueueService, 'named'>;
  filling: Pick<QueueFilling, 'run' | 'walk' | 'walkAll'>;
  effects: Pick<Effects, 'now'>;
}

/** Items of queues in the hands of reviewers. */
export class QueueHandService {
  private readonly parts: QueueHandParts;

  constructor(parts: QueueHandParts) {
    this.parts = parts;
  }

  /**
   * The item that the caller holds, or the oldest that is free. Throws `unavailable` while the
   * queue is being filled.
   */
  async next(caller: Caller, name: string): Promise<Handed> {
    const { filling, queues } = this.parts;
    const { queue, by } = await this.opened(caller, name);
    const end = performance.now() + FILL_MS;
    const filled = filling.run(caller);
    let failed = await withTimeout(filled, LOOK_MS, () => null);
    const first = failed ? null : await this.take(caller, queue, by);
    if (first) return this.handed(queue, first);
    failed ??= await withTimeout(filled, FILL_MS, () => null);
    const isFilled = failed !== null && !failed.has(queue.id);
    for (;;) {
      const item = await this.take(caller, queue, by);
      if (item) {
        void filling.walkAll(caller);
        return this.handed(queue, item);
      }
      const state = await queues.named(caller, name);
      if (state.isWalked && isFilled) return this.handed(queue, null);
      if (state.isWalked || performance.now() > end) throw beingFilled();
      // The items that are there are not for this caller.
      await filling.walk(caller, state);
    }
  }

  /** Idempotent. Throws `not_found`, and `conflict` unless the caller has or had the item. */
  done(caller: Caller, name: string, executionId: string): Promise<Handed> {
    return this.settle(caller, { name, executionId }, 'done');
  }

  /** Puts it away for the caller. Throws as `done`. */
  skip(caller: Caller, name: string, executionId: string): Promise<Handed> {
    return this.settle(caller, { name, executionId }, 'skipped');
  }

  /** Gives it back; what the caller finished or skipped they get again. Throws as `done`. */
  async release(caller: Caller, name: string, executionId: string): Promise<Handed> {
    const { queue, by } = await this.opened(caller, name);
    const released = await this.parts.store.release(queue.id, executionId, by, this.lease());
    if (typeof released === 'object') return this.handed(queue, released);
    if (released === 'released') return this.handed(queue, null);
    throw refusal(released, name, executionId);
  }

  private async settle(
    caller: Caller,
    { name, executionId }: { name: string; executionId: string },
    as: 'done' | 'skipped',
  ): Promise<Handed> {
    const { store, effects } = this.parts;
    const { queue, by } = await this.opened(caller, name);
    const settled = await store.settle(queue.id, executionId, by, as, effects.now());
    if (settled !== 'settled') throw refusal(settled, name, executionId);
    return this.handed(queue, null);
  }

  /** Throws `forbidden` for those whom the queue does not name. */
  private async opened(caller: Caller, name: string): Promise<{ queue: StoredQueue; by: QueueAssessor }> {
    requireScope(caller, 'reviews:write');
    const { queue } = await this.parts.queues.named(caller, name);
    const { kind, id, label } = actorOf(caller);
    const isNamed = queue.userIds === undefined || (kind === 'user' && queue.userIds.includes(id!));
    if (!isNamed) throw forbidden(`The queue "${name}" is for other people; its userIds name them.`);
    return { queue, by: { id: `${kind}:${id}`, label } };
  }

  /** The queue checks its rules before an item whose lease has ended goes to another person. */
  private async take(caller: Caller, { id }: StoredQueue, by: QueueAssessor): Promise<HeldItem | null> {
    const { store, filling } = this.parts;
    for (let last = false; ; ) {
      const taken = await store.take(id, by, this.lease(), last);
      if (taken !== 'lease ended') return taken;
      const failed = await withTimeout(filling.run(caller), FILL_MS, () => null);
      last = failed === null || failed.has(id);
    }
  }

  private lease(): { now: number; until: number } {
    const now = this.parts.effects.now();
    return { now, until: now + ITEM_LEASE_MS };
  }

  private async handed({ id }: StoredQueue, item: HeldItem | null): Promise<Handed> {
    const counts = await this.parts.store.counts(id, MAX_WAITING);
    return { item: item && { ...item, leaseUntil: formatUtc(item.leaseUntil) }, ...counts };
  }
}

function beingFilled(): RuntimeError {
  return new RuntimeError('unavailable', 'The queue is still being filled. Ask again.', { retryAfter: 1 });
}

function refusal(why: 'unknown' | 'never held' | 'held by another', name: string, executionId: string): RuntimeError {
  if (why === 'unknown') return notFound(`There is no execution "${executionId}" in the queue "${name}".`);
  return conflict(
    why === 'never held'
      ? `You do not have the execution "${executionId}" from this queue, and had it never or gave it back. Ask for the next one.`
      : `Somebody else has the execution "${executionId}" now. Try again when they are done with it.`,
  );
}
