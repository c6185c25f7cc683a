import './card.css';
import type { RenderedCard } from '../../src/charts/answer.ts';
import { tableOf } from '../../src/charts/card.ts';
import { Dates } from '../../src/charts/dates.ts';
import { knownLocale } from '../../src/charts/locale.ts';
import { setChartColours } from '../src/card/drawing.ts';
import { basisInWords, notesForPeople } from '../src/card/words.ts';
import { Chart } from './chart.ts';
import { Host, type HostContext, type Notified, type ToolResult } from './host.ts';

/*
 * The view in which a host of MCP Apps shows the answer of render_dashboard_card. The tool's result contains the data,
 * which the view writes as text, never as markup.
 */

/** The version of the program; the build sets it. */
declare const VERSION: string;

/** The structured content of the tool's result. */
type AnsweredCard = RenderedCard & { card: { id: string }; notes?: readonly string[] };

const TOOL = 'render_dashboard_card';

const part = (name: string) => document.querySelector<HTMLElement>(name)!;
const [title, message, basis, notes] = [part('h1'), part('#message'), part('#basis'), part('#notes')];
const [tableButton, refreshButton] = [part('#table'), part('#refresh')];
const [chartBox, data] = [part('#chart'), part('#data')];
const chart = new Chart(chartBox);

let context: HostContext = {};
let card: AnsweredCard | undefined;
/** The time at which the data of the card arrived. */
let updatedAt = '';
/** The card that the model asked for. */
let cardId: string | undefined;
let showsTable = false;

const notified: Notified = new Map<string, (params: never) => void>([
  [
    'ui/notifications/tool-input',
    ({ arguments: input }: { arguments?: { cardId?: unknown } }) => {
      if (typeof input?.cardId === 'string') cardId = input.cardId;
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

function take({ isError, content = [], structuredContent }: ToolResult): void {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n');
  if (isError) {
    say(text || 'The card could not be rendered.', true);
  } else if (!isCard(structuredContent)) {
    say('The host did not pass on the data of this card. Try Refresh.', true);
  } else {
    card = structuredContent;
    cardId = structuredContent.card.id;
    updatedAt = new Date().toISOString();
    say('');
    show();
  }
}

function isCard(value: unknown): value is AnsweredCard {
  const { card, data, basis } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [card, data, basis].every((member) => typeof member === 'object' && member !== null);
}

function say(text: string, isFault = false): void {
  message.textContent = text;
  message.classList.toggle('fault', isFault);
}

function show(): void {
  if (!card) return;
  const locale = context.locale ?? navigator.language;
  const isTable = card.card.cardType === 'table';
  title.textContent = card.card.title;
  tableButton.hidden = isTable;
  // A preview is of no saved card.
  refreshButton.hidden = cardId === 'preview';
  tableButton.setAttribute('aria-pressed', String(showsTable));
  data.hidden = !isTable && !showsTable;
  chartBox.hidden = !data.hidden;
  if (data.hidden) chart.draw(card, locale);
  else data.replaceChildren(tableElement(card, locale));
  basis.textContent = basisText(card, locale);
  notes.textContent = notesForPeople(card.notes).join(' ');
  notes.hidden = notes.textContent === '';
}

function basisText({ basis }: RenderedCard, locale: string): string {
  const zone = context.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const updated = new Dates(knownLocale(locale), zone).moment(updatedAt);
  return `${basisInWords(basis, locale)} · updated ${updated}`;
}

async function refresh(): Promise<void> {
  if (refreshButton.ariaDisabled === 'true') return;
  refreshButton.ariaDisabled = 'true';
  say('Refreshing …');
  try {
    take(await host.callTool(TOOL, { cardId }));
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
tableButton.addEventListener('click', () => {
  showsTable = !showsTable;
  show();
});
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

/** The data of a card, in an area that scrolls. */
function tableElement(rendered: RenderedCard, locale: string): HTMLElement {
  const { columns, rows } = tableOf(rendered, locale);
  const table = document.createElement('table');
  const head = table.createTHead().insertRow();
  for (const { label, align } of columns) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    head.append(filled(cell, label, align));
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const [index, text] of row.entries()) filled(line.insertCell(), text, columns[index]?.align);
  }
  const area = document.createElement('div');
  area.tabIndex = 0;
  area.setAttribute('role', 'region');
  area.setAttribute('aria-label', 'Data');
  area.append(table);
  return area;
}

function filled(cell: HTMLTableCellElement, text: string, align: 'left' | 'right' | undefined): HTMLTableCellElement {
  cell.textContent = text;
  cell.dir = 'auto';
  if (align === 'right') cell.className = 'number';
  return cell;
}
