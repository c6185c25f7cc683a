import { jsonBytes, MAX_ANSWER_BYTES } from '../questions/fit.ts';
import type { Workspace } from './workspace-schema.ts';

export type WholeWorkspace = Omit<Workspace, 'note' | 'nextOffset'>;

/** The first limits with which the answer fits apply. */
const LISTED: WorkspaceLimits[] = [
  { values: 25, metrics: 100, terms: 50, segments: 50, cards: 100, tabs: 50, agents: 50 },
  { values: 5, metrics: 100, terms: 50, segments: 50, cards: 100, tabs: 50, agents: 50 },
  { values: 3, metrics: 40, terms: 20, segments: 20, cards: 40, tabs: 20, agents: 20 },
  { values: 2, metrics: 20, terms: 10, segments: 10, cards: 10, tabs: 10, agents: 10 },
  { values: 1, metrics: 20, terms: 10, segments: 10, cards: 10, tabs: 10, agents: 10 },
  { values: 0, metrics: 20, terms: 10, segments: 10, cards: 10, tabs: 10, agents: 10 },
];
/** The note repeats names of up to 200 characters. */
const NOTE_BYTES = 4_000;

interface WorkspaceLimits {
  values: number;
  metrics: number;
  terms: number;
  segments: number;
  cards: number;
  tabs: number;
  agents: number;
}

/** Shortens lists, then drops events, then properties of the last event. */
export function fitWorkspace(whole: WholeWorkspace): WholeWorkspace {
  const tooLarge = (one: WholeWorkspace) => jsonBytes(one) > MAX_ANSWER_BYTES - NOTE_BYTES;
  let fitting = whole;
  for (const limits of LISTED) {
    fitting = limited(whole, limits);
    if (!tooLarge(fitting)) return fitting;
  }
  while (tooLarge(fitting) && fitting.events.length > 1) fitting = { ...fitting, events: fitting.events.slice(0, -1) };
  const [event] = fitting.events;
  for (let kept = event?.properties ?? []; event && tooLarge(fitting) && kept.length > 0; ) {
    kept = kept.slice(0, Math.floor(kept.length * 0.9));
    fitting = { ...fitting, events: [{ ...event, properties: kept }] };
  }
  return fitting;
}

function limited(
  whole: WholeWorkspace,
  { values, metrics, terms, segments, cards, tabs, agents }: WorkspaceLimits,
): WholeWorkspace {
  return {
    ...whole,
    agents: whole.agents.slice(0, agents),
    metrics: whole.metrics.slice(0, metrics),
    terms: whole.terms.slice(0, terms),
    segments: whole.segments.slice(0, segments),
    events: whole.events.map((event) => withValues(event, values)),
    tabs: whole.tabs.slice(0, tabs),
    cards: whole.cards.slice(0, cards),
  };
}

function withValues(event: Workspace['events'][number], limit: number): Workspace['events'][number] {
  const properties = event.properties.map((property) => {
    const { values, ...rest } = property;
    if (!values || values.length <= limit) return property;
    const distinct = property.distinct ?? values.length;
    return { ...rest, ...(limit > 0 ? { values: values.slice(0, limit) } : {}), distinct };
  });
  return { ...event, properties };
}

export function cutsOf(whole: WholeWorkspace, fitting: WholeWorkspace): string[] {
  const lists = (['metrics', 'terms', 'segments', 'cards', 'tabs', 'agents'] as const).flatMap((name) => {
    const [all, kept] = [whole[name].length, fitting[name].length];
    return kept < all
      ? [
          `The first ${kept} of ${all} ${name}${name === 'cards' || name === 'metrics' ? '; use search for others' : ''}.`,
        ]
      : [];
  });
  const [event] = fitting.events;
  const all = whole.events.find((one) => one.eventName === event?.eventName)?.properties.length ?? 0;
  const values =
    mostValues(fitting) < mostValues(whole) ? ['Values were left out for room; ask for one event to see more.'] : [];
  if (!event || event.properties.length === all) return [...lists, ...values];
  const name = JSON.stringify(event.eventName);
  return [...lists, ...values, `Only the first ${event.properties.length} of ${all} properties of ${name} fit.`];
}

function mostValues({ events }: WholeWorkspace): number {
  return Math.max(0, ...events.flatMap(({ properties }) => properties.map(({ values }) => values?.length ?? 0)));
}
