import { z } from 'zod';
import { pageQuerySchema } from '../../core/access/auth/schema.ts';
import {
  alertChangeSchema,
  alertSchema,
  alertsQuerySchema,
  alertTestSchema,
  createAlertSchema,
  updateAlertSchema,
} from '../../core/watch/alerts/schema.ts';
import { type Route, route } from '../route.ts';
import { deliverySchema, newSecretsSchema, shownDelivery } from './deliveries.ts';
import { nounRoutes } from './noun-routes.ts';

const UNKNOWN = { 404: 'There is no such alert.' };
const alerts = nounRoutes({
  path: '/api/v1/runtime/observability/alerts',
  params: z.strictObject({ id: z.string() }),
  tag: 'Alerts',
  scopes: { read: 'alerts:read', write: 'alerts:write' },
  member: 'alert',
  schema: alertSchema,
  beside: { newSecrets: newSecretsSchema },
  maxBytes: 64 * 1024,
  missing: UNKNOWN[404],
});
const { path, params } = alerts.one;

export const alertRoutes: Route[] = [
  alerts.list({
    summary: 'List alerts',
    description: 'Newest first, with the state of each.',
    query: alertsQuerySchema,
    list: ({ services, caller, query }) => services.alerts.list(caller, query),
  }),
  alerts.create({
    summary: 'Create an alert',
    description:
      'Checks the last complete bucket of a metric, a question or a card on a schedule, and tells the targets when its state changes.',
    body: createAlertSchema,
    faults: {
      404: 'There is no such card.',
      422: 'The tenant has as many alerts, or bytes of definitions, as it can.',
    },
    answer: ({ services, caller, body }) => services.alerts.create(caller, body),
  }),
  alerts.get({
    summary: 'Get an alert',
    description: 'The definition, the state and the last check of the alert.',
    answer: ({ services, caller, params }) => services.alerts.get(caller, params.id),
  }),
  alerts.change({
    summary: 'Change an alert',
    description:
      'Send only what changes. A change of what is checked begins with the state ok. Targets that are sent without their secrets keep them.',
    body: updateAlertSchema,
    faults: {
      404: 'There is no such alert or card.',
      409: 'It was changed at the same time.',
      422: 'The tenant has as many bytes of definitions as it can.',
    },
    answer: ({ services, caller, params, body }) => services.alerts.update(caller, params.id, body),
  }),
  alerts.remove({
    summary: 'Remove an alert',
    description: 'Deletes the alert with its history. Messages that wait are still delivered.',
    run: ({ services, caller, params }) => services.alerts.remove(caller, params.id),
  }),
  route({
    method: 'post',
    path: `${path}/test`,
    access: 'alerts:write',
    tag: 'Alerts',
    summary: 'Test an alert',
    description: 'Checks now, and sends each target a test message. The state stays as it is.',
    params,
    body: { schema: z.strictObject({}), maxBytes: 1024, optional: true },
    faults: { ...UNKNOWN, 422: 'The key of the targets is lost.' },
    responses: {
      200: {
        description: 'What the check found.',
        schema: z.object({ success: z.literal(true), test: alertTestSchema }),
      },
    },
    answer: async ({ services, caller, params, signal }) => ({
      success: true,
      test: await services.alerts.test(caller, params.id, signal),
    }),
  }),
  route({
    method: 'get',
    path: `${path}/history`,
    access: 'alerts:read',
    tag: 'Alerts',
    summary: 'History of an alert',
    description: 'Changes of its state, newest first, and its latest messages with how each was delivered.',
    params,
    query: pageQuerySchema,
    faults: UNKNOWN,
    responses: {
      200: {
        description: 'One page of changes.',
        schema: z.object({
          changes: z.array(alertChangeSchema),
          total: z.int(),
          limit: z.int(),
          offset: z.int(),
          deliveries: z.array(deliverySchema),
        }),
      },
    },
    run: async ({ services, caller, params, query }) => {
      const { items, total } = await services.alerts.history(caller, params.id, query);
      const deliveries = await services.alerts.deliveries(caller, params.id);
      return { body: { changes: items, total, ...query, deliveries: deliveries.map(shownDelivery) } };
    },
  }),
];
