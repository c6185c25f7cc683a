import { agentToRead } from '../../../base/shared/agent.ts';
import { alikeNames } from '../../../base/shared/alike-names.ts';
import { RuntimeError } from '../../../base/shared/errors.ts';
import { searchByName } from '../../../base/shared/text-search.ts';
import { formatUtc } from '../../../base/time/time.ts';
import { RESERVED_EVENT_PREFIX, TOOL_CALLED } from '../fields.ts';
import { fieldOf, nameOfProperty, type Predicate, type PropertyPath } from '../predicates.ts';
import { type AggregatePlan, aggregatePlan, type RawPlan } from '../query-plan.ts';
import type { QueryContext } from '../questions/ask.ts';
import type { KnownEvent, KnownProperty } from '../store.ts';
import { MAX_VALUES } from './workspace-schema.ts';

export interface ValueSummary {
  /** Most frequent first; a few examples if hardly any value repeats. */
  values?: (string | number | boolean)[];
  min?: number;
  max?: number;
  /** Set when `values` does not list all. */
  distinct?: number;
}

const MAX_TEXT = 60;
const EXAMPLES = 3;

/** Takes the first path that an event has. */
export function summarize(paths: PropertyPath[], sample: Record<string, unknown>[], maximum: number): ValueSummary {
  const counts = new Map<string | number | boolean, number>();
  for (const properties of sample) {
    for (const value of scalarsOf(firstOf(paths, properties))) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  if (counts.size === 0 || maximum === 0) return {};
  const numbers = [...counts.keys()].filter((value) => typeof value === 'number');
  const ranked = [...counts].sort(([, one], [, other]) => other - one);
  const repeats = (ranked[0]?.[1] ?? 0) > 1 && counts.size <= sample.length / 2;
  const range = numbers.length > 0 ? { min: smallest(numbers), max: -smallest(numbers.map((value) => -value)) } : {};
  if (numbers.length === counts.size && (counts.size > maximum || !repeats)) return range;
  const shown = ranked
    .slice(0, counts.size <= maximum || repeats ? maximum : EXAMPLES)
    .map(([value]) => shorten(value));
  return { values: shown, ...range, ...(counts.size > shown.length ? { distinct: counts.size } : {}) };
}

function smallest(numbers: number[]): number {
  return numbers.reduce((least, value) => Math.min(least, value));
}

function firstOf(paths: PropertyPath[], properties: Record<string, unknown>): unknown {
  return paths.map((path) => reach(properties, path)).find((value) => value !== undefined && value !== null);
}

function reach(properties: Record<string, unknown>, path: PropertyPath): unknown {
  return path.reduce<unknown>((value, key) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    return isObject ? (value as Record<string, unknown>)[key] : undefined;
  }, properties);
}

function scalarsOf(value: unknown): (string | number | boolean)[] {
  return [value].flat().filter((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean');
}

function shorten(value: string | number | boolean): string | number | boolean {
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT).toWellFormed()}…`;
}

export interface DiscoveredEvent {
  eventName: string;
  count: number;
  /** ISO 8601. */
  firstSeen: string;
  lastSeen: string;
  agents: string[];
}

export interface DiscoveredProperty extends ValueSummary {
  key: string;
  type: string;
}

interface OfAgent {
  /** Default: the caller's. Null: all agents. */
  agentId?: string | null | undefined;
}

export interface EventNamesRequest extends OfAgent {
  search?: string | undefined;
  inKeys?: boolean;
}

export interface PropertiesRequest extends OfAgent {
  eventName: string;
  /** Frequent values per property, by default none. */
  values?: number;
  /** Number of newest events to read for values. */
  sample?: number;
}

export interface ValuesRequest extends OfAgent {
  eventName: string;
  propertyKey: string;
  limit?: number;
}

/**
 * Last seen first, the runtime's own last. Without a match: events with a matching key (`inKeys`),
 * or similar names.
 */
export async function discoverEvents(
  { store, caller }: QueryContext,
  { agentId: named, search = '', inKeys = false }: EventNamesRequest,
): Promise<DiscoveredEvent[]> {
  const agentId = agentToRead(caller, named);
  const { tenantId } = caller;
  const known = listed(await store.knownEvents(tenantId, agentId), search);
  const events = runtimeLast(merged(known), ({ eventName }) => eventName);
  const matching = searchByName(events, ({ eventName }) => eventName, search);
  if (matching.length > 0) return matching;
  if (inKeys) {
    const withKeys: { event: DiscoveredEvent; keys: string }[] = [];
    // One after the other: for a caller with a row limit each is a question.
    for (const event of events) {
      const known = await store.knownProperties(tenantId, agentId, [event.eventName]);
      withKeys.push({ event, keys: [...typesByName(known).keys()].join('\n') });
    }
    const keyed = searchByName(withKeys, ({ keys }) => keys, search);
    if (keyed.length > 0) return keyed.map(({ event }) => event);
  }
  const byName = new Map(events.map((event) => [event.eventName, event]));
  return alikeNames(search, [...byName.keys()]).map((name) => byName.get(name)!);
}

export async function discoverProperties(
  { store, caller, signal }: QueryContext,
  { agentId: named, eventName, values = 0, sample = 0 }: PropertiesRequest,
): Promise<DiscoveredProperty[]> {
  const agentId = agentToRead(caller, named);
  const known = typesByName(await store.knownProperties(caller.tenantId, agentId, [eventName]));
  const { rows } =
    known.size === 0 || values === 0
      ? { rows: [] }
      : await store.query(caller.tenantId, newestOf(eventName, agentId, sample), signal);
  const newest = rows.map(([properties]) => properties as Record<string, unknown>);
  return [...known].map(([key, types]) => ({
    key,
    type: [...types].join('|'),
    ...summarize(pathsOf(key), newest, values),
  }));
}

export async function discoverValues(
  { store, caller, signal }: QueryContext,
  { agentId: named, eventName, propertyKey, limit = MAX_VALUES }: ValuesRequest,
): Promise<{ values: { value: unknown; count: number }[]; total: number }> {
  const agentId = agentToRead(caller, named);
  const plan = frequentValues(agentId, eventName, propertyKey, limit);
  const { rows, total } = await store.query(caller.tenantId, plan, signal);
  return { values: rows.map(([value, count]) => ({ value, count: count as number })), total };
}

/**
 * Whether a remark that needs values goes without them: reading took too long, or more memory than
 * there is.
 */
export function goesWithoutValues(error: unknown): boolean {
  return error instanceof RuntimeError && ['timeout', 'unavailable', 'unprocessable'].includes(error.code);
}

export function frequentValues(
  agentId: string | null,
  eventName: string,
  propertyKey: string,
  limit: number,
): AggregatePlan {
  const field = fieldOf(propertyKey);
  const present: Predicate = { field, test: { kind: 'present' }, negated: false };
  return aggregatePlan({
    selection: { agentId, eventNames: [eventName], from: null, to: null, predicates: [present] },
    groupBy: [field],
    metrics: [{ aggregation: 'count', field: null }],
    limit,
  });
}

/** A key may be known literally and as a path. Known inner keys replace their object. */
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

/** JSON of the sample: of large events fewer are read. */
const SAMPLE_BYTES = 1024 * 1024;

function newestOf(eventName: string, agentId: string | null, limit: number): RawPlan {
  return {
    kind: 'raw',
    selection: { agentId, eventNames: [eventName], from: null, to: null, predicates: [] },
    columns: [{ kind: 'properties' }],
    sort: { field: fieldOf('timestamp'), descending: true },
    limit,
    offset: 0,
    page: SAMPLE_BYTES,
  };
}

/**
 * Calls of tools say nothing of the business, and every agent makes them: they are listed where
 * they are asked for.
 */
export function listed(known: KnownEvent[], asked: string): KnownEvent[] {
  return asked.includes('tool') ? known : known.filter(({ eventName }) => eventName !== TOOL_CALLED);
}

export function runtimeLast<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const isOwn = (item: Item) => isOfRuntime(nameOf(item));
  return [...items.filter((item) => !isOwn(item)), ...items.filter(isOwn)];
}

export function isOfRuntime(eventName: string): boolean {
  return eventName.startsWith(RESERVED_EVENT_PREFIX);
}

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
