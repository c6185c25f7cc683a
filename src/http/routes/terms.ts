import { z } from 'zod';
import {
  createTermSchema,
  termSchema,
  termsQuerySchema,
  updateTermSchema,
} from '../../core/analytics/metrics/schema.ts';
import { type Route, route } from '../route.ts';
import { pagedRoute } from './paged-route.ts';

const TERMS = '/api/v1/runtime/observability/terms';
const MAX_BYTES = 16 * 1024;

const READ = { access: 'metrics:read', tag: 'Metrics' } as const;
const WRITE = { access: 'metrics:write', tag: 'Metrics' } as const;
const byTerm = z.strictObject({ term: z.string() });
const NO_TERM = 'There is no such term.';
const oneTerm = z.object({ success: z.literal(true), term: termSchema });

export const termRoutes: Route[] = [
  pagedRoute({
    path: TERMS,
    ...READ,
    summary: 'List the terms of the business glossary',
    description: 'Words with their definitions, their synonyms and the metric that they mean; by term.',
    query: termsQuerySchema,
    page: 'One page of terms.',
    member: ['terms', z.array(termSchema)],
    list: ({ services, caller, query }) => services.glossary.list(caller, query),
  }),
  route({
    method: 'post',
    path: TERMS,
    ...WRITE,
    summary: 'Add a term',
    description: 'Where `metric` is set, questions find that metric by the term and by its synonyms.',
    body: { schema: createTermSchema, maxBytes: MAX_BYTES },
    faults: {
      409: 'The term is there already.',
      422: 'The tenant has as many terms, or bytes of definitions, as it can.',
    },
    responses: { 201: { description: 'The term.', schema: oneTerm } },
    run: async ({ services, caller, body }) => ({
      status: 201,
      body: { success: true, term: await services.glossary.create(caller, body) },
    }),
  }),
  route({
    method: 'get',
    path: `${TERMS}/:term`,
    ...READ,
    summary: 'Get a term',
    description: 'The term, in its own spelling.',
    params: byTerm,
    faults: { 404: NO_TERM },
    responses: { 200: { description: 'The term.', schema: oneTerm } },
    run: async ({ services, caller, params }) => ({
      body: { success: true, term: await services.glossary.get(caller, params.term) },
    }),
  }),
  route({
    method: 'patch',
    path: `${TERMS}/:term`,
    ...WRITE,
    summary: 'Change a term',
    description: 'Send only what changes; null removes synonyms or the metric.',
    params: byTerm,
    body: { schema: updateTermSchema, maxBytes: MAX_BYTES },
    faults: { 404: NO_TERM, 422: 'The tenant has as many bytes of definitions as it can.' },
    responses: { 200: { description: 'The changed term.', schema: oneTerm } },
    run: async ({ services, caller, params, body }) => ({
      body: { success: true, term: await services.glossary.update(caller, params.term, body) },
    }),
  }),
  route({
    method: 'delete',
    path: `${TERMS}/:term`,
    ...WRITE,
    summary: 'Remove a term',
    description: 'Questions do not find a metric by it any more.',
    params: byTerm,
    faults: { 404: NO_TERM },
    responses: { 204: { description: 'Removed.' } },
    run: ({ services, caller, params }) => services.glossary.remove(caller, params.term),
  }),
];
