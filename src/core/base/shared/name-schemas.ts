import { z } from 'zod';
import { parseUtc } from '../time/time.ts';

/** In place of an agent's name in queries and lists. */
export const ALL_AGENTS = '*';

/** Every store and client can hold the name: well-formed Unicode without NUL. */
export function nameSchema(maximum: number) {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(maximum)
    .refine((text) => text.isWellFormed(), 'contains a lone surrogate, which is not valid Unicode')
    .refine((text) => !text.includes('\0'), 'must not contain the character U+0000');
}

export const eventNameSchema = nameSchema(200);
/** The agent that is written for. */
export const agentIdSchema = nameSchema(200).refine(
  (name) => name !== ALL_AGENTS,
  '"*" means all agents in queries alone; name one or leave it out',
);
/** The agent whose data is read; `*`: all agents. */
export const readAgentSchema = nameSchema(200);
export const callerIdSchema = nameSchema(200);

/** A name of small letters, digits and underscores, which addresses can hold as it is. */
export function identifierSchema(example: string) {
  const message = `must be 1 to 100 of a-z, 0-9 and _, such as ${example}`;
  return z.string(message).regex(/^[a-z0-9_]{1,100}$/, message);
}

const TIMESTAMP_ERROR = 'must be an ISO 8601 date-time such as 2026-03-01T12:30:00Z';

/** UTC unless it has an offset. */
export const timestampSchema = z
  .string(TIMESTAMP_ERROR)
  .refine((text) => parseUtc(text) !== null, TIMESTAMP_ERROR)
  .meta({ format: 'date-time' });

/** Well-formed Unicode. */
export const textSchema = z
  .string()
  .refine((value) => value.isWellFormed(), 'contains a lone surrogate, which is not valid Unicode');
export const propertyKeySchema = textSchema.min(1, 'must not be empty').max(300, 'must have at most 300 characters');
