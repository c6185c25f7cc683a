import { z } from 'zod';
import {
  createTermSchema,
  termSchema,
  termsQuerySchema,
  updateTermSchema,
} from '../../core/analytics/metrics/schema.ts';
import type { Route } from '../route.ts';
import { nounRoutes } from './noun-routes.ts';

const terms = nounRoutes({
  path: '/api/v1/runtime/observability/terms',
  params: z.strictObject({ term: z.string() }),
  tag: 'Metrics',
  scopes: { read: 'metrics:read', write: 'metrics:write' },
  member: 'term',
  schema: termSchema,
  maxBytes: 16 * 1024,
  missing: 'There is no such term.',
});

export const termRoutes: Route[] = [
  terms.list({
    summary: 'List the terms of the business glossary',
    description: 'Words with their definitions, their synonyms and the metric that they mean; by term.',
    query: termsQuerySchema,
    list: ({ services, caller, query }) => services.glossary.list(caller, query),
  }),
  terms.create({
    summary: 'Add a term',
    description: 'Where `metric` is set, questions find that metric by the term and by its synonyms.',
    body: createTermSchema,
    faults: {
      409: 'The term is there already.',
      422: 'The tenant has as many terms, or bytes of definitions, as it can.',
    },
    answer: ({ services, caller, body }) => services.glossary.create(caller, body),
  }),
  terms.get({
    summary: 'Get a term',
    description: 'The term, in its own spelling.',
    answer: ({ services, caller, params }) => services.glossary.get(caller, params.term),
  }),
  terms.change({
    summary: 'Change a term',
    description: 'Send only what changes; null removes synonyms or the metric.',
    body: updateTermSchema,
    faults: { 422: 'The tenant has as many bytes of definitions as it can.' },
    answer: ({ services, caller, params, body }) => services.glossary.update(caller, params.term, body),
  }),
  terms.remove({
    summary: 'Remove a term',
    description: 'Questions do not find a metric by it any more.',
    run: ({ services, caller, params }) => services.glossary.remove(caller, params.term),
  }),
];
