import { type Range, rangeOf } from './range.ts';

/* Configs and questions may have any content: they come from the address bar or from JSON that a person typed. */

/** A text; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys of a member that has one key or several. */
export function keysOf(value: unknown): string[] {
  return [value].flat().filter((key) => typeof key === 'string');
}

/** The range of members with any content. */
export function rangeIn({ dateFrom, dateTo }: Record<string, unknown>): Range {
  return rangeOf({ dateFrom: textOf(dateFrom) || undefined, dateTo: textOf(dateTo) || undefined });
}

/** The members of a question in the address; null if it is not a JSON object. */
export function readQuestion(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The members of a question in the address; none if there is no question or it cannot be read. */
export function membersIn(text: string | undefined): Record<string, unknown> {
  return (text !== undefined && readQuestion(text)) || {};
}

/** A command for a POSIX shell. */
export function curlOf(address: string, question: object, header = 'x-api-key: ar_YOUR_KEY'): string {
  const json = JSON.stringify(question).replaceAll("'", "'\\''");
  return `curl ${address} \\\n  -H "${header}" -H "content-type: application/json" \\\n  -d '${json}'`;
}

/** Earlier than all events. */
const EARLIEST = '1970-01-01';

/** Without dateFrom a question covers all time, but a card 30 days: this dateFrom gives the card the same answer. */
export function sinceFirst({ dateFrom }: { dateFrom?: string | undefined }, firstBucket?: string) {
  return dateFrom === undefined ? { dateFrom: firstBucket?.slice(0, 10) ?? EARLIEST } : {};
}
