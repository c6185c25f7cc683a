import { z } from 'zod';
import { executionSchema, MAX_EXECUTION_BYTES, recordExecutionSchema } from '../../core/agents/executions/schema.ts';
import { callerIdSchema } from '../../core/base/shared/name-schemas.ts';
import { type Route, route } from '../route.ts';

export const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';

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
    faults: { 409: 'The execution belongs to another agent.', 422: 'It would end before it starts, or be too large.' },
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
    path: `${EXECUTIONS}/:executionId`,
    access: 'executions:read',
    tag: 'Executions',
    summary: 'Get an execution',
    description: 'One execution with its whole conversation.',
    params: z.strictObject({ executionId: callerIdSchema.describe('The id under which the execution was recorded.') }),
    faults: { 404: 'There is no such execution.' },
    responses: { 200: { description: 'The execution.', schema: executionSchema } },
    answer: ({ services, caller, params }) => services.executions.execution(caller, params.executionId),
  }),
];
