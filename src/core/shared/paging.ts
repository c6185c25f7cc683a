import { z } from 'zod';

export interface Page<Item> {
  items: Item[];
  total: number;
}

export function pageOf<Item>(items: readonly Item[], { limit, offset }: { limit: number; offset: number }): Page<Item> {
  return { items: items.slice(offset, offset + limit), total: items.length };
}

/** Capped at the maximum, refused when fractional or below 1. */
export function cappedSchema(maximum: number) {
  return z
    .number('must be a number')
    .refine(Number.isInteger, 'must be a whole number')
    .min(1, 'must be at least 1')
    .transform((limit) => Math.min(limit, maximum))
    .meta({ type: 'integer' });
}

export function limitSchema({ default: byDefault, maximum }: { default: number; maximum: number }) {
  return cappedSchema(maximum)
    .prefault(byDefault)
    .describe(`Default ${byDefault}; more than ${maximum} is capped to ${maximum}.`);
}

export const offsetSchema = z
  .int('must be a whole number')
  .min(0, 'must not be negative')
  .max(Number.MAX_SAFE_INTEGER)
  .default(0);
