import type { JsonType, StoredEvent } from '../../../../core/analytics/events/store.ts';
import { checkedProperties, typeOf } from '../../shared/checked-event.ts';
import { MAX_NESTING, TYPE_BIT } from '../../shared/known-names.ts';
import { columnName, type Kind } from '../tables.ts';
import type { Catalogue } from './catalogue.ts';
import type { EventNames, KnownTenant, NewProperty, SeenName } from './known.ts';
import type { SpooledBatch } from './spool.ts';
import type { PathNode } from './typed-columns.ts';

export interface TenantEvent {
  tenant: number;
  event: StoredEvent;
}

export interface Shredded {
  events: TenantEvent[];
  /** By column name: the value of each event, or undefined. */
  typed: Map<string, unknown[]>;
  seenNames: SeenName[];
}

/** The values of one path; `at` has the indexes of events. */
class Values {
  readonly at: number[] = [];
  readonly values: unknown[] = [];

  add(at: number, value: unknown): void {
    this.at.push(at);
    this.values.push(value);
  }
}

interface Found {
  tenant: KnownTenant;
  byType: Partial<Record<JsonType, Values>>;
}

interface Noted {
  seenName: SeenName;
  names: EventNames;
}

class Shredder {
  private readonly catalogue: Catalogue;
  private readonly events: TenantEvent[] = [];
  private readonly found = new Map<PathNode, Found>();
  private readonly noted = new Map<string, Noted | null>();
  private readonly typed = new Map<string, unknown[]>();

  constructor(catalogue: Catalogue) {
    this.catalogue = catalogue;
  }

  add(tenantId: string, event: StoredEvent): void {
    // First: an invalid event must leave no trace in the catalogue.
    const properties = checkedProperties(event);
    const tenant = this.catalogue.tenant(tenantId);
    const noted = this.note(tenant, event);
    this.visit(tenant, null, properties, 1, noted);
    this.events.push({ tenant: tenant.paths.number, event });
  }

  finish(): Shredded {
    for (const [node, { tenant, byType }] of this.found) {
      for (const type of Object.keys(byType) as JsonType[]) this.store(tenant, node, type, byType[type]!);
    }
    const seenNames = [...this.noted.values()].flatMap((noted) => (noted ? [noted.seenName] : []));
    return { events: this.events, typed: this.typed, seenNames };
  }

  private note(tenant: KnownTenant, { agentId, eventName, timestamp }: StoredEvent): Noted | null {
    const name = `${tenant.paths.number}\0${agentId}\0${eventName}`;
    let noted = this.noted.get(name);
    if (noted === undefined) {
      const names = tenant.eventNames(agentId, eventName);
      noted = names && { names, seenName: newSeenName(tenant, agentId, eventName, timestamp) };
      this.noted.set(name, noted);
    }
    if (noted) {
      noted.seenName.events += 1;
      noted.seenName.first_seen = Math.min(noted.seenName.first_seen, timestamp);
      noted.seenName.last_seen = Math.max(noted.seenName.last_seen, timestamp);
    }
    return noted;
  }

  /** JSON null counts as absent. */
  private visit(
    tenant: KnownTenant,
    parent: PathNode | null,
    object: Record<string, unknown>,
    depth: number,
    noted: Noted | null,
  ): void {
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === null) continue;
      const node = tenant.paths.nodeAt(parent, key);
      if (node === null) continue;
      const type = typeOf(value);
      this.collect(tenant, node, type, value);
      if (noted?.names.note(node, TYPE_BIT[type], tenant.nextOrder()))
        this.catalogue.addProperty(newProperty(noted.seenName, node, type));
      if (type === 'object' && depth < MAX_NESTING) {
        this.visit(tenant, node, value as Record<string, unknown>, depth + 1, noted);
      }
    }
  }

  private collect(tenant: KnownTenant, node: PathNode, type: JsonType, value: unknown): void {
    let found = this.found.get(node);
    if (!found) {
      found = { tenant, byType: {} };
      this.found.set(node, found);
    }
    const values = found.byType[type] ?? new Values();
    found.byType[type] = values;
    values.add(this.events.length, value);
  }

  private store(tenant: KnownTenant, node: PathNode, type: JsonType, { at, values }: Values): void {
    const kind = kindOf(node, type, values);
    const column = tenant.paths.columnFor(node, kind);
    if (column === null) return;
    const name = columnName(kind, column);
    let stored = this.typed.get(name);
    if (!stored) {
      stored = new Array(this.events.length);
      this.typed.set(name, stored);
    }
    const isContainer = kind === 'container';
    for (let index = 0; index < at.length; index++) stored[at[index]!] = isContainer ? true : values[index];
  }
}

/** Integers have smaller, faster columns, until the path has a fraction. */
function kindOf(node: PathNode, type: JsonType, values: unknown[]): Kind {
  switch (type) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'boolean';
    case 'number':
      return node.columns.double !== undefined || !values.every(Number.isSafeInteger) ? 'double' : 'integer';
    default:
      return 'container';
  }
}

function newSeenName(tenant: KnownTenant, agentId: string, eventName: string, timestamp: number): SeenName {
  return {
    tenant: tenant.paths.number,
    agent_id: agentId,
    event_name: eventName,
    events: 0,
    first_seen: timestamp,
    last_seen: timestamp,
  };
}

function newProperty({ tenant, agent_id, event_name }: SeenName, node: PathNode, type: JsonType): NewProperty {
  return { tenant, agent_id, event_name, path: JSON.stringify(node.path), type };
}

export interface Unreadable {
  batch: SpooledBatch;
  event: StoredEvent;
  error: unknown;
}

export function shred(catalogue: Catalogue, batches: SpooledBatch[]): { shredded: Shredded; unreadable: Unreadable[] } {
  const shredder = new Shredder(catalogue);
  const unreadable: Unreadable[] = [];
  for (const batch of batches) {
    for (const event of batch.events) {
      try {
        shredder.add(batch.tenantId, event);
      } catch (error) {
        unreadable.push({ batch, event, error });
      }
    }
  }
  return { shredded: shredder.finish(), unreadable };
}
