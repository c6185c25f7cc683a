import type { DuckDBConnection } from '@duckdb/node-api';
import type { JsonType, KnownEvent, KnownProperty } from '../../../../core/analytics/events/store.ts';
import {
  knownProperties,
  MAX_EVENTS_PER_TENANT,
  MAX_KEYS_PER_EVENT,
  type SeenProperty,
  TYPE_BIT,
} from '../../shared/known-names.ts';
import { DUCKDB } from '../read/sql.ts';
import type { PathNode, TenantColumns } from './typed-columns.ts';

/** Keeps a statement's JSON within a few megabytes. */
const SLICE_ROWS = 5_000;

export class EventNames {
  /** Types as bits, and the rank of first appearance. */
  private readonly paths = new Map<PathNode, { bits: number; order: number }>();

  /** Returns whether the type is new; beyond the limit nothing is noted. */
  note(node: PathNode, bit: number, order: number): boolean {
    const known = this.paths.get(node);
    if (known === undefined && this.paths.size >= MAX_KEYS_PER_EVENT) return false;
    if (known === undefined) this.paths.set(node, { bits: bit, order });
    else if ((known.bits & bit) !== 0) return false;
    else known.bits |= bit;
    return true;
  }

  *[Symbol.iterator](): Generator<SeenProperty> {
    for (const [{ path }, { bits, order }] of this.paths) yield { path, bits, order };
  }
}

/** An event name of an agent in one flush. */
export interface SeenName {
  tenant: number;
  agent_id: string;
  event_name: string;
  events: number;
  first_seen: number;
  last_seen: number;
}

export interface NewProperty {
  tenant: number;
  agent_id: string;
  event_name: string;
  /** JSON text of the keys, outermost first. */
  path: string;
  type: JsonType;
}

export class KnownTenant {
  readonly paths: TenantColumns;
  private readonly events = new Map<string, EventNames>();
  private pathCount = 0;

  constructor(paths: TenantColumns) {
    this.paths = paths;
  }

  /** Null if the tenant has too many names. */
  eventNames(agentId: string, eventName: string): EventNames | null {
    const name = `${agentId}\0${eventName}`;
    const known = this.events.get(name);
    if (known) return known;
    if (this.events.size >= MAX_EVENTS_PER_TENANT) {
      this.paths.missName();
      return null;
    }
    const names = new EventNames();
    this.events.set(name, names);
    return names;
  }

  nextOrder(): number {
    return this.pathCount++;
  }

  properties(agentId: string | null, eventNames: string[]): KnownProperty[] {
    const matching = [...this.events].filter(([name]) => {
      const end = name.indexOf('\0');
      return (agentId === null || name.slice(0, end) === agentId) && eventNames.includes(name.slice(end + 1));
    });
    return knownProperties(matching.flatMap(([, names]) => [...names]));
  }

  forgetName(agentId: string, eventName: string): void {
    this.events.delete(`${agentId}\0${eventName}`);
  }
}

export async function addSeenNames(connection: DuckDBConnection, seenNames: SeenName[]): Promise<void> {
  for (const slice of slices(seenNames)) await connection.run(ADD_EVENTS, [JSON.stringify(slice)]);
}

export async function addProperties(connection: DuckDBConnection, properties: NewProperty[]): Promise<void> {
  for (const slice of slices(properties)) await connection.run(ADD_PROPERTIES, [JSON.stringify(slice)]);
}

export async function loadKnownNames(connection: DuckDBConnection, tenants: Map<number, KnownTenant>): Promise<void> {
  const events = await connection.runAndReadAll('SELECT tenant, agent_id, event_name FROM known_events');
  for (const [tenant, agentId, eventName] of events.getRows()) {
    tenants.get(Number(tenant))?.eventNames(String(agentId), String(eventName));
  }
  const keys = await connection.runAndReadAll(
    'SELECT tenant, agent_id, event_name, path, type FROM known_properties ORDER BY seen_order',
  );
  for (const [number, agentId, eventName, path, type] of keys.getRows()) {
    const tenant = tenants.get(Number(number));
    const names = tenant?.eventNames(String(agentId), String(eventName));
    let node: PathNode | null = null;
    for (const key of JSON.parse(String(path)) as string[]) node = tenant?.paths.nodeAt(node, key) ?? null;
    if (tenant && node) names?.note(node, TYPE_BIT[type as JsonType], tenant.nextOrder());
  }
}

function* slices<Item>(items: Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += SLICE_ROWS) yield items.slice(start, start + SLICE_ROWS);
}

const ADD_EVENTS = `INSERT INTO known_events
  SELECT r.tenant, r.agent_id, r.event_name, r.events, r.first_seen, r.last_seen FROM (SELECT unnest(from_json($1,
    '[{"tenant":"INTEGER","agent_id":"VARCHAR","event_name":"VARCHAR","events":"BIGINT","first_seen":"BIGINT","last_seen":"BIGINT"}]')) AS r)
  ON CONFLICT DO UPDATE SET events = events + excluded.events,
    first_seen = least(first_seen, excluded.first_seen), last_seen = greatest(last_seen, excluded.last_seen)`;

const ADD_PROPERTIES = `INSERT INTO known_properties (tenant, agent_id, event_name, path, type)
  SELECT r.tenant, r.agent_id, r.event_name, r.path, r.type FROM (SELECT unnest(from_json($1,
    '[{"tenant":"INTEGER","agent_id":"VARCHAR","event_name":"VARCHAR","path":"VARCHAR","type":"VARCHAR"}]')) AS r)`;

export async function knownEvents(
  connection: DuckDBConnection,
  tenant: number,
  agentId: string | null,
): Promise<KnownEvent[]> {
  const ofAgent = agentId === null ? '' : ` AND agent_id = ${DUCKDB.text(agentId)}`;
  const reader = await connection.runAndReadAll(
    `SELECT agent_id, event_name, events, first_seen, last_seen
    FROM known_events WHERE tenant = ${tenant}${ofAgent} ORDER BY last_seen DESC, event_name`,
  );
  return reader.getRows().map(([agent, name, ...numbers]) => {
    const [events, firstSeen, lastSeen] = numbers.map(Number) as [number, number, number];
    return { agentId: String(agent), eventName: String(name), events, firstSeen, lastSeen };
  });
}
