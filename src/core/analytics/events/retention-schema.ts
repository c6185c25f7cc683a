import { z } from 'zod';
import { filtersSchema } from '../../base/filters/filter-schema.ts';
import { GROUPING_SPELLINGS, QUERY_HINTS, spelled } from '../../base/filters/spellings.ts';
import { memberHints } from '../../base/shared/issues.ts';
import { eventNameSchema, propertyKeySchema } from '../../base/shared/name-schemas.ts';

/** The event of a return that stands for every event but the runtime's own. */
export const ANY_EVENT = '*';

/** Hours are left out: a zone may repeat one. */
export const COHORT_GROUPINGS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type CohortGrouping = (typeof COHORT_GROUPINGS)[number];

const { hourly: _, ...COHORT_SPELLINGS } = GROUPING_SPELLINGS;

export const MAX_PERIODS = 31;
const PERIODS_ERROR = `must be a whole number from 1 to ${MAX_PERIODS}`;

const startSchema = z.strictObject(
  { filters: filtersSchema.optional() },
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object of filters' : undefined) },
);
memberHints.add(startSchema, { ...QUERY_HINTS, eventName: 'the event that starts is the eventName of the question' });

const returnedSchema = z.strictObject(
  { eventName: eventNameSchema.optional(), filters: filtersSchema.optional() },
  { error: ({ code }) => (code === 'invalid_type' ? 'must be an object of eventName, filters or both' : undefined) },
);
memberHints.add(returnedSchema, QUERY_HINTS);

/** Members of the mode `retention` alone. */
export const retentionShape = {
  start: startSchema.optional().describe('retention: filters of the first event alone.'),
  returned: returnedSchema
    .optional()
    .describe(`retention: the later event, by default eventName again; "${ANY_EVENT}": any.`),
  by: propertyKeySchema.optional().describe('retention: who returns; default threadId.'),
  dateGrouping: spelled(COHORT_GROUPINGS, COHORT_SPELLINGS).optional().describe('retention: default week.'),
  periods: z
    .int(PERIODS_ERROR)
    .min(1, PERIODS_ERROR)
    .max(MAX_PERIODS, PERIODS_ERROR)
    .optional()
    .describe('retention: the last period; default 8.'),
};
