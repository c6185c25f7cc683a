import type { AuthService } from '../auth/service.ts';
import type { Caller } from '../caller.ts';
import type { CardName, DashboardStore, StoredTab } from '../dashboards/store.ts';
import type { Effects } from '../effects.ts';
import { RuntimeError } from '../errors.ts';
import { DATA_NOTICE } from '../events/answering.ts';
import type { DiscoveredEvent, Discovery } from '../events/discovery.ts';
import { bytesOf, MAX_ANSWER_BYTES } from '../events/fit.ts';
import { formatUtc } from '../events/time.ts';
import { containsText, listNames, nearestNames } from '../names.ts';
import type { DescribeWorkspace, Workspace } from './schema.ts';

/** Events of one page: as many as a model reads at once. */
const PAGE_EVENTS = 20;
/** How closely each event is looked at: in an overview, and when it is the only one. */
const OVERVIEW = { values: 8, sample: 200 };
const SINGLE = { values: 25, sample: 500 };
/** Events looked into at once: an overview must not take every place of those who ask for numbers. */
const AT_ONCE = 4;
/** What is listed when there is room, and what is left of it when there is not. */
const LISTED: Limits[] = [
  { values: 25, cards: 100, tabs: 50, agents: 50 },
  { values: 5, cards: 100, tabs: 50, agents: 50 },
  { values: 3, cards: 40, tabs: 20, agents: 20 },
  { values: 2, cards: 10, tabs: 10, agents: 10 },
  { values: 1, cards: 10, tabs: 10, agents: 10 },
  { values: 0, cards: 10, tabs: 10, agents: 10 },
];
/** Room for the note, which repeats names of up to 200 characters. */
const NOTE_BYTES = 4_000;

interface Limits {
  values: number;
  cards: number;
  tabs: number;
  agents: number;
}

export interface WorkspaceParts {
  discovery: Discovery;
  dashboardStore: DashboardStore;
  auth: AuthService;
  effects: Effects;
}

/** What the caller can ask about, within the size of an answer. */
export async function describeWorkspace(
  caller: Caller,
  input: DescribeWorkspace,
  { discovery, dashboardStore, auth, effects }: WorkspaceParts,
  signal?: AbortSignal,
): Promise<Workspace> {
  const { tenantId, timezone } = caller;
  const agentId = input.agentId ?? caller.agentId;
  const [known, cards, tabs, agents] = await Promise.all([
    discovery.eventNames(caller, { agentId, search: input.eventName === undefined ? input.search : undefined }),
    dashboardStore.listCardNames(tenantId, agentId),
    dashboardStore.listTabs(tenantId, agentId),
    auth.listAgents(tenantId),
  ]);
  const asked = input.eventName === undefined ? known : known.filter((event) => event.eventName === input.eventName);
  const page = asked.slice(input.offset, input.offset + PAGE_EVENTS);
  const depth = asked.length === 1 ? SINGLE : OVERVIEW;
  const slow: string[] = [];
  const propertiesOf = async (eventName: string) => {
    const look = (values: number) =>
      discovery.eventProperties(caller, { agentId, eventName, ...depth, values }, signal);
    try {
      return await look(depth.values);
    } catch (error) {
      // One event that is slow to read must not hide the others.
      if (!(error instanceof RuntimeError) || (error.code !== 'timeout' && error.code !== 'unavailable')) throw error;
      slow.push(eventName);
      return look(0);
    }
  };
  const events = await inTurns(page, async ({ agents: _, ...event }) => ({
    ...event,
    properties: await propertiesOf(event.eventName),
  }));
  const whole: Whole = {
    now: formatUtc(effects.now()),
    timezone,
    agentId,
    agents: agents.map((agent) => agent.name),
    events,
    totalEventNames: asked.length,
    ...foundDashboards(tabs, cards, input.search),
  };
  const fitting = fit(whole);
  const next = input.offset + fitting.events.length;
  return {
    ...fitting,
    ...(next < asked.length && fitting.events.length > 0 ? { nextOffset: next } : {}),
    note: [
      ...(asked.length === 0 && input.search !== undefined && whole.cards.length > 0
        ? []
        : explained(input, agentId, known, asked)),
      ...cuts(whole, fitting),
      ...sampled(asked, depth),
      ...tooSlow(slow),
      DATA_NOTICE,
    ].join(' '),
  };
}

type Whole = Omit<Workspace, 'note' | 'nextOffset'>;

/** With `search`, the tabs and cards that are called so, and the cards of those tabs. */
function foundDashboards(tabs: StoredTab[], cards: CardName[], search = ''): Pick<Whole, 'tabs' | 'cards'> {
  const foundTabs = tabs.filter(({ name }) => containsText(name, search));
  const isFound = (card: CardName) =>
    containsText(card.title, search) || foundTabs.some((tab) => tab.id === card.tabId);
  return { tabs: foundTabs.map(({ id, name }) => ({ id, name })), cards: cards.filter(isFound).map(shownCard) };
}

function shownCard({ id, title, cardType, tabId }: CardName): Workspace['cards'][number] {
  return { id, title, cardType, ...(tabId === null ? {} : { tabId }) };
}

/** Why there are no events to show. */
function explained(
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
  const unknown = `No event ${JSON.stringify(eventName ?? search)} is known${whose}.`;
  const names = known.map((event) => event.eventName);
  const nearest = nearestNames(eventName ?? '', names);
  if (nearest.length > 0) return [unknown, `Nearest: ${listNames(nearest)}.`];
  return names.length > 0 ? [unknown, `Known: ${listNames(names)}.`] : [unknown];
}

const EVENTS_PATH = '/api/v1/runtime/v1/observability/events';

/** What was left out. */
function cuts(whole: Whole, fitting: Whole): string[] {
  const lists = (['cards', 'tabs', 'agents'] as const).flatMap((name) => {
    const [all, kept] = [whole[name].length, fitting[name].length];
    return kept < all
      ? [`The first ${kept} of ${all} ${name}${name === 'cards' ? '; use search for others' : ''}.`]
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

function tooSlow(eventNames: string[]): string[] {
  return eventNames.length > 0 ? [`Values of ${listNames(eventNames)} took too long to read and are left out.`] : [];
}

function mostValues({ events }: Whole): number {
  return Math.max(0, ...events.flatMap(({ properties }) => properties.map(({ values }) => values?.length ?? 0)));
}

function sampled(asked: DiscoveredEvent[], { sample }: { sample: number }): string[] {
  return asked.length > 0 ? [`values, min and max are those of each event's newest ${sample}.`] : [];
}

/** Shorter lists, then fewer events, then fewer properties of the one that is left, until the answer fits. */
function fit(whole: Whole): Whole {
  const tooLarge = (one: Whole) => bytesOf(one) > MAX_ANSWER_BYTES - NOTE_BYTES;
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

function limited(whole: Whole, { values, cards, tabs, agents }: Limits): Whole {
  return {
    ...whole,
    agents: whole.agents.slice(0, agents),
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

async function inTurns<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}
