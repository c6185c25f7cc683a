import { z } from 'zod';
import {
  assessmentListSchema,
  assessmentSchema,
  assessmentsQuerySchema,
  assessSchema,
} from '../../core/agents/assessments/schema.ts';
import { callerIdSchema } from '../../core/base/shared/name-schemas.ts';
import { type Route, route } from '../route.ts';
import { EXECUTIONS } from './executions.ts';

const ASSESSMENTS = `${EXECUTIONS}/:executionId/assessments`;
/** Comment and answers at their maximum length, even if each character is escaped as `\u1234`. */
const MAX_BYTES = 256 * 1024;

const READ = { access: 'reviews:read', tag: 'Assessments' } as const;
const WRITE = { access: 'reviews:write', tag: 'Assessments' } as const;
const executionId = callerIdSchema.describe('The execution, recorded or not.');
const ofExecution = z.strictObject({ executionId });

export const assessmentRoutes: Route[] = [
  route({
    method: 'post',
    path: ASSESSMENTS,
    ...WRITE,
    summary: 'Assess an execution',
    description:
      "The caller's answers to a rubric. Each person and each API key has one assessment of an execution with a rubric: another one takes its place as a whole. Answers are checked against the version that `rubric` names, which is kept.",
    params: ofExecution,
    body: { schema: assessSchema, maxBytes: MAX_BYTES },
    faults: {
      422: 'There is no such rubric, a question does not take its answer, or the execution has as many assessments as it can.',
    },
    responses: {
      200: { description: "The caller's assessment is changed.", schema: assessmentSchema },
      201: { description: 'The assessment is new.', schema: assessmentSchema },
    },
    run: async ({ services, caller, params, body }) => {
      const { created, assessment } = await services.assessments.assess(caller, params.executionId, body);
      return { status: created ? 201 : 200, body: assessment };
    },
  }),
  route({
    method: 'get',
    path: ASSESSMENTS,
    ...READ,
    summary: 'List the assessments of an execution',
    description: 'Oldest first, with every rubric. An unknown execution has none.',
    params: ofExecution,
    query: assessmentsQuerySchema,
    responses: { 200: { description: 'One page of assessments.', schema: assessmentListSchema } },
    answer: ({ services, caller, params, query }) => services.assessments.list(caller, params.executionId, query),
  }),
  route({
    method: 'delete',
    path: `${ASSESSMENTS}/:assessmentId`,
    ...WRITE,
    summary: 'Delete an assessment',
    description: 'Only the assessor may: the same person, or the same API key.',
    params: z.strictObject({ executionId, assessmentId: z.string().describe('The id that the server made.') }),
    faults: {
      403: 'The assessment is of another assessor, the execution of another tenant, or the scope is missing.',
      404: 'The execution has no such assessment.',
    },
    responses: { 204: { description: 'Deleted.' } },
    run: ({ services, caller, params }) => services.assessments.remove(caller, params.executionId, params.assessmentId),
  }),
];
