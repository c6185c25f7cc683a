import type { DiscoveredProperty } from '../events/discovery/discovery.ts';
import { discoverProperties, goesWithoutValues, isOfRuntime } from '../events/discovery/discovery.ts';
import type { QueryContext } from '../events/questions/ask.ts';
import type { KnownEvent } from '../events/store.ts';
import type { SuggestionSource } from './suggestions.ts';

/** Events that are read for the values of their properties, and values that are told apart. */
const SAMPLE = 300;
const VALUES = 12;

/** Numbers and texts that name one thing, and say nothing summed or grouped. */
const IDENTIFIER =
  /(?:^|[_.\-\s])(?:id|ids|uuid|key|zip|plz|phone|email|url|ip|hash|token|nr|no|number|year|version|index)$|[a-z](?:Id|Ids|Uuid|Url|Number)$/i;
const AMOUNT_FIRST = /amount|price|revenue|total|cost|value|betrag|preis|umsatz/i;

/** Null without an event of the tenant's own. */
export async function suggestionSource(
  known: readonly KnownEvent[],
  context: QueryContext,
): Promise<SuggestionSource | null> {
  const own = known.filter(({ eventName }) => !isOfRuntime(eventName)).sort((one, two) => two.events - one.events);
  const [first] = own;
  if (!first) return null;
  const { eventName, agentId, firstSeen, lastSeen } = first;
  const properties = await propertiesOf(first, context);
  const other = own.find((event) => event.eventName !== eventName)?.eventName ?? null;
  return { eventName, agentId, firstSeen, lastSeen, ...worthAsking(properties), other };
}

async function propertiesOf({ eventName, agentId }: KnownEvent, context: QueryContext): Promise<DiscoveredProperty[]> {
  const asked = { agentId, eventName };
  try {
    return await discoverProperties(context, { ...asked, values: VALUES, sample: SAMPLE });
  } catch (error) {
    if (!goesWithoutValues(error)) throw error;
    return discoverProperties(context, asked);
  }
}

/** The property to measure and the one to group by. */
export function worthAsking(properties: readonly DiscoveredProperty[]): Pick<SuggestionSource, 'number' | 'group'> {
  const telling = properties.filter(({ key }) => !IDENTIFIER.test(key));
  const numbers = telling.filter(({ type }) => type === 'number');
  const groups = telling.filter(
    ({ type, values = [], distinct = values.length }) =>
      (type === 'string' || type === 'boolean') && values.length > 0 && distinct <= VALUES,
  );
  const several = groups.find(({ values = [] }) => values.length > 1);
  return {
    number: (numbers.find(({ key }) => AMOUNT_FIRST.test(key)) ?? numbers[0])?.key ?? null,
    group: (several ?? groups[0])?.key ?? null,
  };
}
