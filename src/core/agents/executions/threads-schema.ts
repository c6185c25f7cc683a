import { z } from 'zod';
import { trackedEventSchema } from '../../analytics/events/schema.ts';
import { cursorSchema, nextCursorSchema } from '../../base/shared/cursor.ts';
import { limitSchema } from '../../base/shared/paging.ts';
import { responseSchemas } from '../../base/shared/schema-names.ts';
import { reviewSchema } from '../reviews/schema.ts';
import { executionFiltersSchema, executionListSchema, executionRowSchema } from './list-schema.ts';

const page = { limit: limitSchema({ default: 50, maximum: 100 }), cursor: cursorSchema };

export const listThreadsSchema = executionFiltersSchema
  .pick({ agentId: true, userId: true, dateFrom: true, dateTo: true })
  .extend(page);
export type ListThreads = z.output<typeof listThreadsSchema>;

export const threadRowSchema = z.object({
  threadId: z.string().describe('The conversation.'),
  userId: z.string().nullable().describe('The end user of its newest execution that names one.'),
  executions: z.int().describe('The number of its executions.'),
  events: z
    .int()
    .nullable()
    .describe("The number of its events, without the runtime's own; null without the scope `events:read`."),
  cost: z.number().nullable().describe('US dollars of its executions; null when no cost is known.'),
  firstAt: z.string().describe('When its first execution started.'),
  lastAt: z.string().describe('When its newest execution started.'),
});
responseSchemas.add(threadRowSchema, { id: 'ThreadRow' });
export type ThreadRow = z.output<typeof threadRowSchema>;

const total = executionListSchema.shape.total;

export const threadListSchema = z.object({
  threads: z.array(threadRowSchema).describe('One page, by the newest execution of each.'),
  nextCursor: nextCursorSchema,
  total,
});
responseSchemas.add(threadListSchema, { id: 'ThreadList' });
export type ThreadList = z.output<typeof threadListSchema>;

export const readThreadSchema = z.strictObject(page);
export type ReadThread = z.output<typeof readThreadSchema>;

/** Items of one time stand in this order. */
export const THREAD_ITEMS = ['execution', 'event', 'review'] as const;

export const threadItemSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('execution').describe('An execution.'),
    at: z.string().describe('When it started; without a start: when it was recorded.'),
    execution: executionRowSchema,
  }),
  z.object({
    type: z.literal('event').describe('An event.'),
    at: z.string().describe('Its timestamp.'),
    event: trackedEventSchema,
  }),
  z.object({
    type: z.literal('review').describe('The review of one of the executions.'),
    at: z.string().describe('When it was created.'),
    review: reviewSchema,
  }),
]);
responseSchemas.add(threadItemSchema, { id: 'ThreadItem' });
export type ThreadItem = z.output<typeof threadItemSchema>;

export const threadSchema = z.object({
  threadId: z.string().describe('The conversation.'),
  items: z.array(threadItemSchema).describe('One page, the oldest first.'),
  nextCursor: nextCursorSchema,
  total,
});
responseSchemas.add(threadSchema, { id: 'Thread' });
export type Thread = z.output<typeof threadSchema>;
