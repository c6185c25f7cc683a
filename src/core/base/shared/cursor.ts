import { z } from 'zod';
import { RuntimeError } from './errors.ts';

export const cursorSchema = z
  .string()
  .max(2_000, 'is not one of an answer')
  .optional()
  .describe('The nextCursor of an answer: what follows it. Take it back with the same filters.');

export const nextCursorSchema = z.string().nullable().describe('Where the next page begins; null at the end.');

/** An opaque text for a place in a list. */
export function cursorOf(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** The place of a cursor; null without one. Throws `invalid` for one that no answer gave. */
export function cursorPlace<Place>(cursor: string | undefined, schema: z.ZodType<Place>): Place | null {
  if (cursor === undefined) return null;
  const place = schema.safeParse(read(cursor));
  if (place.success) return place.data;
  throw new RuntimeError('invalid', 'cursor: is not one of an answer; leave it out to begin anew.');
}

function read(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}
