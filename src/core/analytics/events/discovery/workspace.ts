import type { AgentService } from '../../../access/auth/agents.ts';
import { agentToRead } from '../../../base/shared/agent.ts';
import { alikeNames } from '../../../base/shared/alike-names.ts';
import { listNames } from '../../../base/shared/names.ts';
import { searchByName } from '../../../base/shared/text-search.ts';
import { formatUtc } from '../../../base/time/time.ts';
import type { CardName, DashboardStore, StoredTab } from '../../dashboards/store.ts';
import { DATA_NOTICE } from '../questions/answer.ts';
import type { QueryContext } from '../questions/ask.ts';
import { jsonBytes, MAX_ANSWER_BYTES } from '../questions/fit.ts';
import type { MetricSource, SegmentSource } from '../questions/question.ts';
import {
  type DiscoveredEvent,
  type DiscoveredProperty,
  discoverEvents,
  discoverProperties,
  type EventNamesRequest,
  goesWithoutValues,
} from './discovery.ts';
import type { DescribeWorkspace, Workspace } from './workspace-schema.ts';

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

/** The number of events that a model reads at a time. */
const PAGE_EVENTS = 20;
const OVERVIEW = { values: 8, sample: 200 };
const SINGLE = { values: 25, sample: 500 };
/** Leaves query slots for other questions. */
const CONCURRENT_EVENTS = 4;

export interface WorkspaceParts {
  dashboards: Pick<DashboardStore, 'listCardNames' | 'listTabs'>;
  agents: Pick<AgentService, 'listAll'>;
  metrics: Pick<MetricSource, 'vocabulary'>;
  segments: Pick<SegmentSource, 'listed'>;
}

export async function describeWorkspace(
  input: DescribeWorkspace,
  { dashboards, agents, metrics, segments }: WorkspaceParts,
  context: QueryContext,
): Promise<Workspace> {
  const { tenantId, timezone } = context.caller;
  const agentId = agentToRead(context.caller, input.agentId);
  const request = { search: input.eventName === undefined ? input.search : undefined, inKeys: true };
  const [known, cards, tabs, registered, vocabulary, saved] = await Promise.all([
    discoverEvents(context, { ...request, agentId }),
    dashboards.listCardNames(tenantId, agentId),
    dashboards.listTabs(tenantId, agentId),
    agents.listAll(context.caller),
    metrics.vocabulary(context.caller, input.search),
    segments.listed(context.caller, input.search),
  ]);
  const names = known.length === 0 && input.search !== undefined ? await discoverEvents(context, { agentId }) : known;
  const asked = input.eventName === undefined ? known : known.filter((event) => event.eventName === input.eventName);
  const page = asked.slice(input.offset, input.offset + PAGE_EVENTS);
  const depth = asked.length === 1 ? SINGLE : OVERVIEW;
  const { events, unread } = await describeEvents(
    page,
    (eventName, values) => discoverProperties(context, { agentId, eventName, values, sample: depth.sample }),
    depth.values,
  );
  const whole: WholeWorkspace = {
    now: formatUtc(context.effects.now()),
    timezone,
    agentId,
    ...(context.caller.limits ? { limits: [...context.caller.limits] } : {}),
    agents: registered.map((agent) => agent.name),
    ...(input.eventName === undefined ? { ...vocabulary, segments: saved } : { metrics: [], terms: [], segments: [] }),
    events,
    totalEventNames: asked.length,
    ...foundDashboards(tabs, cards, input.search),
  };
  const elsewhere = known.length === 0 && agentId !== null ? await agentsWithEvents(context, request) : [];
  const fitting = fitWorkspace(whole);
  const next = input.offset + fitting.events.length;
  return {
    ...fitting,
    ...(next < asked.length && fitting.events.length > 0 ? { nextOffset: next } : {}),
    note: [
      ...(hasOthers(whole) && input.search !== undefined ? [] : explainNoEvents(input, agentId, names, asked)),
      ...(elsewhere.length > 0 ? [`There are events of ${listNames(elsewhere)}: set agentId.`] : []),
      ...cutsOf(whole, fitting),
      ...(asked.length > 0 ? [`values, min and max are those of each event's newest ${depth.sample}.`] : []),
      ...(unread.length > 0
        ? [`Values of ${listNames(unread)} took too long or too much memory to read and are left out.`]
        : []),
      DATA_NOTICE,
    ].join(' '),
  };
}

function hasOthers({ cards, metrics, terms, segments }: WholeWorkspace): boolean {
  return cards.length + metrics.length + terms.length + segments.length > 0;
}

/** With `search`: matching tabs and cards, and the cards in those tabs. */
function foundDashboards(tabs: StoredTab[], cards: CardName[], search = ''): Pick<WholeWorkspace, 'tabs' | 'cards'> {
  const foundTabs = searchByName(tabs, ({ name }) => name, search);
  const foundCards = new Set(searchByName(cards, ({ title }) => title, search));
  const isFound = (card: CardName) => foundCards.has(card) || foundTabs.some((tab) => tab.id === card.tabId);
  return { tabs: foundTabs.map(({ id, name }) => ({ id, name })), cards: cards.filter(isFound).map(shownCard) };
}

function shownCard({ id, title, cardType, tabId }: CardName): Workspace['cards'][number] {
  return { id, title, cardType, ...(tabId === null ? {} : { tabId }) };
}

/** The key may be bound to the wrong agent. */
async function agentsWithEvents(context: QueryContext, request: Omit<EventNamesRequest, 'agentId'>): Promise<string[]> {
  const events = await discoverEvents(context, { ...request, agentId: null });
  return [...new Set(events.flatMap(({ agents }) => agents))];
}

const EVENTS_PATH = '/api/v1/runtime/v1/observability/events';

function explainNoEvents(
  { eventName, search, offset }: DescribeWorkspace,
  agentId: string | null,
  known: DiscoveredEvent[],
  asked: DiscoveredEvent[],
): string[] {
  if (offset > 0 && offset >= asked.length) return [`Offset ${offset} is beyond the last of ${asked.length} events.`];
  if (asked.length > 0) return [];
  const whose = agentId === null ? '' : ` for agent ${JSON.stringify(agentId)}`;
  if (eventName === undefined && search === undefined) {
    return [`No event has been recorded${whose} yet; applications send them to POST ${EVENTS_PATH}.`];
  }
  const unknown =
    eventName === undefined
      ? `No metric, segment, event, property, card or tab is called like ${JSON.stringify(search)}${whose}.`
      : `No event ${JSON.stringify(eventName)} is known${whose}.`;
  const names = known.map((event) => event.eventName);
  const nearest = alikeNames(eventName ?? '', names);
  if (nearest.length > 0) return [unknown, `Nearest: ${listNames(nearest)}.`];
  return names.length > 0 ? [unknown, `Known: ${listNames(names)}.`] : [unknown];
}

type PropertiesOf = (eventName: string, values: number) => Promise<DiscoveredProperty[]>;

async function describeEvents(page: DiscoveredEvent[], propertiesOf: PropertiesOf, values: number) {
  const unread: string[] = [];
  const events: Workspace['events'] = [];
  const describe = async ({ agents: _, ...event }: DiscoveredEvent) => {
    const properties = await propertiesOf(event.eventName, values).catch((error: unknown) => {
      // One large event must not hide the others.
      if (!goesWithoutValues(error)) throw error;
      unread.push(event.eventName);
      return propertiesOf(event.eventName, 0);
    });
    return { ...event, properties };
  };
  for (let start = 0; start < page.length; start += CONCURRENT_EVENTS) {
    events.push(...(await Promise.all(page.slice(start, start + CONCURRENT_EVENTS).map(describe))));
  }
  return { events, unread };
}
