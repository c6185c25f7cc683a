import { withoutHtml } from './html.ts';

/** Text to remove before chunking. All off by default. */
export interface Hygiene {
  stripHtml: boolean;
  removeUrls: boolean;
  /** Removes placeholders (`N/A`, `null`, `-`) with their names. */
  dropEmptyValues: boolean;
  normalizeWhitespace: boolean;
  /** Removes rows or chunks that occurred before in the same file. */
  dedupeUnits: boolean;
}

export type Field = readonly [name: string, value: string];

/** Text escaped twice needs three passes; what changes after four is hostile. */
const MAX_PASSES = 4;

/** Idempotent: also removes markup that is escaped more than once. Linear in the text's length. */
export function clean(text: string, hygiene: Hygiene): string {
  let cleaned = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = cleaned;
    cleaned = cleanOnce(before, hygiene);
    if (cleaned === before) return cleaned;
  }
  return cleanOnce(disarmed(cleaned, hygiene), hygiene);
}

export function cleanFields(fields: readonly Field[], hygiene: Hygiene): Field[] {
  const ofValues = { ...hygiene, dropEmptyValues: false };
  const cleaned = fields.map(([name, value]): Field => [name, clean(value, ofValues)]);
  return hygiene.dropEmptyValues ? cleaned.filter(([, value]) => !isEmptyValue(value)) : cleaned;
}

function cleanOnce(text: string, hygiene: Hygiene): string {
  let cleaned = text;
  if (hygiene.stripHtml) cleaned = withoutHtml(cleaned);
  if (hygiene.removeUrls) cleaned = withoutUrls(cleaned);
  if (hygiene.dropEmptyValues) cleaned = withoutEmptyValues(cleaned);
  if (hygiene.normalizeWhitespace) cleaned = withCollapsedWhitespace(cleaned);
  return cleaned;
}

/** Breaks up markup and addresses that removal keeps producing (`<<<b>b>b>`). */
function disarmed(text: string, { stripHtml, removeUrls }: Hygiene): string {
  const unmarked = stripHtml ? text.replace(/[<&]/g, ' ') : text;
  return removeUrls ? unmarked.replace(/:\/\/|www\./gi, ' ') : unmarked;
}

const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;
const LINE_BREAKS = new RegExp(LINE_BREAK, 'g');

function withCollapsedWhitespace(text: string): string {
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Scripts without spaces or with particles: these characters after an address are text. */
const ADJOINING = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]`;
const CHARACTER = String.raw`[[\p{L}\p{M}\p{N}\-.~:\/?#@!$&'*+,;=%\(\)\[\]_]--${ADJOINING}]`;
const INSIDE_A_WORD = String.raw`(?<=[[\p{L}\p{N}_]--${ADJOINING}])`;
const START = String.raw`(?:(?:https?|ftp):\/\/|www\.)(?=[\p{L}\p{N}\[])`;

const ADDRESS = new RegExp(`(?!${INSIDE_A_WORD})${START}${CHARACTER}+`, 'giv');
const IN_ANGLE_BRACKETS = new RegExp(String.raw`<${START}[^\s<>]*>`, 'giv');

const TARGET = String.raw`<?${START}[^\(\)\s<>]*(?:\([^\(\)\s<>]*\)[^\(\)\s<>]*)*>?`;
const TITLE = String.raw`(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?`;
const LINK_PART = new RegExp(String.raw`(?<open>!?\[)|(?<target>\]\(\s*${TARGET}${TITLE}\s*\))|\]`, 'giv');

const PUNCTUATION = new Set(`.,;:!?'*_~`);
const OPENING: Record<string, string> = { ')': '(', ']': '[' };

/** Keeps link texts, punctuation after an address and brackets around it. Linear in the length. */
export function withoutUrls(text: string): string {
  if (!/:\/\/|www\./i.test(text)) return text;
  return withoutLinkTargets(text)
    .replace(IN_ANGLE_BRACKETS, '')
    .replace(ADDRESS, (address) => address.slice(lengthWithoutPunctuation(address)));
}

/** One pass with a stack: links can contain images, and unbalanced brackets are text. */
function withoutLinkTargets(text: string): string {
  const openings: RegExpExecArray[] = [];
  const cuts: [start: number, end: number][] = [];
  for (const match of text.matchAll(LINK_PART)) {
    if (match.groups!.open !== undefined) {
      openings.push(match);
      continue;
    }
    const opening = openings.pop();
    if (match.groups!.target === undefined || opening === undefined) continue;
    cuts.push([opening.index, opening.index + opening[0].length], [match.index, match.index + match[0].length]);
  }
  return without(text, cuts);
}

function without(text: string, cuts: [start: number, end: number][]): string {
  let kept = '';
  let from = 0;
  for (const [start, end] of cuts.sort(([one], [other]) => one - other)) {
    kept += text.slice(from, start);
    from = end;
  }
  return kept + text.slice(from);
}

/** A closing bracket belongs to the address if it is opened there: `…/wiki/Ok_(word)`. */
function lengthWithoutPunctuation(address: string): number {
  const counts = new Map<string, number>();
  for (const character of address) counts.set(character, (counts.get(character) ?? 0) + 1);
  let length = address.length;
  for (; length > 0; length--) {
    const last = address[length - 1]!;
    const opening = OPENING[last];
    const isUnopened = opening !== undefined && counts.get(last)! > (counts.get(opening) ?? 0);
    if (!isUnopened && !PUNCTUATION.has(last)) break;
    counts.set(last, counts.get(last)! - 1);
  }
  return length;
}

/** Spellings of a missing value, in lower or upper case too. `Nil` is a name, `NA` is Namibia. */
export const EMPTY_VALUES: readonly string[] = [
  'N/A',
  'N.A.',
  '#N/A',
  '<NA>',
  'null',
  '(null)',
  'none',
  'None',
  'nil',
  'undefined',
  'NaN',
  '(empty)',
  '(blank)',
  '-',
  '--',
  '---',
  '–',
  '—',
  '?',
  '??',
  '???',
  '.',
  '...',
  '…',
];

const EMPTY = new Set(EMPTY_VALUES.flatMap((value) => [value, value.toLowerCase(), value.toUpperCase()]));
const LONGEST = Math.max(...EMPTY_VALUES.map((value) => value.length));

export function isEmptyValue(value: string): boolean {
  const trimmed = value.trim();
  return trimmed === '' || (trimmed.length <= LONGEST && EMPTY.has(trimmed));
}

const MAX_NAME_CHARACTERS = 60;

/** Removes lines such as `Fax: N/A`, and a text that is an empty value. */
export function withoutEmptyValues(text: string): string {
  const lines = text.split(LINE_BREAK);
  const kept = lines.filter((line) => !isNamedEmptyValue(line));
  const rest = kept.length === lines.length ? text : kept.join('\n');
  return isEmptyValue(rest) ? '' : rest;
}

/** A name alone, such as `Ingredients:`, is a heading. */
function isNamedEmptyValue(line: string): boolean {
  const colon = line.indexOf(':');
  if (colon < 1 || colon > MAX_NAME_CHARACTERS) return false;
  const value = line.slice(colon + 1).trim();
  return value !== '' && isEmptyValue(value);
}
