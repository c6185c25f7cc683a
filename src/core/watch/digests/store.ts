import type { NewDelivery } from '../deliveries/store.ts';
import type { Scheduled, ScheduledDefinition, ScheduledStore } from '../schedules/store.ts';

export interface DigestDefinition extends ScheduledDefinition {
  cards: { tabId: string } | { cardIds: string[] };
}

export interface LastDigest {
  /** Epoch milliseconds. */
  at: number;
  error: string | null;
  /** By card: the value that the next digest compares with. */
  values: Record<string, number>;
}

export interface StoredDigest extends Scheduled<DigestDefinition> {
  lastSent: LastDigest | null;
}

/** The end of a digest. `at`: epoch milliseconds. */
export interface DigestSettlement {
  at: number;
  lastSent: LastDigest | null;
  nextDue: number | null;
  deliveries: readonly NewDelivery[];
}

export type DigestStore = ScheduledStore<StoredDigest, DigestSettlement>;
