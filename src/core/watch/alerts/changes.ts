import type { EventOutbox } from '../../analytics/events/outbox.ts';
import type { TenantRuntimeEvent } from '../../base/audit/runtime-event.ts';
import { WakeLoop } from '../../base/concurrency/wake-loop.ts';
import { type AlertStore, NO_FINDING, type StoredAlert, type StoredChange } from './store.ts';
import { INITIAL_MEMORY } from './transition.ts';

const AT_ONCE = 100;

export interface AlertChangeParts {
  store: Pick<AlertStore, 'unrecorded' | 'recorded'>;
  outbox: Pick<EventOutbox, 'store'>;
  onError(error: unknown): void;
}

/** Makes one event of each line of the history, also of those that a crash left without one. */
export class AlertChanges {
  private readonly parts: AlertChangeParts;
  private readonly loop: WakeLoop;

  constructor(parts: AlertChangeParts) {
    this.parts = parts;
    this.loop = new WakeLoop({ pass: () => this.record(), onError: parts.onError });
  }

  /** There may be lines without an event. */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves once every line has its event, or cannot get it now. */
  settled(): Promise<void> {
    return this.loop.settled();
  }

  close(): Promise<void> {
    return this.loop.close();
  }

  private async record(): Promise<number> {
    const { store, outbox } = this.parts;
    for (;;) {
      const changes = await store.unrecorded(AT_ONCE);
      const stored = await outbox.store(changes.map(eventOf));
      if (stored.length === 0) return Number.POSITIVE_INFINITY;
      await store.recorded(stored.map(({ changeId }) => changeId));
    }
  }
}

type Unrecorded = Awaited<ReturnType<AlertStore['unrecorded']>>[number];

function eventOf({ id, tenantId, at, cases: _, ...properties }: Unrecorded): TenantRuntimeEvent & { changeId: string } {
  const eventName = 'runtime.alert_changed';
  return { changeId: id, tenantId, id: `${eventName}:${id}`, eventName, timestamp: at, properties };
}

/**
 * The state after a change of what is checked, and the line of the history for the one that this
 * ends; null: it was ok. The state that was sent last is kept, so that the next check tells that a
 * problem is over.
 */
export function resetAlert(
  { id: alertId, memory: { state: from, notified, notifiedAt } }: StoredAlert,
  { id, at }: Pick<StoredChange, 'id' | 'at'>,
): { state: Pick<StoredAlert, 'memory' | 'lastCheck'>; change: StoredChange | null } {
  const state = { memory: { ...INITIAL_MEMORY, notified, notifiedAt }, lastCheck: null };
  if (from === 'ok') return { state, change: null };
  return { state, change: { id, alertId, at, from, to: 'ok', ...NO_FINDING, error: null, notified: false } };
}
