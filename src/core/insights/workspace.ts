import type { AuthService } from '../auth/service.ts';
import type { Caller } from '../caller.ts';
import type { DashboardStore, StoredCard } from '../dashboards/store.ts';
import type { Effects } from '../effects.ts';
import { DATA_NOTICE } from '../events/answering.ts';
import { type DiscoveredEvent, type Discovery, SAMPLE_EVENTS } from '../events/discovery.ts';
import { bytesOf, MAX_ANSWER_BYTES } from '../events/fit.ts';
import { listNames, nearestNames } from '../events/names.ts';
import { formatUtc } from '../events/time.ts';
import type { DescribeWorkspace, Workspace } from './schema.ts';

/** Events of one page: as many as a model reads at once. */
const PAGE_EVENTS = 20;
const MAX_CARDS = 100;
const MAX_TABS = 50;
const MAX_AGENTS = 50;
/** Frequent values of each property: in an overview, and of a single event. */
const VALUES = { overview: 8, single: 25 };
/** Events looked into at once: an overview must not take every place of those who ask for numbers. */
const AT_ONCE = 4;

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
    discovery.eventNames(caller, { agentId, search: input.search }),
    dashboardStore.listCards(tenantId, agentId),
    dashboardStore.listTabs(tenantId, agentId),
    auth.listAgents(tenantId),
  ]);
  const asked = input.eventName === undefined ? known : known.filter((event) => event.eventName === input.eventName);
  const page = asked.slice(input.offset, input.offset + PAGE_EVENTS);
  const limit = asked.length === 1 ? VALUES.single : VALUES.overview;
  const events = await inTurns(page, async ({ agents: _, ...event }) => ({
    ...event,
    properties: await discovery.eventProperties(caller, { agentId, eventName: event.eventName, values: limit }, signal),
  }));
  const found = input.search === undefined ? cards : cards.filter((card) => contains(card.title, input.search!));
  return fit({
    now: formatUtc(effects.now()),
    timezone,
    agentId,
    agents: agents.slice(0, MAX_AGENTS).map((agent) => agent.name),
    events,
    totalEvents: asked.length,
    ...nextOf(input.offset + page.length, asked.length),
    tabs: tabs.slice(0, MAX_TABS).map(({ id, name }) => ({ id, name })),
    cards: found.slice(0, MAX_CARDS).map(shownCard),
    note: noteOf({ input, agentId, known, asked, cards: found, tabs: tabs.length, agents: agents.length }),
  });
}

function shownCard({ id, title, cardType, tabId }: StoredCard): Workspace['cards'][number] {
  return { id, title, cardType, ...(tabId === null ? {} : { tabId }) };
}

function nextOf(next: number, total: number): { nextOffset?: number } {
  return next < total ? { nextOffset: next } : {};
}

interface Found {
  input: DescribeWorkspace;
  agentId: string | null;
  known: DiscoveredEvent[];
  asked: DiscoveredEvent[];
  cards: StoredCard[];
  tabs: number;
  agents: number;
}

function noteOf({ input, agentId, known, asked, cards, tabs, agents }: Found): string {
  const whose = agentId === null ? '' : ` for agent ${JSON.stringify(agentId)}`;
  const sentences = [];
  if (asked.length === 0) {
    const names = known.map((event) => event.eventName);
    const nearest = input.eventName === undefined ? [] : nearestNames(input.eventName, names);
    if (input.eventName === undefined && input.search === undefined) {
      sentences.push(
        `No event has been recorded${whose} yet; applications send them to POST /api/v1/runtime/v1/observability/events.`,
      );
    } else {
      sentences.push(`No event ${JSON.stringify(input.eventName ?? input.search)} is known${whose}.`);
      if (nearest.length > 0) sentences.push(`Nearest: ${listNames(nearest)}.`);
      else if (names.length > 0) sentences.push(`Known: ${listNames(names, 20)}.`);
    }
  } else if (input.offset >= asked.length) {
    sentences.push(`Offset ${input.offset} is beyond the last of ${asked.length} events.`);
  }
  if (cards.length > MAX_CARDS)
    sentences.push(`The first ${MAX_CARDS} of ${cards.length} cards; use search for others.`);
  if (tabs > MAX_TABS) sentences.push(`The first ${MAX_TABS} of ${tabs} tabs.`);
  if (agents > MAX_AGENTS) sentences.push(`The first ${MAX_AGENTS} of ${agents} agents.`);
  if (asked.length > 0) sentences.push(`Values are the frequent ones of each event's newest ${SAMPLE_EVENTS}.`);
  return [...sentences, DATA_NOTICE].join(' ');
}

/** First fewer values, then fewer events, then fewer properties of the one that is left, until the answer fits. */
function fit(workspace: Workspace): Workspace {
  const tooLarge = (one: Workspace) => bytesOf(one) > MAX_ANSWER_BYTES - NOTE_BYTES;
  let fitting = workspace;
  for (const limit of [5, 2, 0]) {
    if (!tooLarge(fitting)) return fitting;
    fitting = { ...fitting, events: fitting.events.map((event) => withValues(event, limit)) };
  }
  const first = (workspace.nextOffset ?? workspace.totalEvents) - workspace.events.length;
  while (tooLarge(fitting) && fitting.events.length > 1) {
    const events = fitting.events.slice(0, -1);
    fitting = { ...fitting, events, nextOffset: first + events.length };
  }
  const [event] = fitting.events;
  if (!event || !tooLarge(fitting)) return fitting;
  let kept = event.properties;
  while (tooLarge(fitting) && kept.length > 0) {
    kept = kept.slice(0, Math.floor(kept.length * 0.9));
    fitting = { ...fitting, events: [{ ...event, properties: kept }] };
  }
  const cut = `Only the first ${kept.length} of ${event.properties.length} properties of ${JSON.stringify(event.eventName)} fit.`;
  return { ...fitting, note: `${cut} ${fitting.note}` };
}

/** Room for the sentence on what was cut: an event's name has up to 200 characters. */
const NOTE_BYTES = 1_000;

function withValues(event: Workspace['events'][number], limit: number): Workspace['events'][number] {
  const properties = event.properties.map(({ values, ...property }) =>
    values && limit > 0 ? { ...property, values: values.slice(0, limit) } : property,
  );
  return { ...event, properties };
}

function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

async function inTurns<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  }
  return results;
}
