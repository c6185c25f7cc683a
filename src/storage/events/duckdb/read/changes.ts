import { LRUCache } from 'lru-cache';
import { RESERVED_EVENT_PREFIX } from '../../../../core/analytics/events/fields.ts';
import type { StoredEvent } from '../../../../core/analytics/events/store.ts';
import { dayOf, daysOf, type Reach } from '../../shared/reach.ts';

/** Beyond these limits a change counts for more than it is: for any day, name or tenant. */
const MAX_DAYS = 64;
const MAX_NAMES = 1_000;
const MAX_TENANTS = 10_000;

interface NameChanges {
  latest: number;
  byDay: Map<number, number>;
  /** The last change of any other day. */
  ofOthers: number;
}

interface TenantChanges {
  ofAll: number;
  byName: Map<string, NameChanges>;
}

/**
 * When the events of a tenant last changed, by name and day (UTC). A version is used once, and is
 * given after a commit and before a write is acknowledged: a client finds its own writes.
 */
export class EventChanges {
  private readonly tenants = new LRUCache<string, TenantChanges>({
    max: MAX_TENANTS,
    dispose: () => {
      this.ofForgotten = this.version;
    },
  });
  private readonly onLoss: (tenantId: string | null) => void;
  private ofForgotten = 0;
  /** The number of changes so far. */
  version = 0;

  /** `onLoss`: events went or changed, of one tenant or, null, of any. */
  constructor(onLoss: (tenantId: string | null) => void = () => undefined) {
    this.onLoss = onLoss;
  }

  /** `added`: only these events are new, and none went or changed. */
  changed(tenantId: string, added?: Iterable<Pick<StoredEvent, 'eventName' | 'timestamp'>>): void {
    this.version += 1;
    const tenant = this.tenants.get(tenantId) ?? { ofAll: this.ofForgotten, byName: new Map() };
    this.tenants.set(tenantId, tenant);
    if (added === undefined) {
      tenant.ofAll = this.version;
      this.onLoss(tenantId);
    }
    // A spooled event may be anything that is JSON.
    for (const event of added ?? []) this.note(tenant, String(event?.eventName), dayOf(Number(event?.timestamp)));
    if (tenant.byName.size <= MAX_NAMES) return;
    tenant.ofAll = this.version;
    tenant.byName.clear();
  }

  /** Something may have changed in the events of every tenant. */
  changedAll(): void {
    this.version += 1;
    this.tenants.clear();
    this.ofForgotten = this.version;
    this.onLoss(null);
  }

  /** The version of the last change within the reach. */
  lastOf(tenantId: string, reach: Reach[]): number {
    const tenant = this.tenants.get(tenantId);
    if (!tenant) return this.ofForgotten;
    return Math.max(tenant.ofAll, ...reach.map((one) => lastWithin(tenant, one)));
  }

  private note({ byName }: TenantChanges, eventName: string, day: number): void {
    const name = byName.get(eventName) ?? { latest: 0, byDay: new Map(), ofOthers: 0 };
    byName.set(eventName, name);
    name.latest = this.version;
    name.byDay.set(day, this.version);
    if (name.byDay.size <= MAX_DAYS) return;
    const [oldest] = [...name.byDay].sort(([, one], [, other]) => one - other);
    name.ofOthers = Math.max(name.ofOthers, oldest![1]);
    name.byDay.delete(oldest![0]);
  }
}

function lastWithin({ byName }: TenantChanges, reach: Reach): number {
  const names = reach.names ?? [...byName.keys()].filter((name) => reach.includesOwn || !isOwn(name));
  return Math.max(0, ...names.map((name) => lastOfName(byName.get(name), reach)));
}

function isOwn(name: string): boolean {
  return name.startsWith(RESERVED_EVENT_PREFIX);
}

function lastOfName(name: NameChanges | undefined, reach: Reach): number {
  if (name === undefined) return 0;
  if (reach.from === null && reach.to === null) return name.latest;
  const { first, last } = daysOf(reach);
  const within = Array.from(name.byDay, ([day, version]) => (day >= first && day <= last ? version : 0));
  return Math.max(name.ofOthers, ...within);
}
