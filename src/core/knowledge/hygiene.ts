import { isEmptyValue, LINE_BREAK, withoutEmptyValues } from './empty-values.ts';
import { withoutHtml } from './html.ts';
import { withoutUrls } from './urls.ts';

/** What to remove before chunking. All off by default. */
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

const LINE_BREAKS = new RegExp(LINE_BREAK, 'g');

function withCollapsedWhitespace(text: string): string {
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
