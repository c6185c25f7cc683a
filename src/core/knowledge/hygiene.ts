import { isEmptyValue, LINE_BREAK, withoutEmptyValues } from './empty-values.ts';
import { withoutHtml } from './html.ts';
import { withoutUrls } from './urls.ts';

/** What is taken out of texts before they are chunked. All off unless asked for. */
export interface Hygiene {
  /** Tags go, entities are decoded. */
  stripHtml: boolean;
  removeUrls: boolean;
  /** Empty or placeholder values go, with their names: `N/A`, `null`, `-`. */
  dropEmptyValues: boolean;
  normalizeWhitespace: boolean;
  /** Rows, or chunks, that were there before in the same file go. */
  dedupeUnits: boolean;
}

/** A named value of a record. */
export type Field = readonly [name: string, value: string];

/** Texts that are escaped twice need three; what still changes after these was made to. */
const MAX_PASSES = 4;

/**
 * A running text as its hygiene wants it: without HTML, then without addresses, then without empty values, then with
 * its white space collapsed. Cleaning twice changes nothing: escaped markup is markup too, as exports escape more than
 * once. Linear in the text's length.
 */
export function clean(text: string, hygiene: Hygiene): string {
  let cleaned = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = cleaned;
    cleaned = cleanOnce(before, hygiene);
    if (cleaned === before) return cleaned;
  }
  return cleanOnce(disarmed(cleaned, hygiene), hygiene);
}

/** A record's values likewise. A field whose value is empty after it goes when empty values are to go. */
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

/** Where what is taken out leaves ever new markup or addresses behind (`<<<b>b>b>`), nothing may begin any. */
function disarmed(text: string, { stripHtml, removeUrls }: Hygiene): string {
  const unmarked = stripHtml ? text.replace(/[<&]/g, ' ') : text;
  return removeUrls ? unmarked.replace(/:\/\/|www\./gi, ' ') : unmarked;
}

const LINE_BREAKS = new RegExp(LINE_BREAK, 'g');

/** Spaces of all kinds to one, none at a line's ends, at most one blank line. */
function withCollapsedWhitespace(text: string): string {
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
