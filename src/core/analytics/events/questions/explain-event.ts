import type { EventFilter } from '../../../base/filters/filter-schema.ts';
import { alikeNames, stemsOf } from '../../../base/shared/alike-names.ts';
import { listNames } from '../../../base/shared/names.ts';
import { formatUtc } from '../../../base/time/time.ts';
import { isOfRuntime, runtimeLast } from '../discovery/discovery.ts';
import type { KnownEvent } from '../store.ts';
import type { MeasuredPlan } from './left-out.ts';

export interface NamesInQuestion {
  agentId: string | null;
  eventName: string;
  matched: number;
  /** The numerator of a rate, or the later steps of a funnel. */
  otherEventNames?: string[];
  narrowed: boolean;
  filters: EventFilter[];
  /** Keys of the groups; the events of a rate's numerator may lack some of them. */
  groupKeys?: string[];
  keys: string[];
  measured?: MeasuredPlan;
}

/** Why the event of a question has no matching events; nothing if it has some. */
export function explainEvent(name: string, everywhere: KnownEvent[], asked: NamesInQuestion): string[] {
  const here = everywhere.filter((event) => asked.agentId === null || event.agentId === asked.agentId);
  const seen = here.filter((event) => event.eventName === name);
  if (seen.length > 0) {
    if (name !== asked.eventName || asked.matched > 0) return [];
    const last = formatUtc(Math.max(...seen.map((event) => event.lastSeen)));
    const advice = asked.narrowed ? '; check the range and the filters' : '';
    return [`No event matched. ${JSON.stringify(name)} is known and was last seen at ${last}${advice}.`];
  }
  const elsewhere = everywhere.filter((event) => event.eventName === name).map((event) => event.agentId);
  if (elsewhere.length > 0) {
    const agents = listNames([...new Set(elsewhere)]);
    return [
      `${JSON.stringify(name)} was never seen for agent ${JSON.stringify(asked.agentId)}, but for ${agents}: set agentId, "*" for all.`,
    ];
  }
  if (here.length === 0 && everywhere.length > 0) return [unknownAgent(asked.agentId, everywhere)];
  return [unknownEvent(name, namesOf(here), asked.agentId)];
}

function unknownAgent(agentId: string | null, everywhere: KnownEvent[]): string {
  const agents = [...new Set(everywhere.map((event) => event.agentId))];
  const alike = alikeNames(agentId ?? '', agents);
  const known = listNames([...new Set([...alike, ...agents])]);
  return `No event has been recorded for agent ${JSON.stringify(agentId)} yet, but for ${known}: set agentId, "*" for all.`;
}

function unknownEvent(name: string, known: string[], agentId: string | null): string {
  const whose = agentId === null ? '' : ` for agent ${JSON.stringify(agentId)}`;
  if (known.length === 0) return `No event has been recorded${whose} yet.`;
  const unknown = `No event named ${JSON.stringify(name)} was ever recorded${whose}.`;
  if (ANY_EVENT.test(name)) {
    return `${unknown} A question is about one event: ask about each. Known names: ${listNames(known)}.`;
  }
  const family = familyOf(name, known);
  if (family.length > 0) return `${unknown} These names begin so, ask about one: ${listNames(family)}.`;
  const nearest = runtimeLast(alikeNames(name, known), (one) => one);
  const all = `Known names: ${listNames(known)}.`;
  if (nearest.length === 0) return `${unknown} ${all}`;
  const sentence = `${unknown} Nearest known names: ${listNames(nearest)}.`;
  const words = stemsOf(name);
  const sharesWord = nearest.some((one) => stemsOf(one).some((word) => words.includes(word)));
  // By synonyms alone, names may be alike by chance.
  return sharesWord || nearest.length === known.length ? sentence : `${sentence} ${all}`;
}

const ANY_EVENT = /^(\*|%|all|any|all[ _]events|any[ _]event)$/i;

/** The family in `runtime.chat` or `order_*`. */
function familyOf(name: string, known: string[]): string[] {
  const isFamily = name.endsWith('*') || name === 'runtime' || isOfRuntime(name);
  const prefix = name.replace(/[._]?\*?$/, '').toLowerCase();
  return isFamily ? known.filter((one) => one.toLowerCase().startsWith(prefix)) : [];
}

/** The most frequent first, the runtime's own last. */
function namesOf(events: KnownEvent[]): string[] {
  const counts = new Map<string, number>();
  for (const { eventName, events: count } of events) counts.set(eventName, (counts.get(eventName) ?? 0) + count);
  const sorted = [...counts].sort(([, one], [, other]) => other - one).map(([eventName]) => eventName);
  return runtimeLast(sorted, (eventName) => eventName);
}
