import { EventOutbox, type OutboxParts } from '../../src/core/analytics/events/outbox.ts';
import type { StoredEvent } from '../../src/core/analytics/events/store.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';

interface FakeStore extends Partial<Omit<OutboxParts, 'events' | 'tenants'>> {
  /** Before a batch is stored; it may reject. */
  append?: (tenantId: string, events: StoredEvent[]) => unknown;
  isBlocked?: (tenantId: string) => boolean;
}

/** An outbox before a list in place of the event store. */
export function outboxBefore(stored: StoredEvent[], { append, isBlocked, ...parts }: FakeStore = {}): EventOutbox {
  return new EventOutbox({
    events: {
      append: async (tenantId, events) => {
        await append?.(tenantId, events);
        stored.push(...events);
        return { duplicates: 0, receipt: '' };
      },
    },
    tenants: { isBlocked: isBlocked ?? (() => false) },
    effects: realEffects,
    onError: () => undefined,
    onLost: () => undefined,
    ...parts,
  });
}
