import type { RenderedCard } from '../../src/charts/answer.ts';
import { tableOf } from '../../src/charts/card.ts';
import { basisInWords, notesForPeople } from '../src/card/words.ts';
import { Chart } from './chart.ts';

/** A card in the structured content of the tool's result. */
export type AnsweredCard = RenderedCard & { card: { id: string }; notes?: readonly string[] };

/** One card in an element that has its parts: heading, switch to the table, chart, data, basis and notes. */
export class CardView {
  readonly element: HTMLElement;
  private readonly chart: Chart;
  private card: AnsweredCard | undefined;
  private showsTable = false;
  private locale = '';
  private updated = '';

  constructor(element: HTMLElement) {
    this.element = element;
    this.chart = new Chart(this.part('.chart'));
    this.part('.table').addEventListener('click', () => {
      this.showsTable = !this.showsTable;
      this.draw();
    });
  }

  /** At the element's current width. `updated`: words after the basis. */
  show(card: AnsweredCard, locale: string, updated = ''): void {
    Object.assign(this, { card, locale, updated });
    this.draw();
  }

  /** Only a heading and a sentence. */
  say(title: string, sentence: string): void {
    this.card = undefined;
    this.part('.title').textContent = title;
    this.part('.basis').textContent = sentence;
    for (const name of ['.table', '.chart', '.data', '.notes']) this.part(name).hidden = true;
  }

  private draw(): void {
    const { card, locale } = this;
    if (!card) return;
    const isTable = card.card.cardType === 'table';
    const [button, data, chart, notes] = [
      this.part('.table'),
      this.part('.data'),
      this.part('.chart'),
      this.part('.notes'),
    ];
    this.part('.title').textContent = card.card.title;
    button.hidden = isTable;
    button.setAttribute('aria-pressed', String(this.showsTable));
    data.hidden = !isTable && !this.showsTable;
    chart.hidden = !data.hidden;
    if (data.hidden) this.chart.draw(card, locale);
    else data.replaceChildren(tableElement(card, locale));
    this.part('.basis').textContent = basisInWords(card.basis, locale) + this.updated;
    notes.textContent = notesForPeople(card.notes).join(' ');
    notes.hidden = notes.textContent === '';
  }

  private part(name: string): HTMLElement {
    return this.element.querySelector<HTMLElement>(name)!;
  }
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
