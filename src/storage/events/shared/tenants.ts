import type { KnownProperty } from '../../../core/analytics/events/store.ts';
import { type ColumnSlots, PathNode } from './columns.ts';
import { knownProperties, MAX_EVENTS_PER_TENANT, MAX_KEYS_PER_EVENT, type SeenProperty } from './known-names.ts';

/** Keys of a tenant that are kept in memory: keys may be data. */
const MAX_NODES = 100_000;
/** Tenants and names in memory; beyond them all are forgotten, and loaded again when needed. */
const MAX_TENANTS = 10_000;
const MAX_NODES_IN_ALL = 250_000;

/** The properties of one event name that are known already. */
export class EventNames {
  /** By JSON pointer. */
  private readonly seen = new Map<string, SeenProperty>();
  private readonly orders: { next: number };

  constructor(orders: { next: number }) {
    this.orders = orders;
  }

  /** Returns whether a type is new; beyond the limit nothing is noted. `bits` are of `TYPE_BIT`. */
  note({ pointer, path }: Pick<PathNode, 'pointer' | 'path'>, bits: number): boolean {
    const known = this.seen.get(pointer);
    if (known === undefined) {
      if (this.seen.size >= MAX_KEYS_PER_EVENT) return false;
      this.seen.set(pointer, { path, bits, order: this.orders.next++ });
      return true;
    }
    if ((known.bits & bits) === bits) return false;
    known.bits |= bits;
    return true;
  }

  get all(): Iterable<SeenProperty> {
    return this.seen.values();
  }
}

/** What a flush knows of a tenant. */
export class KnownTenant<Columns extends ColumnSlots<string> = ColumnSlots<string>> {
  readonly tenantId: string;
  readonly number: number;
  readonly columns: Columns;
  readonly root = new PathNode(null, '');
  readonly room = { left: MAX_NODES };
  private readonly names = new Map<string, EventNames>();
  private readonly orders = { next: 0 };

  constructor(tenantId: string, number: number, columns: Columns) {
    this.tenantId = tenantId;
    this.number = number;
    this.columns = columns;
  }

  /** Null if the tenant has too many names. */
  eventNames(agentId: string, eventName: string): EventNames | null {
    const name = `${agentId}\0${eventName}`;
    const known = this.names.get(name);
    if (known) return known;
    if (this.names.size >= MAX_EVENTS_PER_TENANT) return null;
    const names = new EventNames(this.orders);
    this.names.set(name, names);
    return names;
  }

  properties(agentId: string | null, eventNames: string[]): KnownProperty[] {
    const matching = [...this.names].filter(([name]) => {
      const end = name.indexOf('\0');
      return (agentId === null || name.slice(0, end) === agentId) && eventNames.includes(name.slice(end + 1));
    });
    return knownProperties(matching.flatMap(([, names]) => [...names.all]));
  }

  /** Keys that are kept in memory. */
  get size(): number {
    return MAX_NODES - this.room.left + this.orders.next;
  }
}

/** The tenants of the last flushes. Only one flush at a time changes them. */
export class KnownTenants<Columns extends ColumnSlots<string>> {
  protected readonly known = new Map<string, KnownTenant<Columns>>();
  /** Another one after tenants were forgotten. */
  protected generation = 0;

  /** After a failure, since what the flush has taught is not saved. */
  clear(): void {
    this.known.clear();
    this.generation += 1;
  }

  forget(tenantId: string): void {
    this.known.delete(tenantId);
    this.generation += 1;
  }

  tenant(tenantId: string): KnownTenant<Columns> {
    const tenant = this.known.get(tenantId);
    if (!tenant) throw new Error('The tenant of a batch is not loaded.');
    return tenant;
  }

  /** Those of the next flush that are to be loaded; makes room for them. */
  protected missing(tenantIds: string[]): string[] {
    if (this.isFull) this.clear();
    return [...new Set(tenantIds)].filter((tenantId) => !this.known.has(tenantId));
  }

  protected get isFull(): boolean {
    if (this.known.size >= MAX_TENANTS) return true;
    let size = 0;
    for (const tenant of this.known.values()) size += tenant.size;
    return size >= MAX_NODES_IN_ALL;
  }
}
