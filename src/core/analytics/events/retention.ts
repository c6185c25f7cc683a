import type { TenantStore } from '../../access/auth/store.ts';
import { Limiter } from '../../base/concurrency/limiter.ts';
import { type MaintenanceLease, UNSHARED } from '../../base/concurrency/maintenance.ts';
import { PeriodicTask } from '../../base/concurrency/timers.ts';
import type { Effects } from '../../base/shared/effects.ts';
import type { EventStore } from './store.ts';

const DAY_MS = 86_400_000;
const INTERVAL_MS = 3_600_000;
const FIRST_MS = 60_000;
/** Tenants: a store may remove the events of several as cheaply as those of one. */
const AT_ONCE = 200;

export interface RetentionParts {
  tenants: TenantStore;
  store: EventStore;
  effects: Effects;
  maintenance?: MaintenanceLease;
  onExpired: (tenantId: string, events: number) => void;
  onError: (error: unknown) => void;
}

/** Removes events older than their tenant's retention, by the events' own timestamps. */
export class Retention {
  private readonly parts: RetentionParts;
  private readonly task: PeriodicTask;

  constructor(parts: RetentionParts) {
    this.parts = parts;
    const { onError } = parts;
    this.task = new PeriodicTask({ firstMs: FIRST_MS, everyMs: INTERVAL_MS, run: () => this.run(), onError });
  }

  /** A tenant that fails does not stop the others. */
  async run(): Promise<void> {
    const { tenants, store, effects, maintenance = UNSHARED } = this.parts;
    if (!(await maintenance.held('retention', INTERVAL_MS))) return;
    const days = await tenants.shortestRetention();
    if (days === null) return;
    const found = await store.expiring(effects.now() - days * DAY_MS);
    const limiter = new Limiter({ concurrency: AT_ONCE, maxQueue: Number.POSITIVE_INFINITY, rejection: '' });
    await Promise.all(
      Object.entries(found).map(([tenantId, oldest]) => limiter.run(() => this.expire(tenantId, oldest))),
    );
  }

  private async expire(tenantId: string, oldest: number | null): Promise<void> {
    const { tenants, store, effects, onExpired, onError } = this.parts;
    try {
      const days = (await tenants.find(tenantId))?.retentionDays ?? null;
      if (days === null) return;
      const before = effects.now() - days * DAY_MS;
      if (oldest !== null && oldest >= before) return;
      const events = await store.expire(tenantId, before);
      if (events > 0) onExpired(tenantId, events);
    } catch (error) {
      onError(error);
    }
  }

  close(): Promise<void> {
    return this.task.close();
  }
}
