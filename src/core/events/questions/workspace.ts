import type { AgentService } from '../../auth/agents.ts';
import type { CardName, DashboardStore, StoredTab } from '../../dashboards/store.ts';
import type { Caller } from '../../shared/caller.ts';
import type { Effects } from '../../shared/effects.ts';
import { RuntimeError } from '../../shared/errors.ts';
import { listNames, nearestNames } from '../../shared/names.ts';
import { searchByName } from '../../shared/text-search.ts';
import type { DiscoveredEvent, DiscoveredProperty, Discovery } from '../discovery.ts';
import { formatUtc } from '../time.ts';
import { DATA_NOTICE } from './answering.ts';
import { cutsOf, fitWorkspace, type Whole } from './fit-workspace.ts';
import type { DescribeWorkspace, Workspace } from './schema.ts';

/** Events of one page: as many as a model reads at once. */
const PAGE_EVENTS = 20;
/** How closely each event is looked at: in an overview, and when it is the only one. */
const OVERVIEW = { values: 8, sample: 200 };
const SINGLE = { values: 25, sample: 500 };
/** Events looked into at once: an overview must not take every place of those who ask for numbers. */
const AT_ONCE = 4;
export interface WorkspaceParts {
  discovery: Discovery;
  dashboardStore: DashboardStore;
  agents: Pick<AgentService, 'listAll'>;
  effects: Effects;
}

/** What the caller can ask about, within the size of an answer. */
export async function describeWorkspace(
  caller: Caller,
  input: DescribeWorkspace,
  { discovery, dashboardStore, agents, effects }: WorkspaceParts,
  signal?: AbortSignal,
): Promise<Workspace> {
  const { tenantId, timezone } = caller;
  const agentId = input.agentId ?? caller.agentId;
  const asking = { search: input.eventName === undefined ? input.search : undefined, inKeys: true };
  const [known, cards, tabs, registered] = await Promise.all([
    discovery.eventNames(caller, { ...asking, agentId }),
    dashboardStore.listCardNames(tenantId, agentId),
    dashboardStore.listTabs(tenantId, agentId),
    agents.listAll(tenantId),
  ]);
  const asked = input.eventName === undefined ? known : known.filter((event) => event.eventName === input.eventName);
  const page = asked.slice(input.offset, input.offset + PAGE_EVENTS);
  const depth = asked.length === 1 ? SINGLE : OVERVIEW;
  const { events, slow } = await eventsOf(
    page,
    (eventName, values) =>
      discovery.eventProperties(caller, { agentId, eventName, values, sample: depth.sample }, signal),
    depth.values,
  );
  const whole: Whole = {
    now: formatUtc(effects.now()),
    timezone,
    agentId,
    agents: registered.map((agent) => agent.name),
    events,
    totalEventNames: asked.length,
    ...foundDashboards(tabs, cards, input.search),
  };
  const elsewhere = known.length === 0 && agentId !== null ? await agentsWithEvents(caller, discovery, asking) : [];
  const fitting = fitWorkspace(whole);
  const next = input.offset + fitting.events.length;
  return {
    ...fitting,
    ...(next < asked.length && fitting.events.length > 0 ? { nextOffset: next } : {}),
    note: [
      ...(whole.cards.length > 0 && input.search !== undefined ? [] : explained(input, agentId, known, asked)),
      ...(elsewhere.length > 0 ? [`There are events of ${listNames(elsewhere)}: set agentId.`] : []),
      ...cutsOf(whole, fitting),
      ...sampled(asked, depth),
      ...tooSlow(slow),
      DATA_NOTICE,
    ].join(' '),
  };
}

/** With `search`, the tabs and cards that are called so, and the cards of those tabs. */
function foundDashboards(tabs: StoredTab[], cards: CardName[], search = ''): Pick<Whole, 'tabs' | 'cards'> {
  const foundTabs = searchByName(tabs, ({ name }) => name, search);
  const foundCards = new Set(searchByName(cards, ({ title }) => title, search));
  const isFound = (card: CardName) => foundCards.has(card) || foundTabs.some((tab) => tab.id === card.tabId);
  return { tabs: foundTabs.map(({ id, name }) => ({ id, name })), cards: cards.filter(isFound).map(shownCard) };
}

function shownCard({ id, title, cardType, tabId }: CardName): Workspace['cards'][number] {
  return { id, title, cardType, ...(tabId === null ? {} : { tabId }) };
}

/** A key that is bound to an agent without such events may well be meant for another. */
async function agentsWithEvents(
  caller: Caller,
  discovery: Discovery,
  asking: { search: string | undefined; inKeys: boolean },
): Promise<string[]> {
  const events = await discovery.eventNames(caller, { ...asking, agentId: null });
  return [...new Set(events.flatMap(({ agents }) => agents))];
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
  const unknown =
    eventName === undefined
      ? `No event, property, card or tab is called like ${JSON.stringify(search)}${whose}.`
      : `No event ${JSON.stringify(eventName)} is known${whose}.`;
  const names = known.map((event) => event.eventName);
  const nearest = nearestNames(eventName ?? '', names);
  if (nearest.length > 0) return [unknown, `Nearest: ${listNames(nearest)}.`];
  return names.length > 0 ? [unknown, `Known: ${listNames(names)}.`] : [unknown];
}

const EVENTS_PATH = '/api/v1/runtime/v1/observability/events';

function tooSlow(eventNames: string[]): string[] {
  return eventNames.length > 0 ? [`Values of ${listNames(eventNames)} took too long to read and are left out.`] : [];
}

function sampled(asked: DiscoveredEvent[], { sample }: { sample: number }): string[] {
  return asked.length > 0 ? [`values, min and max are those of each event's newest ${sample}.`] : [];
}

type LookInto = (eventName: string, values: number) => Promise<DiscoveredProperty[]>;

/** The events with their properties, some at a time; of those that take too long the names of the properties alone. */
async function eventsOf(page: DiscoveredEvent[], lookInto: LookInto, values: number) {
  const slow: string[] = [];
  const events: Workspace['events'] = [];
  const describe = async ({ agents: _, ...event }: DiscoveredEvent) => {
    const properties = await lookInto(event.eventName, values).catch((error: unknown) => {
      // One event that is slow to read must not hide the others.
      if (!(error instanceof RuntimeError) || (error.code !== 'timeout' && error.code !== 'unavailable')) throw error;
      slow.push(event.eventName);
      return lookInto(event.eventName, 0);
    });
    return { ...event, properties };
  };
  for (let start = 0; start < page.length; start += AT_ONCE) {
    events.push(...(await Promise.all(page.slice(start, start + AT_ONCE).map(describe))));
  }
  return { events, slow };
}
