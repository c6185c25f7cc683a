import type { TenantRuntimeEvent } from '../../base/audit/runtime-event.ts';
import type { DeliveryOutcome } from './attempt.ts';
import type { Delivery } from './store.ts';

/** The event of an attempt. Errors in it name no address of a person. */
export function deliveryEvent(delivery: Delivery, outcome: DeliveryOutcome): TenantRuntimeEvent {
  const { id, tenantId, source, type, targetType, attempts, createdAt, attemptedAt } = delivery;
  const eventName = outcome.kind === 'sent' ? 'runtime.delivery_sent' : 'runtime.delivery_failed';
  const failure =
    outcome.kind === 'sent' ? {} : { error: withoutAddresses(outcome.error), isDead: outcome.kind === 'dead' };
  const timestamp = attemptedAt ?? createdAt;
  return {
    tenantId,
    id: `${eventName}:${id}:${attempts}`,
    eventName,
    timestamp,
    properties: {
      deliveryId: id,
      source: source.kind,
      sourceId: source.id,
      type,
      target: targetType,
      attempts,
      durationMs: outcome.ms,
      waitMs: timestamp - createdAt,
      ...failure,
    },
  };
}

function withoutAddresses(error: string): string {
  return error.replaceAll(/[^\s<>(),;]+@[^\s<>(),;]+/g, 'an address');
}
