import { z } from 'zod';
import { pageQuerySchema } from '../../core/access/auth/schema.ts';
import { responseSchemas } from '../../core/base/shared/schema-names.ts';
import { formatUtc } from '../../core/base/time/time.ts';
import { DELIVERY_STATES, type Delivery } from '../../core/watch/deliveries/store.ts';
import type { Route } from '../route.ts';
import { pagedRoute } from './noun-routes.ts';

export const newSecretsSchema = z
  .array(z.object({ url: z.string(), secret: z.string() }))
  .describe('Signing secrets made for webhooks. They are not shown again.');

export const sentSchema = z
  .array(z.object({ id: z.string(), target: z.string() }))
  .describe('A message for each target; `deliveries` says how each was delivered.');

export const deliverySchema = z.object({
  id: z.string().describe('Webhooks get it as webhook-id.'),
  source: z.object({ kind: z.enum(['alert', 'digest']), id: z.string() }),
  type: z.string(),
  title: z.string(),
  targetType: z.string(),
  target: z.string(),
  state: z.enum(DELIVERY_STATES).describe('dead: given up after all attempts.'),
  attempts: z.int(),
  error: z.string().nullable().describe('The error of the last attempt.'),
  createdAt: z.string(),
  nextAttemptAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
responseSchemas.add(deliverySchema, { id: 'Delivery' });

const deliveriesQuerySchema = z.strictObject({
  ...pageQuerySchema.shape,
  state: z.enum(DELIVERY_STATES).optional().describe('dead: given up after all attempts.'),
});

export const deliveryRoutes: Route[] = [
  pagedRoute({
    path: '/api/v1/runtime/observability/deliveries',
    access: 'alerts:read',
    tag: 'Alerts',
    summary: 'List deliveries',
    description:
      'Messages of all alerts and digests, also of deleted ones, newest first, with how each was delivered. `state=dead` lists those that were given up.',
    query: deliveriesQuerySchema,
    page: 'One page of deliveries.',
    member: ['deliveries', z.array(deliverySchema)],
    list: async ({ services, caller, query }) => {
      const { items, total } = await services.deliveries.page(caller, query);
      return { items: items.map(shownDelivery), total };
    },
  }),
];

export function shownDelivery(delivery: Delivery): z.output<typeof deliverySchema> {
  const { id, source, type, title, targetType, place, state, attempts, error } = delivery;
  const time = (at: number | null) => (at === null ? null : formatUtc(at));
  return {
    id,
    source,
    type,
    title,
    targetType,
    target: place,
    state,
    attempts,
    error,
    createdAt: formatUtc(delivery.createdAt),
    nextAttemptAt: time(delivery.nextAttemptAt),
    finishedAt: time(delivery.finishedAt),
  };
}
