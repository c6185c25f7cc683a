import type { TextLanguage } from '../../../language/messages.ts';
import type { DueQuery } from '../../base/concurrency/due-runner.ts';
import type { AccessLimits } from '../../base/filters/limits.ts';
import type { Page } from '../../base/shared/paging.ts';
import type { DeliverySource } from '../deliveries/store.ts';

export type ScheduledKind = DeliverySource['kind'];

/** The members of every definition that people write. */
export interface ScheduledDefinition {
  title: string;
  /** A cron expression. */
  every: string;
  /** IANA name. */
  timezone: string;
  /** The language of its messages; English for definitions of versions that knew no other. */
  language?: TextLanguage | undefined;
  enabled: boolean;
  /** Why it was switched off, if no person did. */
  disabledReason?: string | undefined;
  /** The limits of the caller who made it: it reads no more. */
  limits?: readonly AccessLimits[] | undefined;
}

/** An alert or a digest. Times are epoch milliseconds. */
export interface Scheduled<Definition extends ScheduledDefinition = ScheduledDefinition> {
  id: string;
  tenantId: string;
  /** The agent of the caller who defined it. */
  agentId: string | null;
  definition: Definition;
  /** Sealed for this item; null: none. */
  sealedTargets: string | null;
  /** Grows with each change of the definition and each run. */
  revision: number;
  /** Null if it is switched off. */
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

export interface ScheduledQuery {
  maker?: string | undefined;
  limit: number;
  offset: number;
}

/**
 * The methods of the first group see one tenant. Each change is one transaction, durable when it
 * resolves. `Change` is a line of the history that is stored with a change of the item.
 */
export interface ScheduledStore<Item extends Scheduled, Settlement, Query = ScheduledQuery, Change = never> {
  add(item: Item): Promise<void>;
  find(tenantId: string, id: string): Promise<Item | null>;
  /** Newest first. */
  list(tenantId: string, query: Query): Promise<Page<Item>>;
  /** False if its revision is another one by now, or it was removed. */
  replace(item: Item, change: Change | null): Promise<boolean>;
  /** With its history. */
  remove(tenantId: string, id: string): Promise<boolean>;

  /** The end of a run: all of it or nothing. False: as for `replace`. */
  settle(item: Pick<Item, 'id' | 'tenantId' | 'revision'>, settlement: Settlement): Promise<boolean>;
  /**
   * Items whose time has come, or that ran or were changed in the future: the clock was set back.
   * Tenants take turns.
   */
  due(now: number, query: DueQuery): Promise<Item[]>;
  /** When the next one becomes due that is not due at `now`. */
  nextDue(now: number): Promise<number | null>;
}
