import { z } from 'zod';
import { cursorSchema, nextCursorSchema } from '../../base/shared/cursor.ts';
import { callerIdSchema, nameSchema, readAgentSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema } from '../../base/shared/paging.ts';
import { RATINGS, REVIEW_STATUSES } from '../../base/shared/review-fields.ts';
import { responseSchemas } from '../../base/shared/schema-names.ts';
import { EXECUTION_STATUSES, executionSchema } from './schema.ts';
import { STEP_KINDS, stepSchema } from './step-schema.ts';

export const SORTED_BY = ['startedAt', 'cost', 'latencyMs', 'totalTokens'] as const;
export type SortedBy = (typeof SORTED_BY)[number];
export const ORDERS = ['asc', 'desc'] as const;

/** A total counts at most so many. */
export const MAX_TOTAL = 10_000;

const bound = z.number().min(0, 'must not be negative').optional();
const flag = z.boolean('must be true or false').optional();
const date = z.string().max(64).optional();

/** The conditions of a list of executions; all must hold. */
export const executionFiltersSchema = z.strictObject({
  agentId: readAgentSchema.optional().describe('Default: every agent, as `*`.'),
  threadId: callerIdSchema.optional().describe('Only of this conversation.'),
  userId: callerIdSchema.optional().describe('Only of this end user.'),
  name: nameSchema(200).optional().describe('Only with this name.'),
  provider: nameSchema(200).optional().describe('Only of this provider.'),
  model: nameSchema(200).optional().describe('Only of this model.'),
  status: z.enum(EXECUTION_STATUSES).optional().describe('Only with this status.'),
  tag: nameSchema(100).optional().describe('Only with this tag.'),
  kind: z.enum(STEP_KINDS).optional().describe('Only with a step of this kind.'),
  hasReview: flag.describe('Only with a review, or only without one.'),
  reviewed: flag.describe('The same as hasReview.'),
  rating: z.enum(RATINGS).optional().describe('Only with a review of this rating.'),
  hasAssessment: flag.describe('Only with an assessment, or only without one.'),
  minCost: bound.describe('Only of at least so many US dollars.'),
  maxCost: bound.describe('Only of at most so many US dollars.'),
  minLatencyMs: bound.describe('Only of at least so many milliseconds.'),
  maxLatencyMs: bound.describe('Only of at most so many milliseconds.'),
  dateFrom: date.describe('Started at or after it: ISO 8601, or relative as in queries. Without a start: recorded.'),
  dateTo: date.describe('Started before it; a date without time means through that day.'),
  search: z
    .string()
    .max(1_000, 'must have at most 1,000 characters')
    .optional()
    .describe(
      'Words of messages and output, all of them, by their stems as in reviews. Words of the last second may be missing, ' +
        'and those beyond the first 200,000 characters of an execution.',
    ),
});
export type ExecutionFilters = z.output<typeof executionFiltersSchema>;

export const listExecutionsSchema = executionFiltersSchema.extend({
  sortBy: z
    .enum(SORTED_BY)
    .default('startedAt')
    .describe('Default startedAt. Executions without the value that is sorted by are left out.'),
  sortOrder: z
    .enum(ORDERS, 'must be asc or desc')
    .default('desc')
    .describe('Default desc: the newest or largest first.'),
  limit: limitSchema({ default: 50, maximum: 100 }),
  cursor: cursorSchema,
});
export type ListExecutions = z.output<typeof listExecutionsSchema>;

export const executionRowSchema = executionSchema
  .omit({ messages: true, output: true, steps: true, stepsTotal: true, metadata: true, chat: true })
  .extend({
    review: z
      .object({
        id: z.string().describe('The id of the review.'),
        rating: z.enum(RATINGS).describe('How good the outcome was.'),
        status: z.enum(REVIEW_STATUSES).describe('How far the work on it is.'),
      })
      .nullable()
      .describe('Its review; null without one.'),
    assessments: z.int().describe('The number of its assessments.'),
  });
responseSchemas.add(executionRowSchema, { id: 'ExecutionRow' });
export type ExecutionRow = z.output<typeof executionRowSchema>;

export const executionListSchema = z.object({
  executions: z.array(executionRowSchema).describe('One page, without messages.'),
  nextCursor: nextCursorSchema,
  total: z
    .int()
    .nullable()
    .describe(
      `How many match, ${MAX_TOTAL.toLocaleString('en')} at most: so many means that or more. null when counting takes ` +
        'longer than the page; a narrower filter is counted.',
    ),
});
responseSchemas.add(executionListSchema, { id: 'ExecutionList' });
export type ExecutionList = z.output<typeof executionListSchema>;

export const listStepsSchema = z.strictObject({
  limit: limitSchema({ default: 100, maximum: 1_000 }),
  cursor: cursorSchema,
});
export type ListSteps = z.output<typeof listStepsSchema>;

export const stepListSchema = z.object({
  steps: z.array(stepSchema).describe('One page in the order of their starts.'),
  nextCursor: nextCursorSchema,
  total: z.int().describe('The number of recorded steps.'),
});
responseSchemas.add(stepListSchema, { id: 'StepList' });
export type StepList = z.output<typeof stepListSchema>;
