import type { Caller } from '../shared/caller.ts';
import { nearestNames } from '../shared/names.ts';
import { searchByName } from '../shared/text-search.ts';
import { fieldOf, nameOfProperty, type Predicate, type PropertyPath } from './predicates.ts';
import type { AggregatePlan, RawPlan } from './query-plan.ts';
import type { EventStore, KnownEvent, KnownProperty } from './store.ts';
import { formatUtc } from './time.ts';
import { summarize, type ValueSummary } from './values.ts';

/** An event name as it was seen, over all agents asked about. */
export interface DiscoveredEvent {
  eventName: string;
  count: number;
  /** ISO 8601. */
  firstSeen: string;
  lastSeen: string;
  agents: string[];
}

/** A property key of an event (dotted where it lies inside an object), its types and what it holds. */
export interface DiscoveredProperty extends ValueSummary {
  key: string;
  type: string;
}

export interface AskedValues {
  agentId: string | null;
  eventName: string;
  propertyKey: string;
  limit: number;
}

/** What there is to ask about: names, keys, types and values. Whether the caller may ask is decided before. */
export class Discovery {
  private readonly store: EventStore;

  constructor(store: EventStore) {
    this.store = store;
  }

  /**
   * Event names, last seen first; with `search`, those that contain it, or else (`inKeys`) those with a property key that
   * does, or else those that come close.
   */
  async eventNames(
    { tenantId }: Caller,
    { agentId, search = '', inKeys = false }: { agentId: string | null; search?: string | undefined; inKeys?: boolean },
  ): Promise<DiscoveredEvent[]> {
    const events = merged(await this.store.knownEvents(tenantId, agentId));
    const matching = searchByName(events, ({ eventName }) => eventName, search);
    if (matching.length > 0) return matching;
    const keyed = inKeys ? await this.withKeysLike(search, events, tenantId, agentId) : [];
    if (keyed.length > 0) return keyed;
    const near = nearestNames(
      search,
      events.map(({ eventName }) => eventName),
    );
    return events.filter(({ eventName }) => near.includes(eventName));
  }

  /**
   * Property keys of an event, named as queries name them, in the order of their appearance; with up to `values`
   * frequent values of each, as the newest `sample` events show them.
   */
  async eventProperties(
    { tenantId }: Caller,
    {
      agentId,
      eventName,
      values,
      sample,
    }: { agentId: string | null; eventName: string; values: number; sample: number },
    signal?: AbortSignal,
  ): Promise<DiscoveredProperty[]> {
    const known = typesByName(await this.store.knownProperties(tenantId, agentId, [eventName]));
    const newest =
      known.size === 0 || values === 0 ? [] : await this.sample(tenantId, newestOf(eventName, agentId, sample), signal);
    return [...known].map(([key, types]) => ({
      key,
      type: [...types].join('|'),
      ...summarize(pathsOf(key), newest, values),
    }));
  }

  private async withKeysLike(
    search: string,
    events: DiscoveredEvent[],
    tenantId: string,
    agentId: string | null,
  ): Promise<DiscoveredEvent[]> {
    const keyed = events.map(async (event) => {
      const known = await this.store.knownProperties(tenantId, agentId, [event.eventName]);
      return { event, keys: [...typesByName(known).keys()].join('\n') };
    });
    return searchByName(await Promise.all(keyed), ({ keys }) => keys, search).map(({ event }) => event);
  }

  private async sample(tenantId: string, plan: RawPlan, signal?: AbortSignal): Promise<Record<string, unknown>[]> {
    const { rows } = await this.store.query(tenantId, plan, signal);
    return rows.map(([properties]) => properties as Record<string, unknown>);
  }

  /** The most frequent values of one property over all events, and how many different ones there are. */
  async propertyValues(
    { tenantId }: Caller,
    asked: AskedValues,
    signal?: AbortSignal,
  ): Promise<{ values: { value: unknown; count: number }[]; total: number }> {
    const { rows, total } = await this.store.query(tenantId, frequentValues(asked), signal);
    return { values: rows.map(([value, count]) => ({ value, count: count as number })), total };
  }
}

/** The most frequent values of a key, all its events counted; the store's own order among equals. */
export function frequentValues({ agentId, eventName, propertyKey, limit }: AskedValues): AggregatePlan {
  const field = fieldOf(propertyKey);
  const present: Predicate = { field, test: { kind: 'present' }, negated: false };
  return {
    kind: 'aggregate',
    selection: { agentId, eventNames: [eventName], from: null, to: null, predicates: [present] },
    groupBy: [field],
    bucket: null,
    metrics: [{ aggregation: 'count', field: null }],
    top: null,
    sort: { by: 'metric', index: 0, descending: true },
    limit,
    offset: 0,
  };
}

/** A key may be known twice: as it stands, and as the way into an object. An object is told by the keys inside it,
 * where they are known. */
function typesByName(known: KnownProperty[]): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>();
  for (const property of known) {
    const isOnlyObject = property.types.length === 1 && property.types[0] === 'object';
    if (isOnlyObject && known.some(({ key }) => key.startsWith(`${property.key}.`))) continue;
    const name = nameOfProperty(property.key);
    types.set(name, new Set([...(types.get(name) ?? []), ...property.types]));
  }
  return types;
}

function pathsOf(name: string): PropertyPath[] {
  const field = fieldOf(name);
  return field.kind === 'property' ? field.paths : [];
}

function newestOf(eventName: string, agentId: string | null, limit: number): RawPlan {
  return {
    kind: 'raw',
    selection: { agentId, eventNames: [eventName], from: null, to: null, predicates: [] },
    columns: [{ kind: 'properties' }],
    sort: { field: fieldOf('timestamp'), descending: true },
    limit,
    offset: 0,
  };
}

/** One entry for each name, whichever agents it comes from. */
function merged(known: KnownEvent[]): DiscoveredEvent[] {
  const byName = new Map<string, KnownEvent[]>();
  for (const event of known) byName.set(event.eventName, [...(byName.get(event.eventName) ?? []), event]);
  return [...byName].map(([eventName, seen]) => ({
    eventName,
    count: seen.reduce((sum, { events }) => sum + events, 0),
    firstSeen: formatUtc(Math.min(...seen.map((event) => event.firstSeen))),
    lastSeen: formatUtc(Math.max(...seen.map((event) => event.lastSeen))),
    agents: seen.map((event) => event.agentId),
  }));
}
