import type { StoredEvent } from '../../../core/analytics/events/store.ts';
import { checkedProperties } from './checked-event.ts';
import type { ColumnSlots, PathNode } from './columns.ts';
import { MAX_NESTING } from './known-names.ts';
import { type NotedName, SeenNames } from './seen-names.ts';
import type { KnownTenant } from './tenants.ts';

export interface ShreddedRow {
  /** The tenant's number. */
  tenant: number;
  /** Its batch's place in the spool. */
  position: number;
  event: StoredEvent;
}

/** Takes events apart into columns, and notes their names. An engine stores the values. */
export abstract class EventShredder<Columns extends ColumnSlots<string>> {
  readonly rows: ShreddedRow[] = [];
  readonly seenNames = new SeenNames();
  /** Also visits elements of lists, and keys that are too deep for a column. */
  protected abstract readonly visitsAll: boolean;

  /** Throws for an event that an engine would refuse; it leaves no trace. */
  add(tenant: KnownTenant<Columns>, position: number, event: StoredEvent): void {
    const properties = checkedProperties(event);
    const noted = this.seenNames.note(tenant, event);
    if (noted === null) this.missedName(tenant);
    this.visit(tenant, tenant.root, properties, noted);
    this.rows.push({ tenant: tenant.number, position, event });
  }

  /** The tenant has more names than are listed. */
  protected missedName(_tenant: KnownTenant<Columns>): void {}

  /** The value belongs to the next row. */
  protected abstract store(tenant: KnownTenant<Columns>, node: PathNode, value: unknown): void;

  /** JSON null counts as absent. */
  private visit(tenant: KnownTenant<Columns>, parent: PathNode, container: object, noted: NotedName | null): void {
    for (const key of Object.keys(container)) {
      const value = (container as Record<string, unknown>)[key];
      if (value === null) continue;
      const node = parent.child(key, tenant.room);
      this.store(tenant, node, value);
      noted?.note(node, value);
      if (typeof value !== 'object') continue;
      const isList = Array.isArray(value);
      const mayHaveColumns = !isList && node.isListed && node.path.length < MAX_NESTING;
      // Elements of lists can be asked for by their index, but are not listed.
      if (this.visitsAll || mayHaveColumns) this.visit(tenant, node, value as object, isList ? null : noted);
    }
  }
}
