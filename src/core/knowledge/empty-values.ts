/**
 * What stands for "there is no value": spreadsheets', databases' and programming languages' spellings, and dashes. Each
 * also counts all in lower case and all in upper case, but in no other case: `Nan` is a province, `Nil` and `Null` are
 * names. `NA` is not among them (Namibia, sodium), nor are `0`, `no`, `false` and `unknown`, which say something.
 */
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

/** Nothing, white space, or one of EMPTY_VALUES. */
export function isEmptyValue(value: string): boolean {
  const trimmed = value.trim();
  return trimmed === '' || (trimmed.length <= LONGEST && EMPTY.has(trimmed));
}

/** A line's end as any of the systems that write files marks it, and pages' and paragraphs' ends. */
export const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;

const MAX_NAME_CHARACTERS = 60;

/** Of a running text the lines go that are a name and an empty value, `Fax: N/A`; all of it goes when it is one itself. */
export function withoutEmptyValues(text: string): string {
  const lines = text.split(LINE_BREAK);
  const kept = lines.filter((line) => !isNamedEmptyValue(line));
  const rest = kept.length === lines.length ? text : kept.join('\n');
  return isEmptyValue(rest) ? '' : rest;
}

/** A name alone, `Ingredients:`, rather heads the next lines. */
function isNamedEmptyValue(line: string): boolean {
  const colon = line.indexOf(':');
  if (colon < 1 || colon > MAX_NAME_CHARACTERS) return false;
  const value = line.slice(colon + 1).trim();
  return value !== '' && isEmptyValue(value);
}
