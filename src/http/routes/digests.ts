import { z } from 'zod';
import {
  createDigestSchema,
  digestSchema,
  digestsQuerySchema,
  updateDigestSchema,
} from '../../core/watch/digests/schema.ts';
import { type Route, route } from '../route.ts';
import { deliverySchema, newSecretsSchema, sentSchema, shownDelivery } from './deliveries.ts';
import { nounRoutes } from './noun-routes.ts';

const UNKNOWN = { 404: 'There is no such digest.' };
const digests = nounRoutes({
  path: '/api/v1/runtime/observability/digests',
  params: z.strictObject({ id: z.string() }),
  tag: 'Alerts',
  scopes: { read: 'alerts:read', write: 'alerts:write' },
  member: 'digest',
  schema: digestSchema,
  beside: { newSecrets: newSecretsSchema },
  maxBytes: 64 * 1024,
  missing: UNKNOWN[404],
});
const { path, params } = digests.one;

export const digestRoutes: Route[] = [
  digests.list({
    summary: 'List digests',
    description: 'Newest first, with when each was sent last and is sent next.',
    query: digestsQuerySchema,
    list: ({ services, caller, query }) => services.digests.list(caller, query),
  }),
  digests.create({
    summary: 'Create a digest',
    description:
      'Sends the cards of a dashboard on a schedule: numbers with what changed since the last time, and pictures.',
    body: createDigestSchema,
    faults: { 404: 'There is no such tab or card.', 422: 'The tenant has as many digests as it can.' },
    answer: ({ services, caller, body }) => services.digests.create(caller, body),
  }),
  digests.get({
    summary: 'Get a digest',
    description: 'The definition of the digest, and when it was and will be sent.',
    answer: ({ services, caller, params }) => services.digests.get(caller, params.id),
  }),
  digests.change({
    summary: 'Change a digest',
    description: 'Send only what changes. Targets that are sent without their secrets keep them.',
    body: updateDigestSchema,
    faults: { 404: 'There is no such digest, tab or card.', 409: 'It was changed at the same time.' },
    answer: ({ services, caller, params, body }) => services.digests.update(caller, params.id, body),
  }),
  digests.remove({
    summary: 'Remove a digest',
    description: 'Messages that wait are still delivered.',
    run: ({ services, caller, params }) => services.digests.remove(caller, params.id),
  }),
  route({
    method: 'post',
    path: `${path}/test`,
    access: 'alerts:write',
    tag: 'Alerts',
    summary: 'Send a digest now',
    description: 'Sends the digest to each target, beside the schedule.',
    params,
    body: { schema: z.strictObject({}), maxBytes: 1024, optional: true },
    faults: { ...UNKNOWN, 422: 'The key of the targets is lost.' },
    responses: {
      200: {
        description: 'What was sent.',
        schema: z.object({ success: z.literal(true), deliveries: sentSchema }),
      },
    },
    answer: async ({ services, caller, params, signal }) => ({
      success: true,
      deliveries: await services.digests.test(caller, params.id, signal),
    }),
  }),
  route({
    method: 'get',
    path: `${path}/history`,
    access: 'alerts:read',
    tag: 'Alerts',
    summary: 'History of a digest',
    description: 'The latest messages of the digest, newest first, with how each was delivered.',
    params,
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
