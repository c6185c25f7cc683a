import { z } from 'zod';

const scalarSchema = z.union([z.string().max(1_000), z.number(), z.boolean()]);
const listSchema = z.array(scalarSchema).min(1).max(100);

const boundSchema = z.union([z.number(), z.string().max(1_000)]);

const testsSchema = z
  .strictObject({
    eq: scalarSchema.describe('Is this, of the same type.'),
    neq: scalarSchema.describe('Is not this, or is absent.'),
    in: listSchema.describe('Is one of these.'),
    notIn: listSchema.describe('Is none of these, or is absent.'),
    gt: boundSchema.describe('Is more: as a number (a text that is one, too), or as a text.'),
    gte: boundSchema.describe('Is as much or more.'),
    lt: boundSchema.describe('Is less.'),
    lte: boundSchema.describe('Is as much or less.'),
    contains: z
      .string()
      .min(1)
      .max(1_000)
      .describe('Has this part as a text, ignoring case, or this member as a list.'),
    exists: z.boolean().describe('Is there, or is not.'),
  })
  .partial()
  .refine((tests) => Object.keys(tests).length > 0, 'must name a test, {"gte": 2024} for example');

const keySchema = z
  .string()
  .min(1)
  .max(200)
  // SQLite ends the path at a NUL.
  .regex(/^[^"\\\0]*$/, 'must be a metadata key without quotes, backslashes and NUL');

/** All keys must match. A dotted key that is not a key itself reaches into objects. */
export const filterSchema = z
  .record(keySchema, z.union([scalarSchema, listSchema, testsSchema]))
  .refine((filter) => Object.keys(filter).length <= 20, 'must have at most 20 keys');

/**
 * Refuses the key `__proto__`, which zod's records leave out without a word: a search must not lose
 * a condition.
 */
export function withoutProto<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((filter, context) => {
    if (typeof filter === 'object' && filter !== null && Object.hasOwn(filter, '__proto__')) {
      context.addIssue({ code: 'custom', path: ['__proto__'], message: 'is not a metadata key', input: filter });
    }
    return filter;
  }, schema);
}

export type Filter = z.output<typeof filterSchema>;

type Scalar = z.output<typeof scalarSchema>;

/** A condition on a chunk's metadata, or on its document's where the chunk lacks the key. */
export type MetadataTest =
  | { key: string; test: 'in' | 'notIn'; values: Scalar[] }
  | { key: string; test: 'gt' | 'gte' | 'lt' | 'lte'; value: number | string }
  | { key: string; test: 'contains'; value: string }
  | { key: string; test: 'exists'; value: boolean };

export function testsOf(filter: Filter): MetadataTest[] {
  return Object.entries(filter).flatMap(([key, wanted]): MetadataTest[] => {
    if (Array.isArray(wanted)) return [{ key, test: 'in', values: wanted }];
    if (typeof wanted !== 'object') return [{ key, test: 'in', values: [wanted] }];
    return Object.entries(wanted).map(([test, value]): MetadataTest => {
      if (test === 'eq' || test === 'neq') {
        return { key, test: test === 'eq' ? 'in' : 'notIn', values: [value as Scalar] };
      }
      if (test === 'in' || test === 'notIn') return { key, test, values: value as Scalar[] };
      return { key, test, value } as MetadataTest;
    });
  });
}
