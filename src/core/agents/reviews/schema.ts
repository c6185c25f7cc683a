import { z } from 'zod';
import { agentIdSchema, eventNameSchema, readAgentSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import { MATCHES, PRIORITIES, RATINGS, REVIEW_STATUSES } from '../../base/shared/review-fields.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { trainingFormatSchema } from './training/schema.ts';

/** Characters of a trimmed comment. Fewer are `unprocessable`. */
export const MIN_COMMENT = 10;

const ratingSchema = z.enum(RATINGS);
const statusSchema = z.enum(REVIEW_STATUSES);
const prioritySchema = z.enum(PRIORITIES);

function text(maximum: number) {
  return z
    .string()
    .max(maximum, `must have at most ${maximum.toLocaleString('en')} characters`)
    .refine((value) => value.isWellFormed(), 'contains a lone surrogate, which is not valid Unicode')
    .refine((value) => !value.includes('\0'), 'must not contain the character U+0000');
}

const commentSchema = text(10_000).describe(`At least ${MIN_COMMENT} characters.`);
const tagSchema = text(100).min(1, 'must not be empty');
const tagsSchema = z
  .array(tagSchema, 'must be an array of strings')
  .max(50, 'must hold at most 50 tags')
  .transform((tags) => [...new Set(tags)]);

export const createReviewSchema = z.strictObject({
  agentId: agentIdSchema.optional().describe("Default: the key's agent, else that of the recorded execution."),
  rating: ratingSchema.describe('How good the outcome was.'),
  comment: commentSchema,
  priority: prioritySchema.default('medium').describe('How soon it matters.'),
  tags: tagsSchema.default([]).describe('At most 50 tags of at most 100 characters.'),
});
requestSchemas.add(createReviewSchema, { id: 'CreateReview' });
export type CreateReview = z.output<typeof createReviewSchema>;

const freeText = text(10_000).nullable();

export const updateReviewSchema = z
  .strictObject({
    status: statusSchema.describe('Any may follow any other.'),
    actionTaken: freeText.describe('What was done about it; null clears it.'),
    resolutionNotes: freeText.describe('null clears it.'),
    correctedOutput: text(200_000)
      .nullable()
      .describe('What the agent should have answered; replaces its answer in the training export. null clears it.'),
    comment: commentSchema,
    priority: prioritySchema.describe('How soon it matters.'),
    tags: tagsSchema.describe('Replaces all tags; [] removes them.'),
  })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'must have at least one member to change');
requestSchemas.add(updateReviewSchema, { id: 'UpdateReview' });
export type UpdateReview = z.output<typeof updateReviewSchema>;

export const reviewSchema = z.object({
  id: z.string().describe('Made by the server, a UUID.'),
  executionId: z.string().describe('The execution that is reviewed; it has no other review.'),
  agentId: z.string().describe('The agent that executed.'),
  rating: z.enum(RATINGS).describe('How good the outcome was.'),
  status: z.enum(REVIEW_STATUSES).describe('How far the work on it is.'),
  priority: z.enum(PRIORITIES).describe('How soon it matters.'),
  comment: z.string().describe('What the reviewer says.'),
  tags: z.array(z.string()).describe('Free labels, each once.'),
  actionTaken: z.string().nullable().describe('What was done about it.'),
  resolutionNotes: z.string().nullable().describe('How it was resolved.'),
  correctedOutput: z.string().nullable().describe('What the agent should have answered.'),
  reviewedBy: z.string().describe('Label of the key, or e-mail of the user, that created it.'),
  updatedBy: z.string().nullable().describe('Label of the key, or e-mail of the user, that changed it last.'),
  resolvedBy: z.string().nullable().describe('Who resolved it; null unless its status is resolved.'),
  resolvedAt: z.string().nullable().describe('ISO 8601; null unless its status is resolved.'),
  createdAt: z.string().describe('ISO 8601.'),
  updatedAt: z.string().describe('ISO 8601; of the creation or the last change.'),
});
responseSchemas.add(reviewSchema, { id: 'Review' });
export type Review = z.output<typeof reviewSchema>;

export const reviewExistsSchema = z.object({
  exists: z.boolean().describe('Whether the execution has a review.'),
  review: reviewSchema
    .pick({ id: true, rating: true, status: true, comment: true, createdAt: true })
    .nullable()
    .describe('null when there is none.'),
});
export type ReviewExists = z.output<typeof reviewExistsSchema>;

export const listReviewsSchema = z.strictObject({
  agentId: readAgentSchema.optional().describe('Default: every agent, as `*`.'),
  status: statusSchema.optional().describe('Only of this status.'),
  rating: ratingSchema.optional().describe('Only with this rating.'),
  priority: prioritySchema.optional().describe('Only of this priority.'),
  dateFrom: z.string().max(64).optional().describe('Created at or after it: ISO 8601, or relative as in queries.'),
  dateTo: z.string().max(64).optional().describe('Created before it; a date without time means through that day.'),
  search: z.string().max(1_000).optional().describe('Words of the comment, all of them, in Portuguese.'),
  match: z
    .enum(MATCHES)
    .default('stem')
    .describe(
      'How search compares words. stem, the default: by their stems; exact: as written, in upper or lower case.',
    ),
  limit: limitSchema({ default: 50, maximum: 100 }),
  offset: offsetSchema.describe('How many to pass over.'),
});
export type ListReviews = z.output<typeof listReviewsSchema>;

export const reviewListSchema = z.object({
  reviews: z.array(reviewSchema).describe('Newest first.'),
  total: z.int().describe('All that match, on every page.'),
  limit: z.int().describe('How many were asked for at most.'),
  offset: z.int().describe('How many were passed over.'),
});
export type ReviewList = z.output<typeof reviewListSchema>;

export const trainingFilterSchema = listReviewsSchema
  .pick({ agentId: true, status: true, rating: true, priority: true, dateFrom: true, dateTo: true })
  .extend({ tag: tagSchema.optional().describe('Only with this tag.') });
export type TrainingFilter = z.output<typeof trainingFilterSchema>;

export const trainingQuerySchema = trainingFilterSchema.extend({
  format: trainingFormatSchema,
  assessments: z
    .boolean('must be true or false')
    .default(false)
    .describe(
      'True adds `metadata.assessments` to each example of openai-conversational; the others have no metadata.',
    ),
});
export type TrainingQuery = z.output<typeof trainingQuerySchema>;

export const statsQuerySchema = z.strictObject({
  agentId: readAgentSchema.describe('Whose reviews are counted; `*`: those of every agent.'),
});

export const outcomesQuerySchema = listReviewsSchema
  .pick({ agentId: true, dateFrom: true, dateTo: true })
  .extend({ eventName: eventNameSchema.describe('The event that means success, of any agent.') });
export type OutcomesQuery = z.output<typeof outcomesQuerySchema>;

export const reviewOutcomesSchema = z.object({
  eventName: z.string().describe('The event that was asked for.'),
  ratings: z
    .array(
      z.object({
        rating: z.enum(RATINGS).describe('The rating of these reviews.'),
        reviews: z.int().describe('Reviews with this rating.'),
        converted: z
          .int()
          .describe(
            'Of these, executions that the event named, or in whose thread it followed at or after their start.',
          ),
      }),
    )
    .describe('One for each rating.'),
  isCut: z.boolean().describe('There are more reviews: these are the newest 10,000.'),
});
responseSchemas.add(reviewOutcomesSchema, { id: 'ReviewOutcomes' });
export type ReviewOutcomes = z.output<typeof reviewOutcomesSchema>;

export const reviewStatsSchema = z.object({
  total: z.int().describe('All reviews of the agent.'),
  pending: z.int().describe('Reviews with the status pending_review.'),
  inProgress: z.int().describe('Reviews with the status in_progress.'),
  resolved: z.int().describe('Reviews with the status resolved.'),
  badReviews: z.int().describe('Reviews with the rating bad.'),
  needsImprovement: z.int().describe('Reviews with the rating needs_improvement.'),
  critical: z.int().describe('Reviews with the priority critical.'),
  highPriority: z.int().describe('Reviews with the priority high.'),
  avgResolutionHours: z
    .number()
    .describe('Average hours from creation to resolution of the resolved reviews; 0 if there are none.'),
});
responseSchemas.add(reviewStatsSchema, { id: 'ReviewStats' });
export type ReviewStats = z.output<typeof reviewStatsSchema>;
