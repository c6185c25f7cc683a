import { z } from 'zod';
import {
  createRubricSchema,
  rubricListSchema,
  rubricNameSchema,
  rubricQuerySchema,
  rubricReferenceSchema,
  rubricSchema,
  rubricsQuerySchema,
  updateRubricSchema,
} from '../../core/agents/assessments/rubric-schema.ts';
import { agreementQuerySchema, agreementSchema } from '../../core/agents/assessments/schema.ts';
import { type Route, route } from '../route.ts';

const RUBRICS = '/api/v1/runtime/v1/observability/rubrics';
/** Every text at its maximum length, in Latin script. */
const MAX_BYTES = 1024 * 1024;

const READ = { access: 'reviews:read', tag: 'Assessments' } as const;
const WRITE = { access: 'reviews:write', tag: 'Assessments' } as const;
const byName = z.strictObject({ name: rubricNameSchema.describe('The name of the rubric.') });
const byReference = z.strictObject({ name: rubricReferenceSchema.describe('Its name, or name@version.') });
const versionOf = ({ version }: { version: number }) => String(version);
const NO_RUBRIC = 'There is no such rubric or version; the message names the nearest.';
const TOO_MANY = 'The tenant has as many rubrics, versions, or bytes of definitions, as it can.';

export const rubricRoutes: Route[] = [
  route({
    method: 'get',
    path: RUBRICS,
    ...READ,
    summary: 'List rubrics',
    description: 'The newest version of each rubric, by name.',
    query: rubricsQuerySchema,
    responses: { 200: { description: 'One page of rubrics.', schema: rubricListSchema } },
    answer: ({ services, caller, query }) => services.rubrics.list(caller, query),
  }),
  route({
    method: 'post',
    path: RUBRICS,
    ...WRITE,
    summary: 'Create a rubric',
    description: 'A named set of questions about an execution, as version 1.',
    body: { schema: createRubricSchema, maxBytes: MAX_BYTES },
    faults: { 409: 'There is a rubric of that name.', 422: TOO_MANY },
    responses: { 201: { description: 'The rubric.', schema: rubricSchema } },
    answer: ({ services, caller, body }) => services.rubrics.create(caller, body),
  }),
  route({
    method: 'get',
    path: `${RUBRICS}/:name`,
    ...READ,
    summary: 'Get a rubric',
    description: 'The newest version, or the one that is asked for. Versions never change.',
    version: versionOf,
    params: byReference,
    query: rubricQuerySchema,
    faults: { 404: NO_RUBRIC },
    responses: { 200: { description: 'The rubric.', schema: rubricSchema } },
    answer: ({ services, caller, params, query }) => services.rubrics.get(caller, params.name, query.version),
  }),
  route({
    method: 'patch',
    path: `${RUBRICS}/:name`,
    ...WRITE,
    summary: 'Make a new version of a rubric',
    description:
      'The newest version with these members changed becomes the next one; what changes nothing makes none. Assessments keep the version that was answered.',
    version: versionOf,
    params: byName,
    body: { schema: updateRubricSchema, maxBytes: MAX_BYTES },
    faults: { 404: NO_RUBRIC, 409: 'Another version was made at the same time.', 422: TOO_MANY },
    responses: { 200: { description: 'The newest version.', schema: rubricSchema } },
    answer: ({ services, caller, params, body, ifMatch }) =>
      services.rubrics.update(caller, params.name, body, ifMatch),
  }),
  route({
    method: 'get',
    path: `${RUBRICS}/:name/agreement`,
    ...READ,
    summary: 'Do people agree on a rubric?',
    description:
      "For each question, how far the answers of different people to the same executions agree: as they are, and beyond chance by Cohen's or Fleiss' kappa. Those of API keys and judges do not count.",
    params: byName,
    query: agreementQuerySchema,
    faults: {
      404: NO_RUBRIC,
      422: 'More than 100,000 assessments match; ask for fewer by dates.',
      503: 'Too many agreements are asked for; see Retry-After.',
    },
    responses: { 200: { description: 'The agreement on each question.', schema: agreementSchema } },
    answer: ({ services, caller, params, query, signal }) =>
      services.assessments.agreement(caller, params.name, query, signal),
  }),
];
