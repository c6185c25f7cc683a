import type { DashboardCard, DashboardTab } from './schema.ts';

/** Times are epoch milliseconds. */
export interface StoredCard extends Omit<DashboardCard, 'createdAt' | 'updatedAt'> {
  identity: string;
  createdAt: number;
  updatedAt: number;
}

export interface StoredTab extends Omit<DashboardTab, 'createdAt' | 'updatedAt'> {
  createdAt: number;
  updatedAt: number;
}

export type CardName = Pick<StoredCard, 'id' | 'title' | 'cardType' | 'tabId'>;

/** Undefined members of an existing card keep their values. */
export type CardToPut = Omit<StoredCard, 'tabId' | 'gridLayout' | 'sortOrder'> &
  Partial<Pick<StoredCard, 'tabId' | 'gridLayout' | 'sortOrder'>>;
export type CardChanges = Partial<
  Pick<StoredCard, 'title' | 'cardType' | 'config' | 'identity' | 'tabId' | 'gridLayout' | 'sortOrder'>
>;
export type TabToPut = Omit<StoredTab, 'sortOrder'> & Partial<Pick<StoredTab, 'sortOrder'>>;
export type TabChanges = Partial<Pick<StoredTab, 'name' | 'sortOrder'>>;

export interface PutResult<Stored> {
  /** True for exactly one of several concurrent puts of one identity. */
  created: boolean;
  stored: Stored;
}

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

/**
 * Every method but `tenantOf` sees one tenant. A card's tab belongs to the card's agent. The time
 * `updatedAt` rises with every change. With `by` the change is kept for `DashboardChangeStore`, and
 * one that changes nothing is not made.
 */
export interface DashboardStore {
  /** Upsert by identity. By default a new card comes last. */
  putCard(tenantId: string, card: CardToPut, by?: AgentChange): Promise<PutResult<StoredCard> | 'unknown tab'>;
  /** By `sortOrder`, then by age. Null: every agent. */
  listCards(tenantId: string, agentId: string | null): Promise<StoredCard[]>;
  listCardNames(tenantId: string, agentId: string | null): Promise<CardName[]>;
  countCards(tenantId: string, agentId: string): Promise<number>;
  findCard(tenantId: string, id: string): Promise<StoredCard | null>;
  cardOfIdentity(tenantId: string, agentId: string, identity: string): Promise<StoredCard | null>;
  /** Null for an unknown card. `conflict`: another card has the new identity. */
  changeCard(
    tenantId: string,
    id: string,
    changes: CardChanges,
    updatedAt: number,
    by?: AgentChange,
  ): Promise<StoredCard | null | 'conflict' | 'unknown tab'>;
  removeCard(tenantId: string, id: string, by?: AgentChange): Promise<StoredCard | null>;

  /** Upsert by name. By default a new tab comes last. */
  putTab(tenantId: string, tab: TabToPut, by?: AgentChange): Promise<PutResult<StoredTab>>;
  listTabs(tenantId: string, agentId: string | null): Promise<StoredTab[]>;
  findTab(tenantId: string, id: string): Promise<StoredTab | null>;
  changeTab(
    tenantId: string,
    id: string,
    changes: TabChanges,
    updatedAt: number,
  ): Promise<StoredTab | null | 'conflict'>;
  /** Its cards stay, without a tab. */
  removeTab(tenantId: string, id: string): Promise<boolean>;

  /** A card of any tenant, to distinguish `forbidden` from `not_found`. */
  tenantOf(kind: 'card' | 'tab', id: string): Promise<string | null>;
}
