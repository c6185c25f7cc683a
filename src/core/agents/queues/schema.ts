import { z } from 'zod';
import { filtersSchema } from '../../base/filters/filter-schema.ts';
import { cursorSchema, nextCursorSchema } from '../../base/shared/cursor.ts';
import { someMember } from '../../base/shared/json.ts';
import { callerIdSchema, eventNameSchema, identifierSchema, nameSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema } from '../../base/shared/paging.ts';
import { requestSchemas, responseSchemas } from '../../base/shared/schema-names.ts';
import { executionFiltersSchema } from '../executions/list-schema.ts';

/** Items that wait are counted up to so many. */
export const MAX_WAITING = 1_000;
/** People who are shown with their progress. */
export const MAX_PEOPLE = 1_000;

const outcomeSchema = z.strictObject({
  eventName: eventNameSchema,
  filters: filtersSchema.optional().describe('As in queries of events.'),
});

const definitionShape = {
  title: nameSchema(200).optional().describe('Such as Bad outcomes.'),
  filters: executionFiltersSchema
    .default({})
    .describe('As of the list of executions. What an execution is when it enters the queue counts.'),
  share: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The share of the matching executions that enters, such as 0.1. Always the same ones.'),
  outcome: outcomeSchema
    .optional()
    .describe('Only executions in whose thread such an event followed. They may enter a few seconds after it.'),
  rubric: identifierSchema('bad_outcomes').optional().describe('The name of the rubric that assessors answer.'),
  assessors: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(10, 'must be at most 10')
    .default(1)
    .describe('An item is done when so many people are done with it.'),
  userIds: z
    .array(callerIdSchema, 'must be an array of ids of users')
    .max(200, 'must have at most 200 users')
    .optional()
    .describe('The users who may have items. Default: everybody with the scope.'),
};

export const createQueueSchema = z.strictObject({ name: identifierSchema('bad_outcomes'), ...definitionShape });
requestSchemas.add(createQueueSchema, { id: 'CreateQueue' });
export type CreateQueue = z.output<typeof createQueueSchema>;

const removable = <Schema extends z.ZodOptional>(schema: Schema) => schema.nullable().describe('Null removes it.');

export const updateQueueSchema = z
  .strictObject({
    title: removable(definitionShape.title),
    filters: executionFiltersSchema.optional().describe('Replaces all of them; {}: every execution.'),
    share: removable(definitionShape.share),
    outcome: removable(definitionShape.outcome),
    rubric: removable(definitionShape.rubric),
    assessors: definitionShape.assessors.removeDefault().optional(),
    userIds: removable(definitionShape.userIds).describe('Null or []: everybody with the scope.'),
  })
  .refine(...someMember);
requestSchemas.add(updateQueueSchema, { id: 'UpdateQueue' });
export type UpdateQueue = z.output<typeof updateQueueSchema>;

export const queuesQuerySchema = z.strictObject({
  limit: limitSchema({ default: 50, maximum: 100 }),
  cursor: cursorSchema,
});
export type QueuesQuery = z.output<typeof queuesQuerySchema>;

const countsShape = {
  waiting: z
    .int()
    .describe(`How many are not done. Counted up to ${MAX_WAITING.toLocaleString('en')}: so many means that or more.`),
  done: z.int().describe('How many are done.'),
};

export const queueRowSchema = z.object({
  name: z.string(),
  ...definitionShape,
  ...countsShape,
  createdAt: z.string(),
  createdBy: z.string().describe('Label of the key or e-mail of the user.'),
  updatedAt: z.string(),
});
responseSchemas.add(queueRowSchema, { id: 'QueueRow' });
export type ShownQueueRow = z.output<typeof queueRowSchema>;

export const queueSchema = queueRowSchema.extend({
  people: z
    .array(
      z.object({
        type: z.enum(['user', 'key']),
        id: z.string().describe('The id of the user or of the key.'),
        label: z.string().describe('E-mail of the user or label of the key.'),
        done: z.int().describe('Items that they finished.'),
        skipped: z.int().describe('Items that they put away.'),
      }),
    )
    .describe(`Who finished or skipped something, by label; at most ${MAX_PEOPLE.toLocaleString('en')}.`),
});
responseSchemas.add(queueSchema, { id: 'Queue' });
export type ShownQueue = z.output<typeof queueSchema>;

export const queueListSchema = z.object({
  queues: z.array(queueRowSchema).describe('One page, by name.'),
  nextCursor: nextCursorSchema,
  total: z.int().describe('The number of all queues.'),
});
responseSchemas.add(queueListSchema, { id: 'QueueList' });
export type QueueList = z.output<typeof queueListSchema>;

export const handedSchema = z.object({
  item: z
    .object({
      executionId: z.string().describe('The execution to look at.'),
      leaseUntil: z.string().describe('Until then nobody else gets it.'),
    })
    .nullable()
    .describe('What the caller holds by this request; null: nothing.'),
  ...countsShape,
});
responseSchemas.add(handedSchema, { id: 'HandedItem' });
export type Handed = z.output<typeof handedSchema>;
