import { z } from 'zod';
import { callerIdSchema } from '../../base/shared/name-schemas.ts';
import { limitSchema, offsetSchema } from '../../base/shared/paging.ts';
import type { CutText } from './cut.ts';
import { type ExecutionRow, listExecutionsSchema } from './list-schema.ts';

/* Executions as agents read them over MCP: in few tokens, each with a way to the rest. */

export const searchExecutionsSchema = listExecutionsSchema
  .pick({
    ...{ search: true, agentId: true, threadId: true, userId: true, model: true, status: true, tag: true },
    ...{ rating: true, dateFrom: true, dateTo: true, sortBy: true, cursor: true },
  })
  .extend({ limit: limitSchema({ default: 20, maximum: 100 }) });
export type SearchExecutions = z.output<typeof searchExecutionsSchema>;

/** Members that are not known are left out. */
export type FoundExecution = Pick<ExecutionRow, 'id' | 'agentId' | 'status'> & {
  at: string;
  rating?: string;
} & {
  [Name in FoundMember]?: NonNullable<ExecutionRow[Name]>;
};
type FoundMember =
  | 'errorKind'
  | 'name'
  | 'threadId'
  | 'userId'
  | 'tags'
  | 'model'
  | 'totalTokens'
  | 'cost'
  | 'latencyMs';

/** The lists of tools say little of answers, to save tokens. */
export const foundExecutionsSchema = z.looseObject({ note: z.string() });
export type FoundExecutions = {
  executions: FoundExecution[];
  total?: number;
  nextCursor?: string;
  note: string;
};

const from = z.int('must be a whole number').min(0, 'must not be negative').optional();

export const getExecutionSchema = z.strictObject({
  executionId: callerIdSchema,
  messagesFrom: from.describe('Go on at this message.'),
  stepsFrom: from.describe('Go on at this step.'),
  step: callerIdSchema.optional().describe('One step in full, by its #id.'),
  offset: offsetSchema.describe('Characters to skip of that message or step.'),
});
export type GetExecution = z.output<typeof getExecutionSchema>;

export type ShownMessage = CutText & { index: number; role: string };

export const readExecutionSchema = z.looseObject({ note: z.string() });
export type ReadExecution = {
  /** Its facts; only the id where an answer goes on. */
  execution: { id: string };
  messages?: ShownMessage[];
  /** A line each. */
  steps?: string[];
  step?: { id: string };
  note: string;
};
