import type { Page } from '../../base/shared/paging.ts';
import type { NewDelivery } from '../deliveries/store.ts';
import type { Scheduled, ScheduledDefinition, ScheduledQuery, ScheduledStore } from '../schedules/store.ts';
import type { Condition } from './conditions.ts';
import type { AlertQuestion } from './schema.ts';
import type { AlertState, Memory } from './transition.ts';

/** The subject that an alert checks. */
export type AlertSubject = { metric: string } | { question: AlertQuestion } | { cardId: string };

export interface AlertDefinition extends ScheduledDefinition {
  asked: AlertSubject;
  condition: Condition;
  /** Seconds. */
  cooldown: number;
}

/** The findings of a check. */
export interface AlertFinding {
  /** The start of what was checked. */
  bucket: string | null;
  value: number | null;
  comparedWith: number | null;
  /** The handle of the events behind the value. */
  cases: string | null;
  error: string | null;
}

export const NO_FINDING = { bucket: null, value: null, comparedWith: null, cases: null };

export interface StoredAlert extends Scheduled<AlertDefinition> {
  memory: Memory;
  lastCheck: (AlertFinding & { at: number }) | null;
}

/** A line of the history: the state changed, or a message was sent about it, or both. */
export interface StoredChange extends AlertFinding {
  id: string;
  alertId: string;
  at: number;
  from: AlertState;
  to: AlertState;
  notified: boolean;
}

/** The end of a check. */
export interface CheckSettlement {
  memory: Memory;
  lastCheck: AlertFinding & { at: number };
  nextDue: number | null;
  change: StoredChange | null;
  deliveries: readonly NewDelivery[];
}

export interface AlertQuery extends ScheduledQuery {
  state?: AlertState | undefined;
}

export interface AlertStore extends ScheduledStore<StoredAlert, CheckSettlement, AlertQuery, StoredChange> {
  /** Newest first. */
  history(tenantId: string, id: string, page: { limit: number; offset: number }): Promise<Page<StoredChange>>;
  /** Lines of all tenants that are no events yet, oldest first. */
  unrecorded(limit: number): Promise<(StoredChange & Pick<StoredAlert, 'tenantId'> & { title: string })[]>;
  recorded(ids: readonly string[]): Promise<void>;
}
