import { z } from 'zod';

/** Some of a list, and how many there are in all. */
export interface Page<Item> {
  items: Item[];
  total: number;
}

/** One page of a list that is there as a whole. */
export function pageOf<Item>(items: readonly Item[], { limit, offset }: { limit: number; offset: number }): Page<Item> {
  return { items: items.slice(offset, offset + limit), total: items.length };
}

/** A count of things to show: above the maximum it is capped, below 1 or fractional it is refused. */
export function cappedSchema(maximum: number) {
  return z
    .number('must be a number')
    .refine(Number.isInteger, 'must be a whole number')
    .min(1, 'must be at least 1')
    .transform((limit) => Math.min(limit, maximum))
    .meta({ type: 'integer' });
}

/** `limit` of a list. */
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

/** A member of a query string: an empty value counts as absent, numbers arrive as text. */
export function fromQueryString<Schema extends z.ZodType>(schema: Schema) {
  return read(schema, (value) => (value === '' ? undefined : value));
}

export function numberFromQueryString<Schema extends z.ZodType>(schema: Schema) {
  return read(schema, (value) => {
    if (typeof value !== 'string') return value;
    if (value === '') return undefined;
    return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  });
}

/** What is read is described as what is meant. */
function read<Schema extends z.ZodType>(schema: Schema, value: (text: unknown) => unknown) {
  const { description } = schema;
  const reading = z.preprocess(value, schema);
  return description === undefined ? reading : reading.describe(description);
}
