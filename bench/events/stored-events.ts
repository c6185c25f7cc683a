import type { StoredEvent } from '../../src/core/analytics/events/store.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { makeEvent, seeded } from './traffic.ts';

const random = seeded(7);

/** The next event as the service passes it to the store, with this name or a seeded one. */
export function makeStored(named?: string): StoredEvent {
  const { eventName, threadId, properties } = makeEvent(random);
  return {
    id: realEffects.newId(),
    idFromCaller: false,
    agentId: 'bench',
    eventName: named ?? eventName,
    timestamp: realEffects.now(),
    threadId,
    executionId: null,
    properties: JSON.stringify(properties),
  };
}
