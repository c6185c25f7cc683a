import { z } from 'zod';
import { tableSchema } from './schema.ts';

/* What the MCP tools answer. */

const groupValue = z.unknown().describe('The value; several keys give an object. null: absent.');

/** What an answer rests on. */
export const basisSchema = z.object({
  eventName: z.string(),
  agentId: z.string().nullable(),
  aggregation: z.string().optional(),
  propertyKey: z.string().optional(),
  numerator: z.unknown().optional(),
  filters: z.array(z.unknown()),
  from: z.string().nullable(),
  to: z.string().nullable(),
  timezone: z.string(),
  matchedEvents: z.int(),
  lastEventAt: z.string().nullable(),
});
export type Basis = z.output<typeof basisSchema>;

const counts = { numerator: z.int().optional(), denominator: z.int().optional() };

export const aggregateAnswerSchema = z.object({
  value: z.number().nullable(),
  ...counts,
  previous: z
    .object({ value: z.number().nullable(), change: z.number().nullable(), changeRatio: z.number().nullable() })
    .optional(),
  series: z
    .array(z.object({ bucket: z.string(), group: groupValue.optional(), value: z.number().nullable(), ...counts }))
    .optional(),
  groups: z.array(z.object({ group: groupValue, value: z.number().nullable(), ...counts })).optional(),
  basis: basisSchema,
  note: z.string().optional(),
  truncated: z.string().optional(),
});
export type AggregateAnswer = z.output<typeof aggregateAnswerSchema>;

export const queryAnswerSchema = z.object({
  ...tableSchema.shape,
  nextOffset: z.int().optional(),
  basis: basisSchema,
  note: z.string().optional(),
});
export type QueryAnswer = z.output<typeof queryAnswerSchema>;
