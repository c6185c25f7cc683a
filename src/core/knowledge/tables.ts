import type { Field } from './hygiene.ts';

/** A part of a text whose beginning every chunk of it repeats. */
export interface Titled {
  start: number;
  /** Where its rows begin. */
  body: number;
  end: number;
  /** The name of its values: the header of a table, or the name of a field. */
  title: string;
}

/** Characters; a longer title is not repeated. */
const MAX_TITLE = 1_024;
const MAX_LINE = 16_384;

const DELIMITERS = /^[\s>]*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)*(?:\|\s*)?$/;

/**
 * Tables of Markdown and HTML with a header, in their order. `open`: the title of one that began
 * before the text.
 */
export function titledTables(text: string, open?: string): Titled[] {
  const found: Titled[] = open === undefined ? [] : [{ start: 0, body: 0, end: rowsEnd(text, 0), title: open }];
  if (text.includes('|')) found.push(...markdownTables(text));
  if (/<th/i.test(text)) found.push(...htmlTables(text));
  return found.sort((one, other) => one.start - other.start);
}

/** Long values of a record, of which each part repeats the name. */
export function fieldsIn(fields: readonly Field[]): Titled[] {
  let at = 0;
  return fields.flatMap(([name, value]) => {
    const start = at;
    const title = name === '' ? '' : `${name}: `;
    at += title.length + value.length + 1;
    const body = start + title.length;
    return title === '' || title.length > MAX_TITLE ? [] : [{ start, body, end: body + value.length, title }];
  });
}

/** The title of the table in which the text ends; undefined: it ends outside of any. */
export function openTable(text: string, open?: string): string | undefined {
  if (/\n[ \t>]*\n\s*$/.test(text.slice(-1_000))) return undefined;
  const end = text.trimEnd().length;
  return titledTables(text, open).find((table) => table.body <= end && table.end >= end)?.title;
}

function markdownTables(text: string): Titled[] {
  const found: Titled[] = [];
  let header = { start: 0, line: '' };
  for (let at = 0; at < text.length; ) {
    const next = lineEnd(text, at);
    const line = text.slice(at, Math.min(next, at + MAX_LINE));
    if (header.line.includes('|') && line.includes('|') && DELIMITERS.test(line)) {
      const title = `${tidy(header.line)}\n${tidy(line).replace(/-+/g, '---')}\n`;
      const end = rowsEnd(text, next);
      if (title.length <= MAX_TITLE) found.push({ start: header.start, body: next, end, title });
      at = Math.max(end, next);
      header = { start: at, line: '' };
    } else {
      header = { start: at, line };
      at = next;
    }
  }
  return found;
}

/** The rest of a table: up to a line without a cell. */
function rowsEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const next = lineEnd(text, at);
    const bar = text.indexOf('|', at);
    if (bar === -1 || bar >= next) break;
    at = next;
  }
  return at;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

function tidy(line: string): string {
  return line.trim().replace(/[ \t]+/g, ' ');
}

function htmlTables(text: string): Titled[] {
  const found: Titled[] = [];
  const tags = /<table\b|<\/(?:thead|tr|table)\s*>/gi;
  let start = -1;
  let body = -1;
  for (const { 0: tag, index } of text.matchAll(tags)) {
    const name = tag.toLowerCase();
    if (name === '<table') [start, body] = [index, -1];
    else if (start >= 0 && name.startsWith('</table')) {
      if (body > 0) found.push(titled(text, start, body, index));
      start = -1;
    } else if (start >= 0 && (body < 0 || name.startsWith('</thead'))) body = index + tag.length;
  }
  if (start >= 0 && body > 0) found.push(titled(text, start, body, text.length));
  return found.filter(({ title }) => title.length <= MAX_TITLE && /<th\b/i.test(title));
}

function titled(text: string, start: number, body: number, end: number): Titled {
  return {
    start,
    body,
    end,
    title: `${text.slice(start, Math.min(body, start + 2 * MAX_TITLE)).replace(/\s+/g, ' ')}\n`,
  };
}
