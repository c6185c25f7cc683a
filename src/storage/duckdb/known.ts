import type { DuckDBConnection } from '@duckdb/node-api';
import type { JsonType, KnownEvent, KnownProperty } from '../../core/events/store.ts';
import { readTexts } from './database.ts';
import { Scope } from './expressions.ts';
import type { SpooledBatch } from './spool.ts';

/** Property keys remembered per event name of an agent; keys that are data (an id as a key) must not grow without end. */
const MAX_KEYS_PER_EVENT = 1_000;
const MAX_NESTING = 4;
/** Longer than a query may name. */
const MAX_KEY_LENGTH = 300;

/**
 * What has been seen: event names and the keys and types of their properties. Kept beside the events, in the same
 * transaction as the flush, so that it is as exact as they are.
 */
export class KnownNames {
  private readonly keysPerEvent = new Map<string, Set<string>>();

  /** Adds what these batches show. Runs inside the flush's transaction. */
  async add(connection: DuckDBConnection, batches: SpooledBatch[]): Promise<void> {
    const { events, properties } = this.summarize(batches);
    await connection.run(
      `INSERT INTO known_events
       SELECT r.tenant_id, r.agent_id, r.event_name, r.events, r.first_seen, r.last_seen FROM (SELECT unnest(from_json($1,
         '[{"tenant_id":"VARCHAR","agent_id":"VARCHAR","event_name":"VARCHAR","events":"BIGINT","first_seen":"BIGINT","last_seen":"BIGINT"}]')) AS r)
       ON CONFLICT DO UPDATE SET events = events + excluded.events,
         first_seen = least(first_seen, excluded.first_seen), last_seen = greatest(last_seen, excluded.last_seen)`,
      [JSON.stringify(events)],
    );
    if (properties.length === 0) return;
    await connection.run(
      `INSERT INTO known_properties (tenant_id, agent_id, event_name, key, nested, type, events)
       SELECT r.tenant_id, r.agent_id, r.event_name, r.key, r.nested, r.type, r.events FROM (SELECT unnest(from_json($1,
         '[{"tenant_id":"VARCHAR","agent_id":"VARCHAR","event_name":"VARCHAR","key":"VARCHAR","nested":"BOOLEAN","type":"VARCHAR","events":"BIGINT"}]')) AS r)
       ON CONFLICT DO UPDATE SET events = events + excluded.events`,
      [JSON.stringify(properties)],
    );
  }

  /** Reads the keys already known, so that the limit per event holds across restarts. */
  async load(connection: DuckDBConnection): Promise<void> {
    const rows = await connection.runAndReadAll(
      'SELECT DISTINCT tenant_id, agent_id, event_name, nested, key FROM known_properties',
    );
    for (const [tenantId, agentId, eventName, nested, key] of rows.getRows()) {
      this.keysOf(String(tenantId), String(agentId), String(eventName)).add(`${nested ? '.' : ''}${String(key)}`);
    }
  }

  private summarize(batches: SpooledBatch[]) {
    const events = new Map<string, EventRow>();
    const properties = new Map<string, PropertyRow>();
    for (const { tenantId, events: stored } of batches) {
      for (const event of stored) {
        const identity = { tenant_id: tenantId, agent_id: event.agentId, event_name: event.eventName };
        countEvent(events, identity, event.timestamp);
        const allowed = this.keysOf(tenantId, event.agentId, event.eventName);
        for (const found of keysIn(JSON.parse(event.properties) as Record<string, unknown>, '', 1)) {
          const name = `${found.nested ? '.' : ''}${found.key}`;
          if (!allowed.has(name)) {
            if (allowed.size >= MAX_KEYS_PER_EVENT) continue;
            allowed.add(name);
          }
          countProperty(properties, { ...identity, ...found });
        }
      }
    }
    return { events: [...events.values()], properties: [...properties.values()] };
  }

  private keysOf(...identity: [string, string, string]): Set<string> {
    const name = JSON.stringify(identity);
    const keys = this.keysPerEvent.get(name) ?? new Set<string>();
    this.keysPerEvent.set(name, keys);
    return keys;
  }
}

interface Identity {
  tenant_id: string;
  agent_id: string;
  event_name: string;
}
type EventRow = Identity & { events: number; first_seen: number; last_seen: number };
type FoundKey = { key: string; nested: boolean; type: JsonType };
type PropertyRow = Identity & FoundKey & { events: number };

function countEvent(rows: Map<string, EventRow>, identity: Identity, timestamp: number): void {
  const name = JSON.stringify(identity);
  const row = rows.get(name) ?? { ...identity, events: 0, first_seen: timestamp, last_seen: timestamp };
  row.events += 1;
  row.first_seen = Math.min(row.first_seen, timestamp);
  row.last_seen = Math.max(row.last_seen, timestamp);
  rows.set(name, row);
}

function countProperty(rows: Map<string, PropertyRow>, property: Omit<PropertyRow, 'events'>): void {
  const name = JSON.stringify(property);
  const row = rows.get(name) ?? { ...property, events: 0 };
  row.events += 1;
  rows.set(name, row);
}

/** The keys of an object, and with dots those of the objects inside. JSON null counts as absent. */
function* keysIn(properties: Record<string, unknown>, prefix: string, depth: number): Generator<FoundKey> {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null) continue;
    const key = prefix + name;
    if (key.length > MAX_KEY_LENGTH) continue;
    const type = typeOf(value);
    yield { key, nested: prefix !== '', type };
    if (type === 'object' && depth < MAX_NESTING) yield* keysIn(value as Record<string, unknown>, `${key}.`, depth + 1);
  }
}

function typeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

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
