import { TenantTurns, type Turn } from '../../base/concurrency/due-runner.ts';
import { realTimers, type Timers } from '../../base/concurrency/timers.ts';
import { WakeLoop } from '../../base/concurrency/wake-loop.ts';
import { type AttemptParts, DeliveryAttempt, TIMEOUTS_MS } from './attempt.ts';
import { MailPause } from './mail.ts';
import type { ClaimedDelivery, DeliveryStore } from './store.ts';
import type { TargetType } from './targets.ts';

/** Longer than an attempt and its settlement. */
const LEASE_MS = Math.max(...Object.values(TIMEOUTS_MS)) + 60_000;
/** For attempts that are under way at a shutdown. */
const GRACE_MS = 2_000;
const PRUNE_EVERY_MS = 3_600_000;
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * E-mails have slots of their own: the one mail server may hang while webhooks and Slack answer.
 */
interface Lane {
  types: readonly TargetType[];
  turns: TenantTurns;
}

export interface DispatcherParts extends Omit<AttemptParts, 'store' | 'timers' | 'random' | 'onAnswer'> {
  store: DeliveryStore;
  tenants: { isBlocked(tenantId: string): boolean };
  timers?: Timers;
  random?: () => number;
}

/** Sends due deliveries, fairly among tenants, and sleeps until the next one is due. */
export class DeliveryDispatcher {
  private readonly parts: DispatcherParts & AttemptParts;
  private readonly mail: Lane = { types: ['email'], turns: new TenantTurns({ all: 4, ofTenant: 2 }) };
  private readonly web: Lane = { types: ['webhook', 'slack'], turns: new TenantTurns({ all: 8, ofTenant: 2 }) };
  private readonly pause = new MailPause();
  /** By delivery. */
  private readonly running = new Map<string, { attempt: DeliveryAttempt; done: Promise<void> }>();
  private readonly loop: WakeLoop;
  private isResumed = false;
  private prunedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: DispatcherParts) {
    const onAnswer: AttemptParts['onAnswer'] = (type, outcome) => {
      if (type === 'email') this.pause.note(outcome, parts.effects.now());
    };
    this.parts = { timers: realTimers, random: Math.random, onAnswer, ...parts };
    const { timers, onError } = this.parts;
    this.loop = new WakeLoop({ pass: () => this.pass(), timers, onError: (error) => onError(error, null) });
  }

  /**
   * There may be something due: new deliveries, a free slot, or the time has come. Starts the
   * dispatcher.
   */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves once no delivery of the tenant is under way. Those that it stops are due again. */
  async abort(tenantId: string): Promise<void> {
    const meant = [...this.running.values()].filter(({ attempt }) => attempt.tenantId === tenantId);
    for (const { attempt } of meant) attempt.stop();
    await Promise.all(meant.map(({ done }) => done));
  }

  /** Lets attempts end for two seconds; those that it stops then are due at the next start. */
  async close(): Promise<void> {
    await this.loop.close();
    const stopAll = () => {
      for (const { attempt } of this.running.values()) attempt.stop();
    };
    const cancel = this.parts.timers.after(GRACE_MS, stopAll);
    await Promise.all([...this.running.values()].map(({ done }) => done));
    cancel();
  }

  private async pass(): Promise<number> {
    const { store, effects } = this.parts;
    const now = effects.now();
    await this.resume(now);
    const paused = this.pause.left(now);
    await this.begin(this.web, now);
    if (paused === 0) await this.begin(this.mail, now);
    await this.prune(now);
    const untilDue = ((await store.nextDue(now)) ?? Number.POSITIVE_INFINITY) - now;
    return paused > 0 ? Math.min(untilDue, paused) : untilDue;
  }

  private async resume(now: number): Promise<void> {
    if (this.isResumed) return;
    await this.parts.store.releaseAbandoned(now);
    this.isResumed = true;
  }

  /** Until all slots are taken or nothing is due that may begin. */
  private async begin({ types, turns: laneTurns }: Lane, now: number): Promise<void> {
    const { store, tenants } = this.parts;
    while (!this.loop.isClosed) {
      const due = (await store.dueTenants(now, types)).filter((tenantId) => !tenants.isBlocked(tenantId));
      const running = [...this.running.values()].filter(({ attempt }) => types.includes(attempt.targetType));
      const turns = laneTurns.next(
        due,
        running.map(({ attempt }) => attempt.tenantId),
      );
      const claims = await Promise.allSettled(turns.map((turn) => this.claim(turn, types, now)));
      const claimed = claims.flatMap((claim) => (claim.status === 'fulfilled' ? claim.value : []));
      for (const one of claimed) this.run(one);
      const failure = claims.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
      if (failure) throw failure.reason;
      if (claimed.length === 0) return;
    }
  }

  private claim({ tenantId, count }: Turn, types: readonly TargetType[], now: number): Promise<ClaimedDelivery[]> {
    return this.parts.store.claim(tenantId, { now, leaseUntil: now + LEASE_MS, limit: count, types });
  }

  private run(claimed: ClaimedDelivery): void {
    const { id, tenantId } = claimed.delivery;
    const earlier = this.running.get(id);
    if (earlier) {
      earlier.attempt.adopt(claimed.lease);
      return;
    }
    const attempt = new DeliveryAttempt(this.parts, claimed);
    // Since the claim began, the dispatcher may have been closed, or the erasure of the tenant
    // begun.
    if (this.loop.isClosed || this.parts.tenants.isBlocked(tenantId)) attempt.stop();
    const done = attempt
      .run()
      .catch((error: unknown) => this.parts.onError(error, id))
      .finally(() => {
        this.running.delete(id);
        this.wake();
      });
    this.running.set(id, { attempt, done });
  }

  private async prune(now: number): Promise<void> {
    if (now - this.prunedAt < PRUNE_EVERY_MS) return;
    await this.parts.store.prune(now - KEPT_DAYS * DAY_MS, now - PRUNE_EVERY_MS);
    this.prunedAt = now;
  }
}
