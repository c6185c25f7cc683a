import type { z } from 'zod';
import { invalid } from './errors.ts';
import { issueMessages } from './issues.ts';
import { type Tolerance, tolerantParse } from './tolerant.ts';

/** Limits the response to a batch of 5,000 bad events. */
const MAX_MESSAGES = 100;

/**
 * Tolerant as `tolerantParse`. Throws `invalid` with one message per problem, each beginning with
 * the field's path.
 */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  tolerance: Tolerance = {},
): z.output<Schema> {
  const result = tolerantParse(schema, input, tolerance);
  if (result.success) return result.data;
  throw invalid(...capMessages([...new Set(issueMessages(result.error, { schema }))]));
}

export function capMessages(messages: string[]): string[] {
  if (messages.length <= MAX_MESSAGES) return messages;
  return [...messages.slice(0, MAX_MESSAGES), `... and ${messages.length - MAX_MESSAGES} more`];
}
