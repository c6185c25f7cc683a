import { formatUtc } from '../../base/time/time.ts';
import type { ShownTarget } from '../deliveries/targets.ts';
import type { Alert, AlertChange } from './schema.ts';
import type { StoredAlert, StoredChange } from './store.ts';

/** The form for answers. */
export function shownAlert(alert: StoredAlert, targets: ShownTarget[]): Alert {
  const { id, definition, memory, lastCheck, nextDue, createdAt, updatedAt, createdBy } = alert;
  const { title, asked, ...rest } = definition;
  return {
    id,
    title,
    ...asked,
    ...rest,
    targets,
    state: memory.state,
    lastCheck: lastCheck && { ...lastCheck, at: formatUtc(lastCheck.at) },
    nextCheckAt: nextDue === null ? null : formatUtc(nextDue),
    createdAt: formatUtc(createdAt),
    updatedAt: formatUtc(updatedAt),
    createdBy,
  };
}

export function shownChange({ alertId: _, at, ...change }: StoredChange): AlertChange {
  return { ...change, at: formatUtc(at) };
}
