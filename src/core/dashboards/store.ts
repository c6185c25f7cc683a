import type { DashboardCard, DashboardTab } from './schema.ts';

/** Times are epoch milliseconds. */
export interface StoredCard extends Omit<DashboardCard, 'createdAt' | 'updatedAt'> {
  /** Unique within its tenant and agent. */
  identity: string;
  createdAt: number;
  updatedAt: number;
}

export interface StoredTab extends Omit<DashboardTab, 'createdAt' | 'updatedAt'> {
  createdAt: number;
  updatedAt: number;
}

export type CardName = Pick<StoredCard, 'id' | 'title' | 'cardType' | 'tabId'>;

/** A new card, or changes to the one with its identity; undefined members keep their values. */
export type CardToPut = Omit<StoredCard, 'tabId' | 'gridLayout' | 'sortOrder'> &
  Partial<Pick<StoredCard, 'tabId' | 'gridLayout' | 'sortOrder'>>;
export type CardChanges = Partial<
  Pick<StoredCard, 'title' | 'cardType' | 'config' | 'identity' | 'tabId' | 'gridLayout' | 'sortOrder'>
>;
export type TabToPut = Omit<StoredTab, 'sortOrder'> & Partial<Pick<StoredTab, 'sortOrder'>>;
export type TabChanges = Partial<Pick<StoredTab, 'name' | 'sortOrder'>>;

export interface PutResult<Stored> {
  /** True for exactly one of any number of concurrent puts of one identity. */
  created: boolean;
  stored: Stored;
}

/**
 * Cards and tabs. Methods except `tenantOf` take the tenant first and see only its items. A card is
 * in a tab of its own agent, or in none.
 */
export interface DashboardStore {
  /** Creates the card, or changes the one with its identity. By default a new card comes last. */
  putCard(tenantId: string, card: CardToPut): Promise<PutResult<StoredCard> | 'unknown tab'>;
  /** By `sortOrder`, then by age; of every agent when null. */
  listCards(tenantId: string, agentId: string | null): Promise<StoredCard[]>;
  /** As `listCards`, without the questions of the cards. */
  listCardNames(tenantId: string, agentId: string | null): Promise<CardName[]>;
  countCards(tenantId: string, agentId: string): Promise<number>;
  findCard(tenantId: string, id: string): Promise<StoredCard | null>;
  /** Null if there is no such card; `conflict` if another card has the new identity. */
  changeCard(
    tenantId: string,
    id: string,
    changes: CardChanges,
    updatedAt: number,
  ): Promise<StoredCard | null | 'conflict' | 'unknown tab'>;
  /** False if there was none. */
  removeCard(tenantId: string, id: string): Promise<boolean>;

  /** Creates the tab, or changes the one of that name. By default a new tab comes last. */
  putTab(tenantId: string, tab: TabToPut): Promise<PutResult<StoredTab>>;
  listTabs(tenantId: string, agentId: string | null): Promise<StoredTab[]>;
  findTab(tenantId: string, id: string): Promise<StoredTab | null>;
  changeTab(
    tenantId: string,
    id: string,
    changes: TabChanges,
    updatedAt: number,
  ): Promise<StoredTab | null | 'conflict'>;
  /** Its cards stay, in no tab. False if there was none. */
  removeTab(tenantId: string, id: string): Promise<boolean>;

  /** The tenant of any card or tab: distinguishes "not yours" from "not found". */
  tenantOf(kind: 'card' | 'tab', id: string): Promise<string | null>;
}
