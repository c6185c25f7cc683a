import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { TYPE_BIT } from '../../shared/known-names.ts';
import type { NewProperty, SeenNames } from '../../shared/seen-names.ts';

/** In the transaction that ends the flush. */
export async function saveNames(transaction: PostgresClient, seenNames: SeenNames): Promise<void> {
  const { events } = seenNames;
  await transaction.query(ADD_EVENTS, [
    events.map(({ tenant }) => tenant.tenantId),
    events.map(({ agentId }) => agentId),
    events.map(({ eventName }) => eventName),
    events.map(({ events: count }) => count),
    events.map(({ firstSeen }) => firstSeen),
    events.map(({ lastSeen }) => lastSeen),
  ]);
  const properties = merged(seenNames.properties);
  if (properties.length === 0) return;
  await transaction.query(ADD_PROPERTIES, [
    properties.map(({ tenant }) => tenant.tenantId),
    properties.map(({ agentId }) => agentId),
    properties.map(({ eventName }) => eventName),
    properties.map(({ path }) => path),
    properties.map(({ types }) => types),
  ]);
}

/** One row for each property: a statement cannot update a row twice. */
function merged(properties: NewProperty[]): (NewProperty & { types: number })[] {
  const found = new Map<string, NewProperty & { types: number }>();
  for (const property of properties) {
    const { tenant, agentId, eventName, path, type } = property;
    const key = JSON.stringify([tenant.tenantId, agentId, eventName, path]);
    const known = found.get(key);
    if (known) known.types |= TYPE_BIT[type];
    else found.set(key, { ...property, types: TYPE_BIT[type] });
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
