import { z } from 'zod';
import {
  approveMetricSchema,
  changeSchema,
  createMetricSchema,
  metricDiffQuerySchema,
  metricNameSchema,
  metricSchema,
  metricsQuerySchema,
  metricVersionSchema,
  metricVersionsQuerySchema,
  updateMetricSchema,
} from '../../core/analytics/metrics/schema.ts';
import { type Route, route } from '../route.ts';
import { pagedRoute } from './paged-route.ts';

const METRICS = '/api/v1/runtime/observability/metrics';
const MAX_BYTES = 128 * 1024;

const READ = { access: 'metrics:read', tag: 'Metrics' } as const;
const WRITE = { access: 'metrics:write', tag: 'Metrics' } as const;
const byName = z.strictObject({ name: metricNameSchema });
const NO_METRIC = 'There is no such metric; the message names the nearest.';
const oneMetric = z.object({ success: z.literal(true), metric: metricSchema });
const changes = z.array(changeSchema).describe('Member by member.');

export const metricRoutes: Route[] = [
  pagedRoute({
    path: METRICS,
    ...READ,
    summary: 'List metrics',
    description:
      'The approved version of each metric, or the newest where none is approved; by name, or with `search` best first.',
    query: metricsQuerySchema,
    page: 'One page of metrics.',
    member: ['metrics', z.array(metricSchema)],
    list: ({ services, caller, query }) => services.metricDefinitions.list(caller, query),
  }),
  route({
    method: 'post',
    path: METRICS,
    ...WRITE,
    summary: 'Propose a metric',
    description:
      'Version 1, in the state `proposed`. Questions can use it at once; their answers say that nobody has approved it.',
    body: { schema: createMetricSchema, maxBytes: MAX_BYTES },
    faults: {
      409: 'There is a metric of that name.',
      422: 'The tenant has as many metrics, or bytes of definitions, as it can.',
    },
    responses: { 201: { description: 'The proposed metric.', schema: oneMetric } },
    run: async ({ services, caller, body }) => ({
      status: 201,
      body: { success: true, metric: await services.metricDefinitions.create(caller, body) },
    }),
  }),
  route({
    method: 'get',
    path: `${METRICS}/:name`,
    ...READ,
    summary: 'Get a metric',
    description: 'The approved version, or the newest where none is approved.',
    params: byName,
    faults: { 404: NO_METRIC },
    responses: { 200: { description: 'The metric.', schema: oneMetric } },
    run: async ({ services, caller, params }) => ({
      body: { success: true, metric: await services.metricDefinitions.get(caller, params.name) },
    }),
  }),
  route({
    method: 'patch',
    path: `${METRICS}/:name`,
    ...WRITE,
    summary: 'Propose a new version of a metric',
    description:
      'The newest version with these members changed becomes the next version, in the state `proposed`. The approved version stays the one ' +
      'that the name stands for. Members that change nothing make no version.',
    params: byName,
    body: { schema: updateMetricSchema, maxBytes: MAX_BYTES },
    faults: {
      404: NO_METRIC,
      409: 'Another version was proposed at the same time.',
      422: 'The metric has as many versions, or the tenant as many bytes of definitions, as it can.',
    },
    responses: { 200: { description: 'The metric; `latestVersion` is the proposed one.', schema: oneMetric } },
    run: async ({ services, caller, params, body }) => ({
      body: { success: true, metric: await services.metricDefinitions.update(caller, params.name, body) },
    }),
  }),
  route({
    method: 'delete',
    path: `${METRICS}/:name`,
    ...WRITE,
    summary: 'Deprecate a metric',
    description:
      'No search finds it any more. Its versions can still be asked for, and their answers say so. A metric that a person approved is deprecated by administrators in the portal alone.',
    stepUp: true,
    params: byName,
    faults: { 404: NO_METRIC },
    responses: { 200: { description: 'The deprecated metric.', schema: oneMetric } },
    run: async ({ services, caller, params }) => ({
      body: { success: true, metric: await services.metricDefinitions.deprecate(caller.tenantId, params.name, caller) },
    }),
  }),
  route({
    method: 'get',
    path: `${METRICS}/:name/versions`,
    ...READ,
    summary: 'List the versions of a metric',
    description: 'Newest first, each with what it changed in the version before.',
    params: byName,
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
    path: `${METRICS}/:name/diff`,
    ...READ,
    summary: 'Compare two versions of a metric',
    description: 'The newest version with the one before by default.',
    params: byName,
    query: metricDiffQuerySchema,
    faults: { 404: 'There is no such metric or version.' },
    responses: {
      200: {
        description: 'The members that differ.',
        schema: z.object({ success: z.literal(true), from: z.int(), to: z.int(), changes }),
      },
    },
    run: async ({ services, caller, params, query }) => ({
      body: { success: true, ...(await services.metricDefinitions.diff(caller, params.name, query)) },
    }),
  }),
  route({
    method: 'post',
    path: `${METRICS}/:name/approve`,
    access: 'portal:administrator',
    stepUp: true,
    tag: 'Metrics',
    summary: 'Approve a version of a metric',
    description:
      'For administrators in the portal; no API key may. The name then stands for this version, and the version approved before becomes deprecated.',
    params: byName,
    body: { schema: approveMetricSchema, maxBytes: MAX_BYTES },
    faults: { 404: 'There is no such metric or version.' },
    responses: { 200: { description: 'The approved metric.', schema: oneMetric } },
    run: async ({ services, caller, params, body }) => ({
      body: { success: true, metric: await services.metricDefinitions.approve(caller, params.name, body.version) },
    }),
  }),
];
