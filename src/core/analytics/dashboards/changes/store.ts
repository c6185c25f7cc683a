import type { Page } from '../../../base/shared/paging.ts';
import type { AgentChange, StoredCard, StoredTab } from '../store.ts';

export const CHANGE_STATES = ['current', 'superseded', 'undone'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

export interface StoredDashboardChange extends AgentChange {
  kind: 'card' | 'tab';
  itemId: string;
  agentId: string;
  /** Title of the card or name of the tab after the change, or when it was deleted. */
  title: string;
  action: 'created' | 'changed' | 'deleted';
  /** `current`: nobody has changed the card or tab since. */
  state: ChangeState;
  undoneAt: number | null;
  undoneBy: string | null;
}

export interface ChangesAsked {
  /** The agent whose dashboards they are; null: every agent. */
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
  list(tenantId: string, asked: ChangesAsked): Promise<Page<StoredDashboardChange>>;
  /** With the card or tab before the change; null: it was new. */
  find(
    tenantId: string,
    id: string,
  ): Promise<{ change: StoredDashboardChange; former: StoredCard | StoredTab | null } | null>;
  /**
   * Puts back what was there before; a card whose tab is gone is in none. Null for an unknown
   * change. `not current`: somebody has changed the card or tab since, or undone this. `conflict`:
   * another card has its identity, or another tab its name.
   */
  undo(
    tenantId: string,
    id: string,
    undone: { at: number; by: string },
  ): Promise<StoredDashboardChange | null | 'not current' | 'conflict'>;
  /** Forgets older changes of all tenants. */
  prune(before: number): Promise<void>;
}

/** The number of changes that are kept of a tenant. */
export const MAX_CHANGES = 1_000;
