import type { EventStore, StoredEvent } from '../../src/core/analytics/events/store.ts';
import { appendWithRetries, visible } from './own-store.ts';

const TENANTS = 3_000;
const CLIENTS = 4;
const EVENTS_OF_EACH = 20;
const KEYS_OF_EACH = 8;

/**
 * Tenants begin at once, each with keys of its own. Milliseconds from the last answer until the
 * events of all can be queried.
 */
export async function measureNewTenants(store: EventStore): Promise<number> {
  let next = 0;
  const client = async () => {
    let receipt = '';
    while (next < TENANTS) {
      const number = next++;
      receipt = await appendWithRetries(store, `new tenant ${number}`, eventsOf(number));
    }
    return receipt;
  };
  const receipts = await Promise.all(Array.from({ length: CLIENTS }, client));
  const answered = performance.now();
  for (const receipt of receipts) await visible(store, receipt);
  return performance.now() - answered;
}

function eventsOf(tenant: number): StoredEvent[] {
  return Array.from({ length: EVENTS_OF_EACH }, (_, index) => {
    const keys = Array.from({ length: KEYS_OF_EACH }, (__, key) => [`${tenant} ${key}`, key % 2 ? `v${index}` : index]);
    return {
      id: `${tenant}-${index}`,
      idFromCaller: true,
      agentId: 'default',
      eventName: `event ${index % 4}`,
      timestamp: Date.now(),
      threadId: null,
      executionId: null,
      properties: JSON.stringify(Object.fromEntries(keys)),
    };
  });
}
