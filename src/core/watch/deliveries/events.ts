import type { EventStore, StoredEvent } from '../../analytics/events/store.ts';
import { DEFAULT_AGENT } from '../../base/shared/agent.ts';
import type { DeliveryOutcome } from './attempt.ts';
import type { Delivery } from './store.ts';

export interface DeliveryEventsParts {
  events: Pick<EventStore, 'append'>;
  tenants: { isBlocked(tenantId: string): boolean };
  onError(error: unknown): void;
}

/** Records each attempt as an event of the tenant. A crash may lose the last ones. */
export class DeliveryEvents {
  private readonly parts: DeliveryEventsParts;
  private readonly writing = new Set<Promise<void>>();

  constructor(parts: DeliveryEventsParts) {
    this.parts = parts;
  }

  record(delivery: Delivery, outcome: DeliveryOutcome): void {
    const { events, tenants, onError } = this.parts;
    if (tenants.isBlocked(delivery.tenantId)) return;
    const written = events
      .append(delivery.tenantId, [eventOf(delivery, outcome)])
      .then(() => undefined)
      .catch(onError)
      .finally(() => this.writing.delete(written));
    this.writing.add(written);
  }

  async settled(): Promise<void> {
    await Promise.all(this.writing);
  }
}

/** Those of people. */
function withoutAddresses(error: string): string {
  return error.replaceAll(/[^\s<>(),;]+@[^\s<>(),;]+/g, 'an address');
}

function eventOf(delivery: Delivery, outcome: DeliveryOutcome): StoredEvent {
  const { id, source, type, targetType, attempts, createdAt, attemptedAt } = delivery;
  const eventName = outcome.kind === 'sent' ? 'runtime.delivery_sent' : 'runtime.delivery_failed';
  const failure =
    outcome.kind === 'sent' ? {} : { error: withoutAddresses(outcome.error), isDead: outcome.kind === 'dead' };
  return {
    id: `${eventName}:${id}:${attempts}`,
    idFromCaller: true,
    agentId: DEFAULT_AGENT,
    eventName,
    timestamp: attemptedAt ?? createdAt,
    threadId: null,
    executionId: null,
    properties: JSON.stringify({
      deliveryId: id,
      source: source.kind,
      sourceId: source.id,
      type,
      target: targetType,
      attempts,
      durationMs: outcome.ms,
      waitMs: (attemptedAt ?? createdAt) - createdAt,
      ...failure,
    }),
  };
}
