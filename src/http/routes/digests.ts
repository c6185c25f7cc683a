import { z } from 'zod';
import {
  createDigestSchema,
  digestSchema,
  digestsQuerySchema,
  updateDigestSchema,
} from '../../core/watch/digests/schema.ts';
import { type Route, route } from '../route.ts';
import { deliverySchema, newSecretsSchema, sentSchema, shownDelivery } from './deliveries.ts';
import { pagedRoute } from './paged-route.ts';

const DIGESTS = '/api/v1/runtime/observability/digests';
const DIGEST = `${DIGESTS}/:id`;
const MAX_BYTES = 64 * 1024;

const READ = { access: 'alerts:read', tag: 'Alerts' } as const;
const WRITE = { access: 'alerts:write', tag: 'Alerts' } as const;
const byId = z.strictObject({ id: z.string() });
const UNKNOWN = { 404: 'There is no such digest.' };
const oneDigest = z.object({ success: z.literal(true), digest: digestSchema });
const savedDigest = oneDigest.extend({ newSecrets: newSecretsSchema });

export const digestRoutes: Route[] = [
  pagedRoute({
    path: DIGESTS,
    ...READ,
    summary: 'List digests',
    description: 'Newest first, with when each was sent last and is sent next.',
    query: digestsQuerySchema,
    page: 'One page of digests.',
    member: ['digests', z.array(digestSchema)],
    list: ({ services, caller, query }) => services.digests.list(caller, query),
  }),
  route({
    method: 'post',
    path: DIGESTS,
    ...WRITE,
    summary: 'Create a digest',
    description:
      'Sends the cards of a dashboard on a schedule: numbers with what changed since the last time, and pictures.',
    body: { schema: createDigestSchema, maxBytes: MAX_BYTES },
    faults: { 404: 'There is no such tab or card.', 422: 'The tenant has as many digests as it can.' },
    responses: { 201: { description: 'The digest.', schema: savedDigest } },
    run: async ({ services, caller, body }) => ({
      status: 201,
      body: { success: true, ...(await services.digests.create(caller, body)) },
    }),
  }),
  route({
    method: 'get',
    path: DIGEST,
    ...READ,
    summary: 'Get a digest',
    description: 'The definition of the digest, and when it was and will be sent.',
    params: byId,
    faults: UNKNOWN,
    responses: { 200: { description: 'The digest.', schema: oneDigest } },
    run: async ({ services, caller, params }) => ({
      body: { success: true, digest: await services.digests.get(caller, params.id) },
    }),
  }),
  route({
    method: 'patch',
    path: DIGEST,
    ...WRITE,
    summary: 'Change a digest',
    description: 'Send only what changes. Targets that are sent without their secrets keep them.',
    params: byId,
    body: { schema: updateDigestSchema, maxBytes: MAX_BYTES },
    faults: { 404: 'There is no such digest, tab or card.', 409: 'It was changed at the same time.' },
    responses: { 200: { description: 'The changed digest.', schema: savedDigest } },
    run: async ({ services, caller, params, body }) => ({
      body: { success: true, ...(await services.digests.update(caller, params.id, body)) },
    }),
  }),
  route({
    method: 'delete',
    path: DIGEST,
    ...WRITE,
    summary: 'Remove a digest',
    description: 'Messages that wait are still delivered.',
    params: byId,
    faults: UNKNOWN,
    responses: { 204: { description: 'Removed.' } },
    run: ({ services, caller, params }) => services.digests.remove(caller, params.id),
  }),
  route({
    method: 'post',
    path: `${DIGEST}/test`,
    ...WRITE,
    summary: 'Send a digest now',
    description: 'Sends the digest to each target, beside the schedule.',
    params: byId,
    body: { schema: z.strictObject({}), maxBytes: 1024, optional: true },
    faults: { ...UNKNOWN, 422: 'The key of the targets is lost.' },
    responses: {
      200: {
        description: 'What was sent.',
        schema: z.object({ success: z.literal(true), deliveries: sentSchema }),
      },
    },
    run: async ({ services, caller, params, signal }) => ({
      body: { success: true, deliveries: await services.digests.test(caller, params.id, signal) },
    }),
  }),
  route({
    method: 'get',
    path: `${DIGEST}/history`,
    ...READ,
    summary: 'History of a digest',
    description: 'The latest messages of the digest, newest first, with how each was delivered.',
    params: byId,
    faults: UNKNOWN,
    responses: {
      200: { description: 'The messages.', schema: z.object({ deliveries: z.array(deliverySchema) }) },
    },
    run: async ({ services, caller, params }) => {
      const deliveries = await services.digests.deliveries(caller, params.id);
      return { body: { deliveries: deliveries.map(shownDelivery) } };
    },
  }),
];
