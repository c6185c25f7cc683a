import { z } from 'zod';
import {
  approveMetricSchema,
  catalogMetricSchema,
  changeSchema,
  createMetricSchema,
  metricDiffQuerySchema,
  metricNameSchema,
  metricsQuerySchema,
  metricVersionSchema,
  metricVersionsQuerySchema,
  updateMetricSchema,
} from '../../core/analytics/metrics/schema.ts';
import { type Route, route } from '../route.ts';
import { nounRoutes } from './noun-routes.ts';

const MAX_BYTES = 128 * 1024;

const READ = { access: 'metrics:read', tag: 'Metrics' } as const;
const NO_METRIC = 'There is no such metric; the message names the nearest.';
const metrics = nounRoutes({
  path: '/api/v1/runtime/observability/metrics',
  params: z.strictObject({ name: metricNameSchema }),
  tag: 'Metrics',
  scopes: { read: 'metrics:read', write: 'metrics:write' },
  member: 'metric',
  schema: catalogMetricSchema,
  maxBytes: MAX_BYTES,
  missing: NO_METRIC,
});
const { path, params } = metrics.one;
const changes = z.array(changeSchema).describe('Member by member.');

export const metricRoutes: Route[] = [
  metrics.list({
    summary: 'List metrics',
    description:
      'The approved version of each metric, or the newest where none is approved; by name, or with `search` best first.',
    query: metricsQuerySchema,
    list: ({ services, caller, query }) => services.metricDefinitions.list(caller, query),
  }),
  metrics.create({
    summary: 'Propose a metric',
    description:
      'Version 1, in the state `proposed`. Questions can use it at once; their answers say that nobody has approved it.',
    body: createMetricSchema,
    faults: {
      409: 'There is a metric of that name.',
      422: 'The tenant has as many metrics, or bytes of definitions, as it can.',
    },
    answered: 'The proposed metric.',
    answer: ({ services, caller, body }) => services.metricDefinitions.create(caller, body),
  }),
  metrics.get({
    summary: 'Get a metric',
    description: 'The approved version, or the newest where none is approved.',
    answer: ({ services, caller, params }) => services.metricDefinitions.get(caller, params.name),
  }),
  metrics.change({
    summary: 'Propose a new version of a metric',
    description:
      'The newest version with these members changed becomes the next version, in the state `proposed`. The approved version stays the one ' +
      'that the name stands for. Members that change nothing make no version.',
    body: updateMetricSchema,
    faults: {
      409: 'Another version was proposed at the same time.',
      422: 'The metric has as many versions, or the tenant as many bytes of definitions, as it can.',
    },
    answered: 'The metric; `latestVersion` is the proposed one.',
    answer: ({ services, caller, params, body }) => services.metricDefinitions.update(caller, params.name, body),
  }),
  route({
    method: 'delete',
    path,
    access: 'metrics:write',
    tag: 'Metrics',
    summary: 'Deprecate a metric',
    description:
      'No search finds it any more. Its versions can still be asked for, and their answers say so. A metric that a person approved is deprecated by administrators in the portal alone.',
    stepUp: true,
    params,
    faults: { 404: NO_METRIC },
    responses: { 200: { description: 'The deprecated metric.', schema: metrics.shown } },
    answer: async ({ services, caller, params }) => ({
      success: true,
      metric: await services.metricDefinitions.deprecate(caller.tenantId, params.name, caller),
    }),
  }),
  route({
    method: 'get',
    path: `${path}/versions`,
    ...READ,
    summary: 'List the versions of a metric',
    description: 'Newest first, each with what it changed in the version before.',
    params,
    query: metricVersionsQuerySchema,
    faults: { 404: NO_METRIC },
    responses: {
      200: {
        description: 'One page of versions.',
        schema: z.object({
          success: z.literal(true),
          versions: z.array(metricVersionSchema.extend({ changes })),
          total: z.int(),
        }),
      },
    },
    run: async ({ services, caller, params, query }) => {
      const { items, total } = await services.metricDefinitions.versions(caller, params.name, query);
      return { body: { success: true, versions: items, total } };
    },
  }),
  route({
    method: 'get',
    path: `${path}/diff`,
    ...READ,
    summary: 'Compare two versions of a metric',
    description: 'The newest version with the one before by default.',
    params,
    query: metricDiffQuerySchema,
    faults: { 404: 'There is no such metric or version.' },
    responses: {
      200: {
        description: 'The members that differ.',
        schema: z.object({ success: z.literal(true), from: z.int(), to: z.int(), changes }),
      },
    },
    answer: async ({ services, caller, params, query }) => ({
      success: true,
      ...(await services.metricDefinitions.diff(caller, params.name, query)),
    }),
  }),
  route({
    method: 'post',
    path: `${path}/approve`,
    access: 'portal:administrator',
    stepUp: true,
    tag: 'Metrics',
    summary: 'Approve a version of a metric',
    description:
      'For administrators in the portal; no API key may. The name then stands for this version, and the version approved before becomes deprecated.',
    params,
    body: { schema: approveMetricSchema, maxBytes: MAX_BYTES },
    faults: { 404: 'There is no such metric or version.' },
    responses: { 200: { description: 'The approved metric.', schema: metrics.shown } },
    answer: async ({ services, caller, params, body }) => ({
      success: true,
      metric: await services.metricDefinitions.approve(caller, params.name, body.version),
    }),
  }),
];
