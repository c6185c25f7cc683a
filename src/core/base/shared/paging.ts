import { z } from 'zod';

export interface Page<Item> {
  items: Item[];
  total: number;
}

export function pageOf<Item>(items: readonly Item[], { limit, offset }: { limit: number; offset: number }): Page<Item> {
  return { items: items.slice(offset, offset + limit), total: items.length };
}

/** JSON of the definitions of a page. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Like `pageOf`; the page also ends before its definitions have too many bytes together, but has
 * the first of them.
 */
export function pageWithin<Item extends { bytes: number }>(
  items: readonly Item[],
  page: { limit: number; offset: number },
): Page<Item> {
  const { items: asked, total } = pageOf(items, page);
  let bytes = 0;
  const end = asked.findIndex((item, index) => {
    bytes += item.bytes;
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  return { items: end < 0 ? asked : asked.slice(0, end), total };
}

/** Capped at the maximum, refused when fractional or below 1. */
export function cappedSchema(maximum: number) {
  return z
    .number()
    .refine(Number.isInteger, 'must be a whole number')
    .min(1)
    .transform((limit) => Math.min(limit, maximum))
    .meta({ type: 'integer' });
}

export function limitSchema({ default: byDefault, maximum }: { default: number; maximum: number }) {
  return cappedSchema(maximum)
    .prefault(byDefault)
    .describe(`Default ${byDefault}; more than ${maximum} is capped to ${maximum}.`);
}

const fromZero = z.int('must be a whole number').min(0, 'must not be negative');

export const offsetSchema = fromZero.max(Number.MAX_SAFE_INTEGER).default(0);

/** Skipping more rows takes too long. */
export function cappedOffsetSchema(maximum: number, remedy: string) {
  return fromZero.max(maximum, `must be at most ${maximum}; ${remedy}`).default(0);
}
