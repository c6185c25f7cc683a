import { api, type Schemas } from '../api/client.ts';
import type { Suggestion } from '../ui/combobox.tsx';
import { EVENT_FIELDS } from './words.ts';

const MAX_NAMES = 1_000;
const MAX_VALUES = 100;
const numbers = new Intl.NumberFormat();

export type KnownEvent = Schemas['DiscoveredEvent'];
export type KnownProperty = Schemas['DiscoveredProperty'];

/** The events of an agent, or of all, last seen first. */
export function useKnownEvents(agent: string | undefined): KnownEvent[] {
  const query = { limit: MAX_NAMES, ...(agent === undefined ? {} : { agentId: agent }) };
  return api.useQuery('get', '/api/v1/portal/event-names', { params: { query } }).data?.eventNames ?? [];
}

/** The properties of an event, once its name is complete. */
export function useProperties(eventName: string, agent: string | undefined): KnownProperty[] {
  const isKnown = useKnownEvents(agent).some((event) => event.eventName === eventName);
  const query = { eventName, ...(agent === undefined ? {} : { agentId: agent }) };
  const found = api.useQuery('get', '/api/v1/portal/event-properties', { params: { query } }, { enabled: isKnown });
  return (isKnown && found.data?.properties) || [];
}

/** The frequent values of a property that the event has. */
export function useValues(eventName: string, propertyKey: string, agent: string | undefined): Suggestion[] {
  const isKnown = useProperties(eventName, agent).some(({ key }) => key === propertyKey);
  const query = { eventName, propertyKey, limit: MAX_VALUES, ...(agent === undefined ? {} : { agentId: agent }) };
  const found = api.useQuery('get', '/api/v1/portal/property-values', { params: { query } }, { enabled: isKnown });
  if (!isKnown) return [];
  const scalars = (found.data?.values ?? []).filter(({ value }) => value !== null && typeof value !== 'object');
  // The number 1 and the text "1" are read alike.
  const counts = new Map<string, number>();
  for (const { value, count } of scalars) counts.set(String(value), (counts.get(String(value)) ?? 0) + count);
  return [...counts].map(([value, count]) => ({ value, aside: numbers.format(count) }));
}

export function eventSuggestions(events: readonly KnownEvent[]): Suggestion[] {
  return events.map(({ eventName, count }) => ({ value: eventName, aside: numbers.format(count) }));
}

/** With the properties that numbers are computed from first if `numericFirst`, and the fields of every event last if `withFields`. */
export function propertySuggestions(
  properties: readonly KnownProperty[],
  { numericFirst = false, withFields = false }: { numericFirst?: boolean; withFields?: boolean } = {},
): Suggestion[] {
  const isNumeric = ({ type }: KnownProperty) => type.split('|').includes('number');
  const sorted = numericFirst
    ? [...properties.filter(isNumeric), ...properties.filter((one) => !isNumeric(one))]
    : properties;
  const known = sorted.map(({ key, type }) => ({ value: key, aside: type.replaceAll('|', ' or ') }));
  if (!withFields) return known;
  const fields = EVENT_FIELDS.filter((field) => !known.some(({ value }) => value === field));
  return [...known, ...fields.map((value) => ({ value, aside: 'of every event' }))];
}
