import { z } from 'zod';
import {
  executionListSchema,
  listExecutionsSchema,
  listStepsSchema,
  stepListSchema,
} from '../../core/agents/executions/list-schema.ts';
import { executionSchema, MAX_EXECUTION_BYTES, recordExecutionSchema } from '../../core/agents/executions/schema.ts';
import { recordStepsSchema } from '../../core/agents/executions/step-schema.ts';
import {
  listThreadsSchema,
  readThreadSchema,
  threadListSchema,
  threadSchema,
} from '../../core/agents/executions/threads-schema.ts';
import { callerIdSchema } from '../../core/base/shared/name-schemas.ts';
import { type Route, route } from '../route.ts';

export const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';

const ONE = `${EXECUTIONS}/:executionId`;
const ofExecution = z.strictObject({
  executionId: callerIdSchema.describe('The id under which the execution was recorded.'),
});
const MISSING = 'There is no such execution.';
const IMPOSSIBLE = 'It, or a step, would end before it starts, be its own ancestor, or be too large.';

const THREADS = '/api/v1/runtime/v1/observability/threads';
const READ = { access: 'executions:read', tag: 'Executions' } as const;

export const executionRoutes: Route[] = [
  route({
    method: 'post',
    path: EXECUTIONS,
    access: 'executions:write',
    tag: 'Executions',
    summary: 'Record an execution',
    description:
      'Keeps what an execution engine did. A repeated id changes that execution: members that are given replace what was ' +
      'recorded, the others stay, so that a running one can be completed. Null counts as left out, as do empty messages.',
    body: { schema: recordExecutionSchema, maxBytes: MAX_EXECUTION_BYTES },
    faults: { 409: 'The execution belongs to another agent.', 422: IMPOSSIBLE },
    responses: {
      200: { description: 'The execution was known and is changed.', schema: executionSchema },
      201: { description: 'The execution is new.', schema: executionSchema },
    },
    run: async ({ services, caller, body }) => {
      const { created, execution } = await services.executions.record(caller, body);
      return { status: created ? 201 : 200, body: execution };
    },
  }),
  route({
    method: 'get',
    path: EXECUTIONS,
    ...READ,
    summary: 'List executions',
    description:
      'Rows without messages, the newest first unless sorted otherwise. search looks for words of messages and output as the ' +
      'search of reviews does. total counts at most 10,000, and is null when counting would hold up the rows.',
    query: listExecutionsSchema,
    responses: { 200: { description: 'One page of executions.', schema: executionListSchema } },
    answer: ({ services, caller, query }) => services.executionLists.list(caller, query),
  }),
  route({
    method: 'post',
    path: `${ONE}/steps`,
    access: 'executions:write',
    tag: 'Executions',
    summary: 'Add or change steps',
    description:
      'In any order, also before the step within which they ran. A repeated id changes that step: members that are given ' +
      'replace what was recorded, the others stay.',
    params: ofExecution,
    body: { schema: recordStepsSchema, maxBytes: MAX_EXECUTION_BYTES },
    faults: { 404: MISSING, 422: IMPOSSIBLE },
    responses: { 200: { description: 'The execution with its first 1,000 steps.', schema: executionSchema } },
    answer: async ({ services, caller, params, body }) =>
      (await services.executions.recordSteps(caller, params.executionId, body)).execution,
  }),
  route({
    method: 'get',
    path: `${ONE}/steps`,
    ...READ,
    summary: 'List steps',
    description: 'The steps of an execution in the order of their starts.',
    params: ofExecution,
    query: listStepsSchema,
    faults: { 404: MISSING },
    responses: { 200: { description: 'One page of steps.', schema: stepListSchema } },
    answer: ({ services, caller, params, query }) => services.executions.steps(caller, params.executionId, query),
  }),
  route({
    method: 'get',
    path: ONE,
    ...READ,
    summary: 'Get an execution',
    description: 'One execution with its whole conversation and its first 1,000 steps.',
    params: ofExecution,
    faults: { 404: MISSING },
    responses: { 200: { description: 'The execution.', schema: executionSchema } },
    answer: ({ services, caller, params }) => services.executions.execution(caller, params.executionId),
  }),
  route({
    method: 'get',
    path: THREADS,
    ...READ,
    summary: 'List threads',
    description:
      'Conversations that have executions, the one with the newest execution first. A filter keeps the threads of which an ' +
      'execution fits, and orders them by these; numbers, cost and times are those of the whole thread.',
    query: listThreadsSchema,
    responses: { 200: { description: 'One page of threads.', schema: threadListSchema } },
    answer: ({ services, caller, query, signal }) => services.threads.list(caller, query, signal),
  }),
  route({
    method: 'get',
    path: `${THREADS}/:threadId`,
    ...READ,
    summary: 'Get a thread',
    description:
      "A conversation in order: its executions, its events without the runtime's own, and the reviews of its executions. " +
      'Events are shown to callers with `events:read`, reviews to those with `reviews:read`. Also answers a thread that ' +
      'only events name, which the list does not have.',
    params: z.strictObject({ threadId: callerIdSchema.describe('The conversation.') }),
    query: readThreadSchema,
    faults: { 404: 'Nothing that the caller may see belongs to such a thread.' },
    responses: { 200: { description: 'One page of the thread.', schema: threadSchema } },
    answer: ({ services, caller, params, query, signal }) =>
      services.threads.thread(caller, params.threadId, query, signal),
  }),
];
