import './card.css';
import { Dates } from '../../src/charts/dates.ts';
import { knownLocale } from '../../src/charts/locale.ts';
import { setChartColours } from '../src/card/drawing.ts';
import { type AnsweredCard, CardView } from './card-view.ts';
import { Host, type HostContext, type Notified, type ToolResult } from './host.ts';

/*
 * The view in which a host of MCP Apps shows the answer of render_dashboard_card: a card, or the cards of a tab. The
 * tool's result contains the data, which the view writes as text, never as markup.
 */

/** The version of the program; the build sets it. */
declare const VERSION: string;

type FailedCard = { card: { title: string; cardType: string }; error: string };
interface AnsweredTab {
  tab: { id: string; name: string };
  cards: (AnsweredCard | FailedCard)[];
}

const TOOL = 'render_dashboard_card';
/** In a tab, other types take the whole width. */
const NARROW = new Set(['number', 'rate', 'gauge', 'pie']);

const part = (name: string) => document.querySelector<HTMLElement>(name)!;
const [message, grid, refreshButton] = [part('#message'), part('#cards'), part('#refresh')];
const template = document.querySelector<HTMLTemplateElement>('template')!;
const single = new CardView(part('main'));

let context: HostContext = {};
let answer: AnsweredCard | AnsweredTab | undefined;
/** The views of the tab's cards, in their order. */
let views: CardView[] = [];
/** The time at which the data arrived. */
let updatedAt = '';
/** The card or tab that the model asked for. */
let asked: { cardId?: string } | { tab?: string } = {};

const notified: Notified = new Map<string, (params: never) => void>([
  [
    'ui/notifications/tool-input',
    ({ arguments: input }: { arguments?: { cardId?: unknown; tab?: unknown } }) => {
      if (typeof input?.cardId === 'string') asked = { cardId: input.cardId };
      else if (typeof input?.tab === 'string') asked = { tab: input.tab };
    },
  ],
  ['ui/notifications/tool-result', (result: ToolResult) => take(result)],
  ['ui/notifications/tool-cancelled', () => say('The call was cancelled.')],
  ['ui/notifications/host-context-changed', (changed: HostContext) => adopt(changed)],
]);
const host = new Host(notified);

function adopt(changed: HostContext): void {
  context = { ...context, ...changed };
  if (context.theme) document.documentElement.dataset.theme = context.theme;
  show();
}

function take({ isError, content = [], structuredContent: data }: ToolResult): void {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n');
  if (isError) {
    say(text || 'The card could not be rendered.', true);
  } else if (!isTab(data) && !isCard(data)) {
    say('The host did not pass on the data of this card. Try Refresh.', true);
  } else {
    answer = data;
    asked = isTab(data) ? { tab: data.tab.id } : { cardId: data.card.id };
    updatedAt = new Date().toISOString();
    arrange();
    say('');
    show();
  }
}

function isCard(value: unknown): value is AnsweredCard {
  const { card, data, basis } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [card, data, basis].every((member) => typeof member === 'object' && member !== null);
}

function isTab(value: unknown): value is AnsweredTab {
  const { tab, cards } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof tab === 'object' && tab !== null && Array.isArray(cards);
}

/** Makes a view for each card of a tab, unless there are as many. */
function arrange(): void {
  const cards = isTab(answer) ? answer.cards : [];
  if (cards.length !== views.length) {
    views = cards.map(() => new CardView(template.content.firstElementChild!.cloneNode(true) as HTMLElement));
    grid.replaceChildren(...views.map(({ element }) => element));
  }
  for (const [at, { card }] of cards.entries()) views[at]!.element.classList.toggle('wide', !NARROW.has(card.cardType));
  grid.hidden = cards.length === 0;
}

function say(text: string, isFault = false): void {
  message.textContent = text;
  message.classList.toggle('fault', isFault);
}

function show(): void {
  if (!answer) return;
  const locale = context.locale ?? navigator.language;
  // A preview is of no saved card.
  refreshButton.hidden = isCard(answer) && answer.card.id === 'preview';
  if (!isTab(answer)) {
    single.show(answer, locale, ` · ${updated(locale)}`);
    return;
  }
  single.say(answer.tab.name, answer.cards.length === 0 ? 'This tab has no cards.' : updated(locale));
  for (const [at, one] of answer.cards.entries()) {
    if ('error' in one) views[at]!.say(one.card.title, one.error);
    else views[at]!.show(one, locale);
  }
}

function updated(locale: string): string {
  const zone = context.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return `updated ${new Dates(knownLocale(locale), zone).moment(updatedAt)}`;
}

async function refresh(): Promise<void> {
  if (refreshButton.ariaDisabled === 'true') return;
  refreshButton.ariaDisabled = 'true';
  say('Refreshing …');
  try {
    take(await host.callTool(TOOL, asked));
  } catch (error) {
    say((error as Error).message, true);
  } finally {
    refreshButton.ariaDisabled = 'false';
  }
}

function sendSize(): void {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  host.notify('ui/notifications/size-changed', { width: window.innerWidth, height });
}

setChartColours();
refreshButton.addEventListener('click', () => void refresh());

try {
  adopt(await host.connect({ name: 'agent-runtime-card', version: VERSION }));
  let width = 0;
  new ResizeObserver(() => {
    // The height changes with the content; only a new width needs another drawing.
    if (width !== window.innerWidth) show();
    width = window.innerWidth;
    sendSize();
  }).observe(document.body);
} catch (error) {
  say((error as Error).message, true);
}
