import type { Page } from '../../../base/shared/paging.ts';
import type { StoredCard, StoredTab } from '../store.ts';

/** Who made a change: a credential, with the user behind it. */
export interface ChangeMaker {
  kind: 'key' | 'user' | 'grant';
  id: string;
  label: string;
  /** The application that acts for the user. */
  client: string | null;
  userId: string | null;
}

/** A change that an agent makes, before it is written. Times are epoch milliseconds. */
export interface AgentChange {
  id: string;
  at: number;
  by: ChangeMaker;
  tool: string;
  /** The agent's reason, in its own words. */
  intent: string | null;
}

export const CHANGE_STATES = ['current', 'superseded', 'undone'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

export interface StoredChange extends AgentChange {
  kind: 'card' | 'tab';
  itemId: string;
  agentId: string;
  /** Of the card or tab after the change, or when it was deleted. */
  title: string;
  action: 'created' | 'changed' | 'deleted';
  /** `current`: nobody has changed the card or tab since. */
  state: ChangeState;
  undoneAt: number | null;
  undoneBy: string | null;
}

export interface ChangesAsked {
  /** Null: every agent. */
  agentId: string | null;
  state?: ChangeState | undefined;
  /** Only changes since then. */
  since: number;
  limit: number;
  offset: number;
}

/**
 * Changes that agents made to cards and tabs, with what was there before. `DashboardStore` keeps
 * each with its write; of a tenant the newest `MAX_CHANGES` stay. Every method but `prune` sees one
 * tenant.
 */
export interface DashboardChangeStore {
  /** Newest first. */
  list(tenantId: string, asked: ChangesAsked): Promise<Page<StoredChange>>;
  /** With the card or tab before the change; null: it was new. */
  find(tenantId: string, id: string): Promise<{ change: StoredChange; former: StoredCard | StoredTab | null } | null>;
  /**
   * Puts back what was there before; a card whose tab is gone is in none. Null for an unknown
   * change. `not current`: somebody has changed the card or tab since, or undone this. `conflict`:
   * another card has its identity, or another tab its name.
   */
  undo(
    tenantId: string,
    id: string,
    undone: { at: number; by: string },
  ): Promise<StoredChange | null | 'not current' | 'conflict'>;
  /** Forgets older changes of all tenants. */
  prune(before: number): Promise<void>;
}

/** Of a tenant. */
export const MAX_CHANGES = 1_000;
