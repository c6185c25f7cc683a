import { z } from 'zod';
import {
  createReviewSchema,
  listReviewsSchema,
  outcomesQuerySchema,
  reviewExistsSchema,
  reviewListSchema,
  reviewOutcomesSchema,
  reviewSchema,
  reviewStatsSchema,
  statsQuerySchema,
  trainingFilterSchema,
  trainingQuerySchema,
  updateReviewSchema,
} from '../../core/agents/reviews/schema.ts';
import { trainingCountsSchema, trainingExportSchema } from '../../core/agents/reviews/training/schema.ts';
import { callerIdSchema } from '../../core/base/shared/name-schemas.ts';
import { type Route, route } from '../route.ts';
import { EXECUTIONS } from './executions.ts';

const REVIEWS = '/api/v1/runtime/v1/observability/reviews';
/** Every text at its maximum length, even if each character is escaped as `\u1234`. */
const MAX_BYTES = 2 * 1024 * 1024;

const READ = { access: 'reviews:read', tag: 'Execution reviews' } as const;
const WRITE = { access: 'reviews:write', tag: 'Execution reviews' } as const;
const ofExecution = z.strictObject({ executionId: callerIdSchema.describe('The execution, recorded or not.') });
const byId = z.strictObject({ reviewId: z.string().describe('The id that the server made.') });
const NO_REVIEW = { 404: 'There is no such review, or it is one of another tenant.' };
const SHORT_COMMENT = { 422: 'The comment has fewer than 10 characters.' };

export const reviewRoutes: Route[] = [
  route({
    method: 'post',
    path: `${EXECUTIONS}/:executionId/reviews`,
    ...WRITE,
    summary: 'Create a review',
    description: 'The one review of an execution, which need not be recorded. reviewedBy is the label of the key.',
    params: ofExecution,
    body: { schema: createReviewSchema, maxBytes: MAX_BYTES },
    faults: { 409: 'The execution has a review already.', ...SHORT_COMMENT },
    responses: { 201: { description: 'The review.', schema: reviewSchema } },
    answer: ({ services, caller, params, body }) => services.reviews.create(caller, params.executionId, body),
  }),
  route({
    method: 'get',
    path: `${EXECUTIONS}/:executionId/reviews/exists`,
    ...READ,
    summary: 'Does an execution have a review?',
    description: 'An unknown execution has no review.',
    params: ofExecution,
    responses: { 200: { description: 'Whether the execution has a review, and which.', schema: reviewExistsSchema } },
    answer: ({ services, caller, params }) => services.reviews.exists(caller, params.executionId),
  }),
  route({
    method: 'get',
    path: REVIEWS,
    ...READ,
    summary: 'List reviews',
    description:
      'Newest first. search looks for Portuguese words in the comments: singular and plural find one another, and so ' +
      'do forms with the same stem, with or without accents. With match=exact it looks for the words as written.',
    query: listReviewsSchema,
    responses: { 200: { description: 'One page of reviews.', schema: reviewListSchema } },
    answer: ({ services, caller, query }) => services.reviews.list(caller, query),
  }),
  route({
    method: 'get',
    path: `${REVIEWS}/stats`,
    ...READ,
    summary: 'Statistics of an agent',
    description:
      'The number of reviews of each kind of an agent, and how long their resolution takes. Without a review, all are zero.',
    query: statsQuerySchema,
    responses: { 200: { description: 'The counts.', schema: reviewStatsSchema } },
    answer: ({ services, caller, query }) => services.reviews.stats(caller, query),
  }),
  route({
    method: 'get',
    path: `${REVIEWS}/outcomes`,
    ...READ,
    summary: 'Did badly rated executions convert less?',
    description:
      'By rating, how many of the newest 10,000 reviewed executions an event named, or followed in their thread. It needs ' +
      'events:read, too.',
    query: outcomesQuerySchema,
    responses: { 200: { description: 'The counts, by rating.', schema: reviewOutcomesSchema } },
    answer: ({ services, caller, query }) => services.reviews.outcomes(caller, query),
  }),
  route({
    method: 'get',
    path: `${REVIEWS}/export/training-data`,
    ...READ,
    summary: 'Export fine-tuning examples',
    description:
      'One example for each matching review, or a line of the JSONL formats for each that they can express; x-skipped ' +
      'counts the reviews that gave none. Sent as it is read; who takes nothing of it for 30 seconds is disconnected.',
    query: trainingQuerySchema,
    faults: { 503: 'Too many exports are under way, or lists and exports asked for; see Retry-After.' },
    responses: {
      200: {
        description: 'The examples: one JSON document in the format openai-conversational, JSON Lines in the others.',
        schema: trainingExportSchema,
        content: { 'application/x-ndjson': z.string().describe('One example a line, in the chosen format.') },
        headers: { 'x-skipped': 'How many matching reviews the format cannot express; these are left out.' },
      },
    },
    run: async ({ services, caller, query }) => {
      const { format, skipped, chunks } = await services.reviews.exportTraining(caller, query);
      const contentType = format === 'openai-conversational' ? 'application/json' : 'application/x-ndjson';
      return { stream: { contentType, chunks }, headers: { 'x-skipped': String(skipped) } };
    },
  }),
  route({
    method: 'get',
    path: `${REVIEWS}/export/training-data/counts`,
    ...READ,
    summary: 'Count fine-tuning examples',
    description: 'How many lines the export has in each format, and how many reviews it leaves out for which reason.',
    query: trainingFilterSchema,
    responses: { 200: { description: 'The counts, by format.', schema: trainingCountsSchema } },
    answer: ({ services, caller, query }) => services.reviews.countTraining(caller, query),
  }),
  route({
    method: 'get',
    path: `${REVIEWS}/:reviewId`,
    ...READ,
    summary: 'Get a review',
    description: 'One review with all its fields.',
    params: byId,
    faults: NO_REVIEW,
    responses: { 200: { description: 'The review.', schema: reviewSchema } },
    answer: ({ services, caller, params }) => services.reviews.review(caller, params.reviewId),
  }),
  route({
    method: 'patch',
    path: `${REVIEWS}/:reviewId`,
    ...WRITE,
    summary: 'Update a review',
    description:
      'Send only what changes. Becoming resolved sets resolvedBy and resolvedAt, any other status clears them. updatedBy is the label of the key.',
    params: byId,
    body: { schema: updateReviewSchema, maxBytes: MAX_BYTES },
    faults: { ...NO_REVIEW, ...SHORT_COMMENT },
    responses: { 200: { description: 'The changed review.', schema: reviewSchema } },
    answer: ({ services, caller, params, body }) => services.reviews.update(caller, params.reviewId, body),
  }),
  route({
    method: 'delete',
    path: `${REVIEWS}/:reviewId`,
    ...WRITE,
    summary: 'Delete a review',
    description: 'Gone for good; the execution may be reviewed again.',
    params: byId,
    faults: NO_REVIEW,
    responses: { 204: { description: 'Deleted.' } },
    run: ({ services, caller, params }) => services.reviews.remove(caller, params.reviewId),
  }),
];
