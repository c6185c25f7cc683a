import type { StoredEvent } from '../../../../core/analytics/events/store.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { typeOf } from '../../shared/checked-event.ts';
import { MAX_EVENTS_PER_TENANT, MAX_KEYS_PER_EVENT, TYPE_BIT } from '../../shared/known-names.ts';
import type { PathNode, TenantColumns } from '../columns.ts';

interface SeenName {
  tenantId: string;
  agentId: string;
  eventName: string;
  events: number;
  firstSeen: number;
  lastSeen: number;
}

interface NewProperty {
  tenantId: string;
  agentId: string;
  eventName: string;
  path: string;
  types: number;
}

/** A tenant as the node knows it that flushes. */
export interface FlushTenant {
  tenantId: string;
  number: number;
  columns: TenantColumns;
  root: PathNode;
  room: { left: number };
  /** By agent and event name. */
  names: Map<string, EventNames>;
}

/** The properties of one event name that are known already. */
export class EventNames {
  /** Bits of types by JSON pointer. */
  private readonly types = new Map<string, number>();

  /** Returns whether the type is new; beyond the limit nothing is noted. */
  add(pointer: string, bits: number): boolean {
    const known = this.types.get(pointer);
    if (known === undefined && this.types.size >= MAX_KEYS_PER_EVENT) return false;
    if (known !== undefined && (known & bits) === bits) return false;
    this.types.set(pointer, (known ?? 0) | bits);
    return true;
  }
}

/** Names and keys that the events of one flush have. */
export class SeenNames {
  private readonly events = new Map<string, SeenName>();
  private readonly properties: NewProperty[] = [];

  /** Null if the tenant has too many names. */
  note(
    tenant: FlushTenant,
    { agentId, eventName, timestamp }: StoredEvent,
  ): { note(node: PathNode, value: unknown): void } | null {
    const { tenantId } = tenant;
    const names = namesOf(tenant, agentId, eventName);
    if (names === null) return null;
    const key = `${tenant.number}\0${agentId}\0${eventName}`;
    const seenName = this.events.get(key);
    if (seenName) {
      seenName.events += 1;
      seenName.firstSeen = Math.min(seenName.firstSeen, timestamp);
      seenName.lastSeen = Math.max(seenName.lastSeen, timestamp);
    } else {
      this.events.set(key, { tenantId, agentId, eventName, events: 1, firstSeen: timestamp, lastSeen: timestamp });
    }
    return {
      note: (node, value) => {
        if (!node.isListed) return;
        const types = TYPE_BIT[typeOf(value)];
        if (!names.add(node.pointer, types)) return;
        this.properties.push({ tenantId, agentId, eventName, path: JSON.stringify(node.path), types });
      },
    };
  }

  /** In the transaction that ends the flush. */
  async save(transaction: PostgresClient): Promise<void> {
    const events = [...this.events.values()];
    await transaction.query(ADD_EVENTS, [
      events.map(({ tenantId }) => tenantId),
      events.map(({ agentId }) => agentId),
      events.map(({ eventName }) => eventName),
      events.map(({ events: count }) => count),
      events.map(({ firstSeen }) => firstSeen),
      events.map(({ lastSeen }) => lastSeen),
    ]);
    const properties = merged(this.properties);
    if (properties.length === 0) return;
    await transaction.query(ADD_PROPERTIES, [
      properties.map(({ tenantId }) => tenantId),
      properties.map(({ agentId }) => agentId),
      properties.map(({ eventName }) => eventName),
      properties.map(({ path }) => path),
      properties.map(({ types }) => types),
    ]);
  }
}

function namesOf(tenant: FlushTenant, agentId: string, eventName: string): EventNames | null {
  const name = `${agentId}\0${eventName}`;
  const known = tenant.names.get(name);
  if (known) return known;
  if (tenant.names.size >= MAX_EVENTS_PER_TENANT) return null;
  const names = new EventNames();
  tenant.names.set(name, names);
  return names;
}

/** One row for each property: a statement cannot update a row twice. */
function merged(properties: NewProperty[]): NewProperty[] {
  const found = new Map<string, NewProperty>();
  for (const property of properties) {
    const key = JSON.stringify([property.tenantId, property.agentId, property.eventName, property.path]);
    const known = found.get(key);
    if (known) known.types |= property.types;
    else found.set(key, { ...property });
  }
  return [...found.values()];
}

const ADD_EVENTS = `INSERT INTO event_names AS known (tenant_id, agent_id, event_name, events, first_seen, last_seen)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
  ON CONFLICT (tenant_id, agent_id, event_name) DO UPDATE SET events = known.events + excluded.events,
    first_seen = least(known.first_seen, excluded.first_seen), last_seen = greatest(known.last_seen, excluded.last_seen)`;

const ADD_PROPERTIES = `INSERT INTO event_properties AS known (tenant_id, agent_id, event_name, path, types)
  SELECT tenant_id, agent_id, event_name, path, types
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[])
    WITH ORDINALITY AS seen(tenant_id, agent_id, event_name, path, types, place)
  ORDER BY place
  ON CONFLICT (tenant_id, agent_id, event_name, path) DO UPDATE SET types = known.types | excluded.types`;
