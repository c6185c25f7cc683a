import { z } from 'zod';
import { pageSchema } from '../../core/access/auth/schema.ts';
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
import { pagedRoute } from './paged-route.ts';

const ALERTS = '/api/v1/runtime/observability/alerts';
const ALERT = `${ALERTS}/:id`;
const MAX_BYTES = 64 * 1024;

const READ = { access: 'alerts:read', tag: 'Alerts' } as const;
const WRITE = { access: 'alerts:write', tag: 'Alerts' } as const;
const byId = z.strictObject({ id: z.string() });
const NO_ALERT = 'There is no such alert.';
const UNKNOWN = { 404: NO_ALERT };
const oneAlert = z.object({ success: z.literal(true), alert: alertSchema });
const savedAlert = oneAlert.extend({ newSecrets: newSecretsSchema });

export const alertRoutes: Route[] = [
  pagedRoute({
    path: ALERTS,
    ...READ,
    summary: 'List alerts',
    description: 'Newest first, with the state of each.',
    query: alertsQuerySchema,
    page: 'One page of alerts.',
    member: ['alerts', z.array(alertSchema)],
    list: ({ services, caller, query }) => services.alerts.list(caller, query),
  }),
  route({
    method: 'post',
    path: ALERTS,
    ...WRITE,
    summary: 'Create an alert',
    description:
      'Checks the last complete bucket of a metric, a question or a card on a schedule, and tells the targets when its state changes.',
    body: { schema: createAlertSchema, maxBytes: MAX_BYTES },
    faults: {
      404: 'There is no such card.',
      422: 'The tenant has as many alerts, or bytes of definitions, as it can.',
    },
    responses: { 201: { description: 'The alert.', schema: savedAlert } },
    run: async ({ services, caller, body }) => ({
      status: 201,
      body: { success: true, ...(await services.alerts.create(caller, body)) },
    }),
  }),
  route({
    method: 'get',
    path: ALERT,
    ...READ,
    summary: 'Get an alert',
    description: 'The definition, the state and the last check of the alert.',
    params: byId,
    faults: UNKNOWN,
    responses: { 200: { description: 'The alert.', schema: oneAlert } },
    run: async ({ services, caller, params }) => ({
      body: { success: true, alert: await services.alerts.get(caller, params.id) },
    }),
  }),
  route({
    method: 'patch',
    path: ALERT,
    ...WRITE,
    summary: 'Change an alert',
    description:
      'Send only what changes. A change of what is checked begins with the state ok. Targets that are sent without their secrets keep them.',
    params: byId,
    body: { schema: updateAlertSchema, maxBytes: MAX_BYTES },
    faults: {
      404: 'There is no such alert or card.',
      409: 'It was changed at the same time.',
      422: 'The tenant has as many bytes of definitions as it can.',
    },
    responses: { 200: { description: 'The changed alert.', schema: savedAlert } },
    run: async ({ services, caller, params, body }) => ({
      body: { success: true, ...(await services.alerts.update(caller, params.id, body)) },
    }),
  }),
  route({
    method: 'delete',
    path: ALERT,
    ...WRITE,
    summary: 'Remove an alert',
    description: 'Deletes the alert with its history. Messages that wait are still delivered.',
    params: byId,
    faults: UNKNOWN,
    responses: { 204: { description: 'Removed.' } },
    run: ({ services, caller, params }) => services.alerts.remove(caller, params.id),
  }),
  route({
    method: 'post',
    path: `${ALERT}/test`,
    ...WRITE,
    summary: 'Test an alert',
    description: 'Checks now, and sends each target a test message. The state stays as it is.',
    params: byId,
    body: { schema: z.strictObject({}), maxBytes: 1024, optional: true },
    faults: { ...UNKNOWN, 422: 'The key of the targets is lost.' },
    responses: {
      200: {
        description: 'What the check found.',
        schema: z.object({ success: z.literal(true), test: alertTestSchema }),
      },
    },
    run: async ({ services, caller, params, signal }) => ({
      body: { success: true, test: await services.alerts.test(caller, params.id, signal) },
    }),
  }),
  route({
    method: 'get',
    path: `${ALERT}/history`,
    ...READ,
    summary: 'History of an alert',
    description: 'Changes of its state, newest first, and its latest messages with how each was delivered.',
    params: byId,
    query: pageSchema,
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
