import type { RuntimeEventName } from '../../analytics/events/recorder.ts';
import type { EventStore, StoredEvent } from '../../analytics/events/store.ts';
import { WakeLoop } from '../../base/concurrency/wake-loop.ts';
import { DEFAULT_AGENT } from '../../base/shared/agent.ts';
import type { AlertStore } from './store.ts';

const CHANGED: RuntimeEventName = 'runtime.alert_changed';
const AT_ONCE = 100;

export interface AlertEventsParts {
  store: Pick<AlertStore, 'unrecorded' | 'recorded'>;
  events: Pick<EventStore, 'append'>;
  tenants: { isBlocked(tenantId: string): boolean };
  onError(error: unknown): void;
}

type Unrecorded = Awaited<ReturnType<AlertStore['unrecorded']>>[number];

/** Makes an event of each change of state, once: the id of the change is that of the event. */
export class AlertEvents {
  private readonly parts: AlertEventsParts;
  private readonly loop: WakeLoop;

  constructor(parts: AlertEventsParts) {
    this.parts = parts;
    this.loop = new WakeLoop({ pass: () => this.record(), onError: parts.onError });
  }

  /** There may be changes that are no events yet. */
  wake(): void {
    this.loop.wake();
  }

  idle(): Promise<void> {
    return this.loop.idle();
  }

  close(): Promise<void> {
    return this.loop.close();
  }

  private async record(): Promise<number> {
    const { store, events, tenants } = this.parts;
    for (;;) {
      const changes = (await store.unrecorded(AT_ONCE)).filter(({ tenantId }) => !tenants.isBlocked(tenantId));
      if (changes.length === 0) return Number.POSITIVE_INFINITY;
      for (const [tenantId, own] of Map.groupBy(changes, (change) => change.tenantId)) {
        // Its erasure may have begun meanwhile, and must not be followed by an event.
        if (tenants.isBlocked(tenantId)) continue;
        await events.append(tenantId, own.map(eventOf));
        await store.recorded(own.map(({ id }) => id));
      }
    }
  }
}

function eventOf({
  id,
  alertId,
  title,
  at,
  from,
  to,
  bucket,
  value,
  comparedWith,
  error,
  notified,
}: Unrecorded): StoredEvent {
  return {
    id: `${CHANGED}:${id}`,
    idFromCaller: true,
    agentId: DEFAULT_AGENT,
    eventName: CHANGED,
    timestamp: at,
    threadId: null,
    executionId: null,
    properties: JSON.stringify({ alertId, title, from, to, bucket, value, comparedWith, error, notified }),
  };
}
