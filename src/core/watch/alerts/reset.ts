import { NO_FINDING, type StoredAlert, type StoredChange } from './store.ts';
import { INITIAL_MEMORY, type Memory } from './transition.ts';

/** Keeps the state that was sent last, so that the next check tells that a problem is over. */
export function resetMemory({ notified, notifiedAt }: Memory): Memory {
  return { ...INITIAL_MEMORY, notified, notifiedAt };
}

/** The line of the history for a state that a change of the definition ends; null: it was ok. */
export function resetChange(
  { id: alertId, memory: { state: from } }: StoredAlert,
  { id, at }: Pick<StoredChange, 'id' | 'at'>,
): StoredChange | null {
  if (from === 'ok') return null;
  return { id, alertId, at, from, to: 'ok', ...NO_FINDING, error: null, notified: false };
}
