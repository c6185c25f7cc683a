import type { RenderedCard } from '../../src/charts/answer.ts';
import { tableOf } from '../../src/charts/card.ts';

/** The data of a card, in an area that scrolls. */
export function tableElement(rendered: RenderedCard, locale: string): HTMLElement {
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
