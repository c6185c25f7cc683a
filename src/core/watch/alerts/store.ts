import type { DueQuery } from '../../base/concurrency/due-runner.ts';
import type { Page } from '../../base/shared/paging.ts';
import type { NewDelivery } from '../deliveries/store.ts';
import type { Condition } from './conditions.ts';
import type { AlertQuestion } from './schema.ts';
import type { AlertState, Memory } from './transition.ts';

/** What an alert checks. */
export type Asked = { metric: string } | { question: AlertQuestion } | { cardId: string };

/** As people define it. */
export interface AlertDefinition {
  title: string;
  asked: Asked;
  condition: Condition;
  /** A cron expression. */
  every: string;
  /** IANA name. */
  timezone: string;
  /** Seconds. */
  cooldown: number;
  enabled: boolean;
  /** Why it was switched off, if no person did. */
  disabledReason?: string | undefined;
}

/** What a check found. */
export interface Finding {
  /** The start of what was checked. */
  bucket: string | null;
  value: number | null;
  comparedWith: number | null;
  /** The handle of the events behind the value. */
  cases: string | null;
  error: string | null;
}

export const NO_FINDING = { bucket: null, value: null, comparedWith: null, cases: null };

/** Times are epoch milliseconds. */
export interface StoredAlert {
  id: string;
  tenantId: string;
  /** Of the caller who defined it. */
  agentId: string | null;
  definition: AlertDefinition;
  /** Sealed for this alert; null: none. */
  sealedTargets: string | null;
  /** Grows with each change of definition or state. */
  revision: number;
  memory: Memory;
  lastCheck: (Finding & { at: number }) | null;
  /** Null: it is switched off. */
  nextDue: number | null;
  createdAt: number;
  updatedAt: number;
  createdBy: string;
  /**
   * Id of the user who made it or switched it on last, with a key, too; undefined: the operator's
   * key.
   */
  maker?: string | undefined;
}

/** A line of the history: the state changed, or a message was sent about it, or both. */
export interface StoredChange extends Finding {
  id: string;
  alertId: string;
  at: number;
  from: AlertState;
  to: AlertState;
  notified: boolean;
}

/** The end of a check: all of it, or nothing. */
export interface Settlement {
  memory: Memory;
  lastCheck: Finding & { at: number };
  nextDue: number | null;
  change: StoredChange | null;
  deliveries: readonly NewDelivery[];
}

/**
 * Every method but those of the last group sees one tenant. Each change is one transaction, durable
 * when it resolves.
 */
export interface AlertStore {
  add(alert: StoredAlert): Promise<void>;
  find(tenantId: string, id: string): Promise<StoredAlert | null>;
  /** Newest first. */
  list(
    tenantId: string,
    asked: { state?: AlertState | undefined; maker?: string | undefined; limit: number; offset: number },
  ): Promise<Page<StoredAlert>>;
  count(tenantId: string): Promise<number>;
  /** With a line of the history. False: its revision is another one by now, or it was removed. */
  replace(alert: StoredAlert, change: StoredChange | null): Promise<boolean>;
  /** With its history. */
  remove(tenantId: string, id: string): Promise<boolean>;
  /** Newest first. */
  history(tenantId: string, id: string, page: { limit: number; offset: number }): Promise<Page<StoredChange>>;

  /** False: as for `replace`; nothing was changed. */
  settle(alert: Pick<StoredAlert, 'id' | 'tenantId' | 'revision'>, settlement: Settlement): Promise<boolean>;
  /**
   * Those whose time has come, or that were checked or changed in the future: the clock was set
   * back. Tenants take turns.
   */
  due(now: number, query: DueQuery): Promise<StoredAlert[]>;
  /** When the next alert becomes due that is not due at `now`. */
  nextDue(now: number): Promise<number | null>;
  /** Changes that are not recorded as events yet, oldest first. */
  unrecorded(limit: number): Promise<(StoredChange & Pick<StoredAlert, 'tenantId'> & { title: string })[]>;
  recorded(ids: readonly string[]): Promise<void>;
}
