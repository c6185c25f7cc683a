import { z } from 'zod';
import { limitSchema, offsetSchema } from '../../../base/shared/paging.ts';
import { responseSchemas } from '../../../base/shared/schema-names.ts';
import { fieldOf, type Predicate } from '../predicates.ts';
import { aggregatePlan } from '../query-plan.ts';
import { askFeed, planContext, type QueryContext } from '../questions/ask.ts';
import { type FeedQuestion, planSelection } from '../questions/plan.ts';
import { type Feed, MAX_FEED_EVENTS, trackedEventSchema } from '../schema.ts';

export const casesQuerySchema = z.strictObject({
  limit: limitSchema({ default: 50, maximum: MAX_FEED_EVENTS }),
  offset: offsetSchema,
});
export type CasesQuery = z.output<typeof casesQuerySchema>;

const MAX_LISTED = 100;
const MAX_EXECUTIONS = 20;

export const caseEventsSchema = z.object({
  events: z.array(trackedEventSchema),
  total: z.int(),
  threads: z
    .array(
      z.object({
        threadId: z.string(),
        events: z.int(),
        executionIds: z.array(z.string()).describe(`The newest ${MAX_EXECUTIONS} that were recorded with the thread.`),
      }),
    )
    .describe(`The ${MAX_LISTED} with the most events.`),
  totalThreads: z.int(),
  executions: z
    .array(z.object({ executionId: z.string(), events: z.int() }))
    .describe(`The ids that events name: the ${MAX_LISTED} with the most events.`),
  totalExecutions: z.int(),
});
responseSchemas.add(caseEventsSchema, { id: 'CaseEvents' });
export type CaseEvents = Omit<z.output<typeof caseEventsSchema>, 'events'> & Feed;

/** Where recorded executions are found. */
export interface ExecutionsOfThreads {
  /** The newest ids of each thread, at most so many; threads without executions are left out. */
  newestOfThreads(tenantId: string, threadIds: string[], limit: number): Promise<Map<string, string[]>>;
}

/** `executions`: null where the caller may not know of those of the threads. */
export async function askCases(
  question: FeedQuestion,
  context: QueryContext,
  executions: ExecutionsOfThreads | null,
): Promise<CaseEvents> {
  const [feed, threads, named] = await Promise.all([
    askFeed(question, context),
    mostFrequent('threadId', question, context),
    mostFrequent('executionId', question, context),
  ]);
  const ids = threads.values.map(([threadId]) => threadId);
  const recorded = await executions?.newestOfThreads(context.caller.tenantId, ids, MAX_EXECUTIONS);
  return {
    ...feed,
    threads: threads.values.map(([threadId, events]) => ({
      threadId,
      events,
      executionIds: recorded?.get(threadId) ?? [],
    })),
    totalThreads: threads.total,
    executions: named.values.map(([executionId, events]) => ({ executionId, events })),
    totalExecutions: named.total,
  };
}

async function mostFrequent(name: 'threadId' | 'executionId', question: FeedQuestion, context: QueryContext) {
  const { selection } = planSelection(question, planContext(context));
  const field = fieldOf(name);
  const present: Predicate = { field, test: { kind: 'present' }, negated: false };
  const plan = aggregatePlan({
    selection: { ...selection, predicates: [...selection.predicates, present] },
    groupBy: [field],
    metrics: [{ aggregation: 'count', field: null }],
    limit: MAX_LISTED,
  });
  const { rows, total } = await context.store.query(context.caller.tenantId, plan, context.signal);
  return { values: rows.map(([value, events]) => [value as string, events as number] as const), total };
}
