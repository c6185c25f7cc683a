import type { TenantRuntimeEvent } from '../../base/audit/runtime-event.ts';
import { abortable, type Timers } from '../../base/concurrency/timers.ts';
import { type SealingKeys, UnopenableSecret } from '../../base/sealing/sealing.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { WHO_MAY } from './mail.ts';
import type { Message, Sender, SendOutcome } from './message.ts';
import type { ClaimedDelivery, Delivery, DeliveryLease, DeliveryStore, Settlement } from './store.ts';
import { deliveryPlace, sealTarget, type Target, type TargetType, unsealTarget } from './targets.ts';

/**
 * RFC 5321, 4.5.3.2: a mail server may take minutes to accept a message, and an aborted one may
 * have been accepted.
 */
export const TIMEOUTS_MS: Record<TargetType, number> = { webhook: 15_000, slack: 15_000, email: 300_000 };
/** Until a settlement that the store refused is tried again. */
const SETTLE_AGAIN_MS = 1_000;
const MAX_ERROR = 500;

/** How an attempt ended. A delivery that failed is tried again. */
export type DeliveryOutcome = { ms: number } & (
  | { kind: 'sent' }
  | { kind: 'failed'; error: string; nextAttemptAt: number }
  | { kind: 'dead'; error: string }
);

export interface AttemptParts {
  store: Pick<DeliveryStore, 'settle' | 'release'>;
  sender: Sender;
  sealingKeys: SealingKeys;
  effects: Pick<Effects, 'now'>;
  timers: Timers;
  /** The addresses that may not be written to any more; by default none. */
  refusedRecipients?: (tenantId: string, addresses: readonly string[]) => Promise<string[]>;
  /** From 0 to 1. */
  random: () => number;
  /** Called after each attempt that was not stopped, before its result is stored. */
  onAnswer(targetType: TargetType, outcome: SendOutcome): void;
  /** Called for each attempt that was settled. */
  onOutcome(delivery: Delivery, outcome: DeliveryOutcome): void;
  onError(error: unknown, deliveryId: string | null): void;
}

/** One attempt: sends, and settles the row before another attempt can begin. */
export class DeliveryAttempt {
  readonly tenantId: string;
  readonly targetType: TargetType;
  private readonly parts: AttemptParts;
  private readonly claimed: ClaimedDelivery;
  private readonly stopping = new AbortController();
  private lease: DeliveryLease;

  constructor(parts: AttemptParts, claimed: ClaimedDelivery) {
    this.parts = parts;
    this.claimed = claimed;
    this.tenantId = claimed.delivery.tenantId;
    this.targetType = claimed.delivery.targetType;
    this.lease = claimed.lease;
  }

  /** Goes on with another lease: after a pause of the process, its own may have ended. */
  adopt(lease: DeliveryLease): void {
    this.lease = lease;
  }

  /** Ends the attempt without an outcome, unless it has one. The delivery is due again. */
  stop(): void {
    this.stopping.abort();
  }

  /** Rejects with what `onOutcome` throws. */
  async run(): Promise<void> {
    const { store, effects, onAnswer, onOutcome } = this.parts;
    const startedAt = effects.now();
    const outcome = await this.send(startedAt);
    if (outcome === null) {
      await this.untilStored(() => store.release(this.lease, effects.now()));
      return;
    }
    onAnswer(this.targetType, outcome);
    const at = effects.now();
    const settlement = await this.settlementOf(outcome, at);
    const isOurs = await this.untilStored(() => store.settle(this.lease, settlement));
    if (isOurs) onOutcome(this.deliveryAfter(settlement), { ms: at - startedAt, ...outcomeOf(settlement) });
  }

  /** Null if it was stopped. */
  private async send(timestamp: number): Promise<SendOutcome | null> {
    const { sender, timers } = this.parts;
    const { id, tenantId, createdAt, targetType } = this.claimed.delivery;
    const timeoutMs = TIMEOUTS_MS[targetType];
    if (this.stopping.signal.aborted) return null;
    const timeout = new AbortController();
    const signal = AbortSignal.any([timeout.signal, this.stopping.signal]);
    const cancel = timers.after(timeoutMs, () => timeout.abort());
    try {
      const target = this.openTarget();
      if ('error' in target) return { kind: 'retry', ...target };
      const message = JSON.parse(this.claimed.body) as Message;
      const { allowed, refused } = await this.divided(target);
      if (allowed === null) return { kind: 'dead', error: refusalOf(refused) };
      const context = { tenantId, id, createdAt, timestamp, signal };
      const outcome = await abortable(sender.send(allowed, message, context), signal);
      if (refused.length === 0 || outcome.kind !== 'sent') return outcome;
      return { kind: 'dead', error: `${refusalOf(refused)} The other addresses got the message.` };
    } catch (error) {
      if (this.stopping.signal.aborted) return null;
      if (timeout.signal.aborted) {
        return { kind: 'retry', error: `No answer within ${timeoutMs / 1_000} s.`, timedOut: true };
      }
      this.parts.onError(error, id);
      return { kind: 'retry', error: 'The message could not be sent: internal error.' };
    } finally {
      cancel();
    }
  }

  /** Checks the addresses again, since users leave and domains change. Null if none is left. */
  private async divided(target: Target): Promise<{ allowed: Target | null; refused: string[] }> {
    const { refusedRecipients } = this.parts;
    if (target.type !== 'email' || !refusedRecipients) return { allowed: target, refused: [] };
    const refused = await refusedRecipients(this.tenantId, target.to);
    const to = target.to.filter((address) => !refused.includes(address));
    return { allowed: to.length === 0 ? null : { ...target, to }, refused };
  }

  private openTarget() {
    const { delivery, sealedTarget } = this.claimed;
    try {
      return unsealTarget(this.parts.sealingKeys, sealedTarget, deliveryPlace(delivery.tenantId, delivery.id));
    } catch (error) {
      if (!(error instanceof UnopenableSecret)) throw error;
      // The operator may put the key back.
      return { error: `The stored target ${error.message}.` };
    }
  }

  private async settlementOf(outcome: SendOutcome, at: number): Promise<Settlement> {
    if (outcome.kind === 'sent') return { state: 'sent', at };
    const error = outcome.error.slice(0, MAX_ERROR).toWellFormed();
    if (outcome.kind === 'dead') return { state: 'dead', at, error };
    const { retryAfterMs, rest } = outcome;
    const delay = retryDelayMs(this.claimed.delivery.attempts + 1, { retryAfterMs, random: this.parts.random });
    if (delay === null) return { state: 'dead', at, error };
    const sealedTarget = rest && (await this.sealed(rest));
    return { state: 'waiting', at, error, dueAt: at + delay, ...(sealedTarget !== undefined && { sealedTarget }) };
  }

  /** Undefined if nothing can be sealed: then all of the target gets the next attempt. */
  private async sealed(rest: Parameters<typeof sealTarget>[1]): Promise<string | undefined> {
    const { tenantId, id } = this.claimed.delivery;
    try {
      return sealTarget(await this.parts.sealingKeys.active(), rest, deliveryPlace(tenantId, id));
    } catch (error) {
      this.parts.onError(error, id);
      return undefined;
    }
  }

  /** Tries until it succeeds or the dispatcher stops: the lease then ends by itself. */
  private async untilStored(store: () => Promise<boolean>): Promise<boolean> {
    const { timers, onError } = this.parts;
    for (;;) {
      try {
        return await store();
      } catch (error) {
        onError(error, this.claimed.delivery.id);
      }
      if (this.stopping.signal.aborted) return false;
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = timers.after(SETTLE_AGAIN_MS, resolve);
      await abortable(promise, this.stopping.signal).catch(() => undefined);
      cancel();
    }
  }

  private deliveryAfter(settlement: Settlement): Delivery {
    const { delivery } = this.claimed;
    const { state, at } = settlement;
    return {
      ...delivery,
      state,
      attempts: delivery.attempts + 1,
      error: state === 'sent' ? null : settlement.error,
      attemptedAt: at,
      nextAttemptAt: state === 'waiting' ? settlement.dueAt : null,
      finishedAt: state === 'waiting' ? null : at,
    };
  }
}

function refusalOf(addresses: readonly string[]): string {
  return `${addresses.join(', ')}: not sent; ${WHO_MAY}.`;
}

function outcomeOf(settlement: Settlement) {
  if (settlement.state === 'sent') return { kind: 'sent' } as const;
  const { error } = settlement;
  if (settlement.state === 'dead') return { kind: 'dead', error } as const;
  return { kind: 'failed', error, nextAttemptAt: settlement.dueAt } as const;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Between attempts, as the Standard Webhooks specification recommends. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  12 * HOUR,
  24 * HOUR,
];

/** Retries of many deliveries that failed together are spread by a tenth of the delay. */
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Milliseconds after the n-th failed attempt, counted from 1; null: it was the last one. A receiver
 * that asks for a longer wait (`retryAfterMs`) gets it, up to a day.
 */
export function retryDelayMs(
  failed: number,
  { retryAfterMs = null, random }: { retryAfterMs?: number | null | undefined; random: () => number },
): number | null {
  const delay = RETRY_DELAYS_MS[failed - 1];
  if (delay === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return Math.ceil(Math.max(delay * (1 + JITTER * random()), asked));
}

/** The event of an attempt. Errors in it name no address of a person. */
export function deliveryEvent(delivery: Delivery, outcome: DeliveryOutcome): TenantRuntimeEvent {
  const { id, tenantId, source, type, targetType, attempts, createdAt, attemptedAt } = delivery;
  const eventName = outcome.kind === 'sent' ? 'runtime.delivery_sent' : 'runtime.delivery_failed';
  const failure =
    outcome.kind === 'sent' ? {} : { error: withoutAddresses(outcome.error), isDead: outcome.kind === 'dead' };
  const timestamp = attemptedAt ?? createdAt;
  return {
    tenantId,
    id: `${eventName}:${id}:${attempts}`,
    eventName,
    timestamp,
    properties: {
      deliveryId: id,
      source: source.kind,
      sourceId: source.id,
      type,
      target: targetType,
      attempts,
      durationMs: outcome.ms,
      waitMs: timestamp - createdAt,
      ...failure,
    },
  };
}

function withoutAddresses(error: string): string {
  return error.replaceAll(/[^\s<>(),;]+@[^\s<>(),;]+/g, 'an address');
}
