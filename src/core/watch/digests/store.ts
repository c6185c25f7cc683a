import type { DueQuery } from '../../base/concurrency/due-runner.ts';
import type { Page } from '../../base/shared/paging.ts';
import type { NewDelivery } from '../deliveries/store.ts';

/** As people define it. */
export interface DigestDefinition {
  title: string;
  cards: { tabId: string } | { cardIds: string[] };
  /** A cron expression. */
  every: string;
  /** IANA name. */
  timezone: string;
  enabled: boolean;
  /** Why it was switched off, if no person did. */
  disabledReason?: string | undefined;
}

export interface LastDigest {
  /** Epoch milliseconds. */
  at: number;
  error: string | null;
  /** By card: the value that the next digest compares with. */
  values: Record<string, number>;
}

/** Times are epoch milliseconds. */
export interface StoredDigest {
  id: string;
  tenantId: string;
  /** Of the caller who defined it. */
  agentId: string | null;
  definition: DigestDefinition;
  /** Sealed for this digest; null: none. */
  sealedTargets: string | null;
  /** Grows with each change and each digest sent. */
  revision: number;
  lastSent: LastDigest | null;
  /** Null: it is switched off. */
  nextDue: number | null;
  createdAt: number;
  updatedAt: number;
  createdBy: string;
  /** As of alerts. */
  maker?: string | undefined;
}

/** The end of a digest: all of it, or nothing. `at`: epoch milliseconds. */
export interface DigestSettlement {
  at: number;
  lastSent: LastDigest | null;
  nextDue: number | null;
  deliveries: readonly NewDelivery[];
}

/**
 * The methods of the first group see one tenant. Each change is one transaction, durable when it
 * resolves.
 */
export interface DigestStore {
  add(digest: StoredDigest): Promise<void>;
  find(tenantId: string, id: string): Promise<StoredDigest | null>;
  /** Newest first. */
  list(
    tenantId: string,
    asked: { maker?: string | undefined; limit: number; offset: number },
  ): Promise<Page<StoredDigest>>;
  /** False: its revision is another one by now, or it was removed. */
  replace(digest: StoredDigest): Promise<boolean>;
  remove(tenantId: string, id: string): Promise<boolean>;

  /** All of it or nothing. False: as for `replace`. */
  settle(digest: Pick<StoredDigest, 'id' | 'tenantId' | 'revision'>, settlement: DigestSettlement): Promise<boolean>;
  /**
   * Those whose time has come, or that were sent or changed in the future: the clock was set back.
   * Tenants take turns.
   */
  due(now: number, query: DueQuery): Promise<StoredDigest[]>;
  /** When the next digest becomes due that is not due at `now`. */
  nextDue(now: number): Promise<number | null>;
}
