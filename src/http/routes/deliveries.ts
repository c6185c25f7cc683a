import { z } from 'zod';
import { DELIVERY_STATES, type Delivery } from '../../core/deliveries/store.ts';
import { formatUtc } from '../../core/events/time.ts';
import { responseSchemas } from '../../core/shared/schema-names.ts';

export const newSecretsSchema = z
  .array(z.object({ url: z.string(), secret: z.string() }))
  .describe('Signing secrets made for webhooks. They are not shown again.');

export const sentSchema = z
  .array(z.object({ id: z.string(), target: z.string() }))
  .describe('One message for each target; `deliveries` says how each was delivered.');

export const deliverySchema = z.object({
  id: z.string().describe('Webhooks get it as webhook-id.'),
  type: z.string(),
  title: z.string(),
  targetType: z.string(),
  target: z.string(),
  state: z.enum(DELIVERY_STATES).describe('dead: given up after all attempts.'),
  attempts: z.int(),
  error: z.string().nullable().describe('Of the last attempt.'),
  createdAt: z.string(),
  nextAttemptAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
responseSchemas.add(deliverySchema, { id: 'Delivery' });

export function shownDelivery(delivery: Delivery): z.output<typeof deliverySchema> {
  const { id, type, title, targetType, place, state, attempts, error } = delivery;
  const time = (at: number | null) => (at === null ? null : formatUtc(at));
  return {
    id,
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
