import type { DuckDBConnection } from '@duckdb/node-api';
import type { JsonType, KnownEvent, KnownProperty } from '../../core/events/store.ts';
import { readTexts } from './database.ts';
import { Scope } from './expressions.ts';
import type { SpooledBatch } from './spool.ts';

/*
 * What is remembered is bounded, because names may turn out to be data (an id as a key): events count all the same, but
 * what is beyond is not listed.
 */
const MAX_EVENTS_PER_TENANT = 10_000;
const MAX_KEYS_PER_EVENT = 1_000;
const MAX_KEYS_PER_TENANT = 100_000;
const MAX_NESTING = 4;
/** Longer than a query may name. */
const MAX_KEY_LENGTH = 300;
/** Rows of one statement: its JSON stays a few megabytes at most. */
const SLICE_ROWS = 5_000;

interface TenantNames {
  /** Known keys by agent and event name. */
  events: Map<string, Set<string>>;
  keys: number;
}

interface EventRow {
  tenant_id: string;
  agent_id: string;
  event_name: string;
  events: number;
  first_seen: number;
  last_seen: number;
}

interface PropertyRow {
  tenant_id: string;
  agent_id: string;
  event_name: string;
  key: string;
  nested: boolean;
  type: JsonType;
  events: number;
}

/** What some batches show of one event name. */
interface Sighting {
  row: EventRow;
  known: Set<string>;
  /** By key, a nested one with a leading dot; null where there was no room to remember it. */
  properties: Map<string, Partial<Record<JsonType, PropertyRow>> | null>;
  /** The properties of all event names, in the order of their first appearance. */
  found: PropertyRow[];
}

/**
 * What has been seen: event names and the keys and types of their properties. Kept beside the events, in the same
 * transaction as the flush, so that it is as exact as they are.
 */
export class KnownNames {
  private readonly tenants = new Map<string, TenantNames>();

  /** Adds what these batches show. Runs inside the flush's transaction. */
  async add(connection: DuckDBConnection, batches: SpooledBatch[]): Promise<void> {
    const { events, properties } = this.summarize(batches);
    for (const slice of slices(events)) await connection.run(ADD_EVENTS, [JSON.stringify(slice)]);
    for (const slice of slices(properties)) await connection.run(ADD_PROPERTIES, [JSON.stringify(slice)]);
  }

  /** Reads what is known already, so that the limits hold across restarts. */
  async load(connection: DuckDBConnection): Promise<void> {
    const events = await connection.runAndReadAll('SELECT tenant_id, agent_id, event_name FROM known_events');
    for (const [tenantId, agentId, eventName] of events.getRows().map((row) => row.map(String))) {
      this.keysOf(tenantId!, agentId!, eventName!);
    }
    const keys = await connection.runAndReadAll(
      'SELECT DISTINCT tenant_id, agent_id, event_name, nested, key FROM known_properties',
    );
    for (const [tenantId, agentId, eventName, nested, key] of keys.getRows()) {
      const known = this.keysOf(String(tenantId), String(agentId), String(eventName));
      if (known) this.remember(String(tenantId), known, keyName(String(key), nested === true));
    }
  }

  private summarize(batches: SpooledBatch[]): { events: EventRow[]; properties: PropertyRow[] } {
    const found: PropertyRow[] = [];
    const sightings = new Map<string, Sighting>();
    for (const { tenantId, events } of batches) {
      for (const { agentId, eventName, timestamp, properties } of events) {
        const name = `${tenantId}\0${agentId}\0${eventName}`;
        const sighting = sightings.get(name) ?? this.sighting(tenantId, agentId, eventName, timestamp, found);
        if (!sighting) continue;
        sightings.set(name, sighting);
        sighting.row.events += 1;
        sighting.row.first_seen = Math.min(sighting.row.first_seen, timestamp);
        sighting.row.last_seen = Math.max(sighting.row.last_seen, timestamp);
        this.addKeys(sighting, JSON.parse(properties) as Record<string, unknown>, '', 1);
      }
    }
    return { events: [...sightings.values()].map(({ row }) => row), properties: found };
  }

  private sighting(
    tenantId: string,
    agentId: string,
    eventName: string,
    timestamp: number,
    found: PropertyRow[],
  ): Sighting | null {
    const known = this.keysOf(tenantId, agentId, eventName);
    if (!known) return null;
    const identity = { tenant_id: tenantId, agent_id: agentId, event_name: eventName };
    return {
      known,
      found,
      properties: new Map(),
      row: { ...identity, events: 0, first_seen: timestamp, last_seen: timestamp },
    };
  }

  /** The keys of an object, and with dots those of the objects inside. JSON null counts as absent. */
  private addKeys(sighting: Sighting, object: Record<string, unknown>, prefix: string, depth: number): void {
    for (const name in object) {
      const value = object[name];
      if (value === null || !Object.hasOwn(object, name)) continue;
      const key = depth > 1 ? prefix + name : name;
      const type = typeOf(value);
      this.addKey(sighting, key, depth > 1, type);
      if (type === 'object' && depth < MAX_NESTING) {
        this.addKeys(sighting, value as Record<string, unknown>, `${key}.`, depth + 1);
      }
    }
  }

  private addKey(sighting: Sighting, key: string, nested: boolean, type: JsonType): void {
    const name = keyName(key, nested);
    let rows = sighting.properties.get(name);
    if (rows === undefined) {
      const isKept = key.length <= MAX_KEY_LENGTH && this.remember(sighting.row.tenant_id, sighting.known, name);
      rows = isKept ? {} : null;
      sighting.properties.set(name, rows);
    }
    if (rows === null) return;
    const row = rows[type];
    if (row) row.events += 1;
    else {
      const { tenant_id, agent_id, event_name } = sighting.row;
      const first = { tenant_id, agent_id, event_name, key, nested, type, events: 1 };
      rows[type] = first;
      sighting.found.push(first);
    }
  }

  /** The known keys of an event name, or null when the tenant has too many names. */
  private keysOf(tenantId: string, agentId: string, eventName: string): Set<string> | null {
    const tenant = this.tenants.get(tenantId) ?? { events: new Map<string, Set<string>>(), keys: 0 };
    this.tenants.set(tenantId, tenant);
    const name = `${agentId}\0${eventName}`;
    const known = tenant.events.get(name);
    if (known) return known;
    if (tenant.events.size >= MAX_EVENTS_PER_TENANT) return null;
    const keys = new Set<string>();
    tenant.events.set(name, keys);
    return keys;
  }

  /** Whether the key is among those that are remembered, after making room for it if there is any. */
  private remember(tenantId: string, known: Set<string>, name: string): boolean {
    if (known.has(name)) return true;
    const tenant = this.tenants.get(tenantId)!;
    if (known.size >= MAX_KEYS_PER_EVENT || tenant.keys >= MAX_KEYS_PER_TENANT) return false;
    known.add(name);
    tenant.keys += 1;
    return true;
  }
}

function keyName(key: string, nested: boolean): string {
  return nested ? `.${key}` : key;
}

function typeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

function* slices<Item>(items: Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += SLICE_ROWS) yield items.slice(start, start + SLICE_ROWS);
}

const ADD_EVENTS = `INSERT INTO known_events
  SELECT r.tenant_id, r.agent_id, r.event_name, r.events, r.first_seen, r.last_seen FROM (SELECT unnest(from_json($1,
    '[{"tenant_id":"VARCHAR","agent_id":"VARCHAR","event_name":"VARCHAR","events":"BIGINT","first_seen":"BIGINT","last_seen":"BIGINT"}]')) AS r)
  ON CONFLICT DO UPDATE SET events = events + excluded.events,
    first_seen = least(first_seen, excluded.first_seen), last_seen = greatest(last_seen, excluded.last_seen)`;

const ADD_PROPERTIES = `INSERT INTO known_properties (tenant_id, agent_id, event_name, key, nested, type, events)
  SELECT r.tenant_id, r.agent_id, r.event_name, r.key, r.nested, r.type, r.events FROM (SELECT unnest(from_json($1,
    '[{"tenant_id":"VARCHAR","agent_id":"VARCHAR","event_name":"VARCHAR","key":"VARCHAR","nested":"BOOLEAN","type":"VARCHAR","events":"BIGINT"}]')) AS r)
  ON CONFLICT DO UPDATE SET events = events + excluded.events`;

export async function knownEvents(
  connection: DuckDBConnection,
  tenantId: string,
  agentId: string | null,
): Promise<KnownEvent[]> {
  const scope = new Scope();
  const where = [`tenant_id = ${scope.bind(tenantId)}`];
  if (agentId !== null) where.push(`agent_id = ${scope.bind(agentId)}`);
  const sql = `SELECT json_object('agentId', agent_id, 'eventName', event_name, 'events', events, 'firstSeen', first_seen, 'lastSeen', last_seen)::VARCHAR
    FROM known_events WHERE ${where.join(' AND ')} ORDER BY last_seen DESC, event_name`;
  return (await readTexts(connection, { sql, params: scope.params })).map((text) => JSON.parse(text) as KnownEvent);
}

export async function knownProperties(
  connection: DuckDBConnection,
  tenantId: string,
  agentId: string | null,
  eventNames: string[],
): Promise<KnownProperty[]> {
  if (eventNames.length === 0) return [];
  const scope = new Scope();
  const where = [`tenant_id = ${scope.bind(tenantId)}`, `event_name IN (${scope.bindAll(eventNames)})`];
  if (agentId !== null) where.push(`agent_id = ${scope.bind(agentId)}`);
  const sql = `SELECT json_object('key', key, 'nested', nested, 'types', list(DISTINCT type ORDER BY type), 'events', sum(events)::BIGINT)::VARCHAR
    FROM known_properties WHERE ${where.join(' AND ')} GROUP BY key, nested ORDER BY min(seen_order)`;
  return (await readTexts(connection, { sql, params: scope.params })).map((text) => JSON.parse(text) as KnownProperty);
}
