import { MAX_ANSWER_BYTES } from '../../core/analytics/events/questions/fit.ts';
import { isObject } from '../../core/base/json-schema/values.ts';
import { oneLine } from '../../core/base/shared/text.ts';
import { basisText } from './basis.ts';
import { cell, inOneLine, recordLines } from './table.ts';

type Members = Record<string, unknown>;
/** How a text of several lines, or a long one, is written: a line each. */
type Quote = (text: string) => string[];

/** Longer texts, such as passages, have their own lines. */
const MAX_CELL = 200;

/**
 * The text of an answer: all its members, in readable form. Lists of records are tables, or blocks
 * where a record has long texts or lists of its own.
 */
export function readableText(answer: object): string {
  const text = textOf(answer, quoted);
  // Hundreds of line breaks in a name would multiply the size.
  return Buffer.byteLength(text) <= MAX_ANSWER_BYTES ? text : textOf(answer, (long) => [cell(long)]);
}

function textOf(answer: object, quote: Quote): string {
  const { basis, note, notes, ...members } = answer as Members;
  return [
    ...memberLines(members, quote),
    ...(basis ? [basisText(basis as Parameters<typeof basisText>[0])] : []),
    ...[note ?? notes ?? []].flat().map((text) => `Note: ${oneLine(String(text))}`),
  ].join('\n');
}

function memberLines(members: Members, quote: Quote): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const key = cell(name);
    if (value === undefined) return [];
    if (isShort(value)) return [`${key}: ${cell(value)}`];
    return [`${key}:`, ...linesOf(value, quote).map((line) => `  ${line}`)];
  });
}

function linesOf(value: unknown, quote: Quote): string[] {
  if (typeof value === 'string') return quote(value);
  if (isObject(value)) return memberLines(value, quote);
  const items = value as unknown[];
  if (items.every(isObject))
    return items.every(isFlat) ? recordLines(items) : items.flatMap((item) => block(item, quote));
  return items.flatMap((item) => listItem(isShort(item) ? [cell(item)] : linesOf(item, quote)));
}

/** One record: what is short on its first line. */
function block(record: Members, quote: Quote): string[] {
  const entries = Object.entries(record);
  const first = Object.fromEntries(entries.filter(([, value]) => isShort(value)));
  const rest = Object.fromEntries(entries.filter(([, value]) => !isShort(value)));
  return listItem([inOneLine(first), ...memberLines(rest, quote)]);
}

function listItem(lines: string[]): string[] {
  return lines.map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`));
}

function isFlat(record: Members): boolean {
  return Object.values(record).every(isShort);
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_CELL && !/[\n\r\u2028\u2029]/.test(value);
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object' && isShort(item));
  return !isObject(value) || (isFlat(value) && cell(value).length <= MAX_CELL);
}

/** Behind a mark, so that no line of a text can look like one of the answer. */
function quoted(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => {
    const [indent = ''] = /^ */.exec(line) ?? [];
    return `> ${indent}${oneLine(line.slice(indent.length))}`.trimEnd();
  });
}
