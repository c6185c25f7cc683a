import { z } from 'zod';
import { responseSchemas } from '../../../base/shared/schema-names.ts';
import { tableSchema } from '../schema.ts';
import { metricBasisSchema, segmentBasisSchema } from './question.ts';

/** An event of the business, in words, that is shown beside a series. */
export const seriesAnnotationSchema = z.object({ at: z.string(), text: z.string() });
export type SeriesAnnotation = z.output<typeof seriesAnnotationSchema>;

/** The source of annotations for questions. The caller's rights have been checked. */
export interface AnnotationSource {
  /** At or after `from` and before `to`, in epoch milliseconds; oldest first, at most 20. */
  between(tenantId: string, from: number, to: number): Promise<SeriesAnnotation[]>;
}

/** The types are named because strict clients refuse an empty schema. */
export const groupValueSchema = z
  .unknown()
  .meta({ type: ['string', 'number', 'boolean', 'object', 'array', 'null'] })
  .describe('Several keys give an object. null: absent.');

const anyObject = z.record(z.string(), z.unknown());

export const basisSchema = z.object({
  eventName: z.string(),
  agentId: z.string().nullable(),
  aggregation: z.string().optional(),
  propertyKey: z.string().optional(),
  numerator: anyObject.optional(),
  formula: anyObject.optional(),
  metric: metricBasisSchema.nullable().optional().describe('null: an approved metric was not used.'),
  filters: z.array(z.union([anyObject, z.string()])),
  review: anyObject.optional(),
  segment: segmentBasisSchema.optional(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  timezone: z.string(),
  matchedEvents: z.int(),
  lastEventAt: z.string().nullable(),
  cases: z.string().optional().describe('Handle of the events: for query_events.'),
});
responseSchemas.add(basisSchema, { id: 'Basis' });
export type Basis = z.output<typeof basisSchema>;

export const funnelStepSchema = z.object({
  label: z.string(),
  eventName: z.string(),
  count: z.int(),
  /** Share of the actors of the first step; null if there are none. */
  conversion: z.number().nullable(),
});
export type FunnelStep = z.output<typeof funnelStepSchema>;

const namedEventSchema = z.object({ eventName: z.string(), filters: basisSchema.shape.filters });

export const funnelBasisSchema = basisSchema.extend({
  steps: z.array(namedEventSchema),
  by: z.string(),
  windowSeconds: z.int(),
});
responseSchemas.add(funnelBasisSchema, { id: 'FunnelBasis' });

export type FunnelBasis = z.output<typeof funnelBasisSchema>;

export interface FunnelAnswer {
  steps: FunnelStep[];
  basis: FunnelBasis;
  note?: string;
}

const counts = { numerator: z.int().optional(), denominator: z.int().optional() };
/** Values of a formula's parts, but for the points of a series. */
const parts = z.record(z.string(), z.number().nullable()).optional();

const changeShape = {
  value: z.number().nullable(),
  change: z.number().nullable(),
  changeRatio: z.number().nullable(),
};

export const aggregateAnswerSchema = z.object({
  value: z.number().nullable(),
  ...counts,
  parts,
  previous: z.object({ ...changeShape, from: z.string(), to: z.string() }).optional(),
  series: z
    .array(
      z.object({ bucket: z.string(), group: groupValueSchema.optional(), value: z.number().nullable(), ...counts }),
    )
    .optional(),
  groups: z
    .array(
      z.object({
        group: groupValueSchema,
        value: z.number().nullable(),
        ...counts,
        parts,
        previous: z.object(changeShape).optional(),
      }),
    )
    .optional(),
  annotations: z.array(seriesAnnotationSchema).optional(),
  basis: basisSchema,
  note: z.string().optional(),
  truncated: z.string().optional(),
});
responseSchemas.add(aggregateAnswerSchema, { id: 'AggregateAnswer' });
export type AggregateAnswer = z.output<typeof aggregateAnswerSchema>;

export const queryBasisSchema = basisSchema.extend({
  retention: z
    .object({
      start: namedEventSchema,
      returned: namedEventSchema,
      by: z.string(),
      dateGrouping: z.string(),
      periods: z.int(),
    })
    .optional(),
});
responseSchemas.add(queryBasisSchema, { id: 'QueryBasis' });
export type QueryBasis = z.output<typeof queryBasisSchema>;

export const queryAnswerSchema = z.object({
  ...tableSchema.shape,
  nextOffset: z.int().optional(),
  basis: queryBasisSchema,
  note: z.string().optional(),
});
export type QueryAnswer = z.output<typeof queryAnswerSchema>;
