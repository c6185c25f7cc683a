import { listNames, nearestNames } from './names.ts';
import { fieldOf } from './predicates.ts';
import type { EventStore, KnownProperty } from './store.ts';
import { formatUtc } from './time.ts';

/** What was asked, as far as its names go. */
export interface AskedNames {
  agentId: string | null;
  eventNames: string[];
  /** Every field or property key that the question mentions. */
  keys: string[];
}

/**
 * Sentences that explain an empty or doubtful answer: names that were never seen, with the nearest that were, and for
 * known events when they were last seen. Empty when there is nothing to explain.
 */
export async function explain(
  store: EventStore,
  tenantId: string,
  asked: AskedNames,
  matched: number,
): Promise<string[]> {
  const sentences = matched > 0 ? [] : await explainEvents(store, tenantId, asked);
  const keys = [...new Set(asked.keys)].filter((key) => fieldOf(key).kind === 'property');
  if (keys.length === 0) return sentences;
  const known = await store.knownProperties(tenantId, asked.agentId, asked.eventNames);
  if (known.length === 0 && matched === 0) return sentences;
  return [...sentences, ...keys.flatMap((key) => explainKey(key, known, asked.eventNames))];
}

async function explainEvents(store: EventStore, tenantId: string, asked: AskedNames): Promise<string[]> {
  const everywhere = await store.knownEvents(tenantId, null);
  const here = everywhere.filter((event) => asked.agentId === null || event.agentId === asked.agentId);
  return asked.eventNames.map((name) => {
    const seen = here.filter((event) => event.eventName === name);
    if (seen.length > 0) {
      const last = formatUtc(Math.max(...seen.map((event) => event.lastSeen)));
      return `No event matched. ${JSON.stringify(name)} is known and was last seen at ${last}; check the range and the filters.`;
    }
    const elsewhere = everywhere.filter((event) => event.eventName === name).map((event) => event.agentId);
    if (elsewhere.length > 0) {
      return `${JSON.stringify(name)} was never seen for agent ${JSON.stringify(asked.agentId)}, but for ${listNames([...new Set(elsewhere)])}: set agentId.`;
    }
    return unknownEvent(name, [...new Set(here.map((event) => event.eventName))], asked.agentId);
  });
}

function unknownEvent(name: string, known: string[], agentId: string | null): string {
  const whose = agentId === null ? '' : ` for agent ${JSON.stringify(agentId)}`;
  if (known.length === 0) return `No event has been recorded${whose} yet.`;
  const nearest = nearestNames(name, known);
  const hint = nearest.length > 0 ? `Nearest known names: ${listNames(nearest)}.` : `Known names: ${listNames(known)}.`;
  return `No event named ${JSON.stringify(name)} was ever recorded${whose}. ${hint}`;
}

function explainKey(key: string, known: KnownProperty[], eventNames: string[]): string[] {
  const name = key.startsWith('properties.') ? key.slice('properties.'.length) : key;
  if (known.some((property) => property.key === name || reachesInto(name, property))) return [];
  const names = [...new Set(known.map((property) => property.key))];
  const on = eventNames.length > 0 ? ` on ${listNames(eventNames)}` : '';
  if (names.length === 0) return [`No property was ever seen${on}.`];
  const nearest = nearestNames(name, names);
  const hint = nearest.length > 0 ? `Nearest known keys: ${listNames(nearest)}.` : `Known keys: ${listNames(names)}.`;
  return [`No property ${JSON.stringify(name)} was ever seen${on}. ${hint}`];
}

/** Elements of arrays and deep levels are not recorded by name; a key that leads into one may well be right. */
function reachesInto(name: string, property: KnownProperty): boolean {
  return name.startsWith(`${property.key}.`) && property.types.some((type) => type === 'array' || type === 'object');
}
