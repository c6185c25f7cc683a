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

export const LINE_BREAK = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;

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
