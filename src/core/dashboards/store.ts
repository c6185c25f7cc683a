import type { DashboardCard, DashboardTab } from './schema.ts';

/** A card as it is kept. Times are epoch milliseconds. */
export interface StoredCard extends Omit<DashboardCard, 'createdAt' | 'updatedAt'> {
  /** What makes it the same card as another of its tenant and agent. */
  identity: string;
  createdAt: number;
  updatedAt: number;
}

export interface StoredTab extends Omit<DashboardTab, 'createdAt' | 'updatedAt'> {
  createdAt: number;
  updatedAt: number;
}

export type CardName = Pick<StoredCard, 'id' | 'title' | 'cardType' | 'tabId'>;

/** A new card, or what to change of the one with its identity: an undefined member keeps what there is. */
export type CardToPut = Omit<StoredCard, 'tabId' | 'gridLayout' | 'sortOrder'> &
  Partial<Pick<StoredCard, 'tabId' | 'gridLayout' | 'sortOrder'>>;
export type CardChanges = Partial<
  Pick<StoredCard, 'title' | 'cardType' | 'config' | 'identity' | 'tabId' | 'gridLayout' | 'sortOrder'>
>;
export type TabToPut = Omit<StoredTab, 'sortOrder'> & Partial<Pick<StoredTab, 'sortOrder'>>;
export type TabChanges = Partial<Pick<StoredTab, 'name' | 'sortOrder'>>;

export interface PutResult<Stored> {
  /** Whether it is new. Of any number of puts of one identity at once, exactly one created it. */
  created: boolean;
  stored: Stored;
}

/**
 * Cards and tabs. All methods take the tenant first and see nothing of another; the one exception is `tenantOf`. A card
 * is in a tab of its own agent, or in none.
 */
export interface DashboardStore {
  /** Makes the card, or changes the one with its identity. One that gives no `sortOrder` is put behind the others. */
  putCard(tenantId: string, card: CardToPut): Promise<PutResult<StoredCard> | 'unknown tab'>;
  /** By `sortOrder`, then by age; of every agent when null. */
  listCards(tenantId: string, agentId: string | null): Promise<StoredCard[]>;
  /** As `listCards`, without what the cards ask: enough to choose one by. */
  listCardNames(tenantId: string, agentId: string | null): Promise<CardName[]>;
  countCards(tenantId: string, agentId: string): Promise<number>;
  findCard(tenantId: string, id: string): Promise<StoredCard | null>;
  /** Null when there is no such card; `conflict` when another card has the new identity. */
  changeCard(
    tenantId: string,
    id: string,
    changes: CardChanges,
    updatedAt: number,
  ): Promise<StoredCard | null | 'conflict' | 'unknown tab'>;
  /** False when there was none. */
  removeCard(tenantId: string, id: string): Promise<boolean>;

  /** Makes the tab, or changes the one of that name. One that gives no `sortOrder` is put behind the others. */
  putTab(tenantId: string, tab: TabToPut): Promise<PutResult<StoredTab>>;
  listTabs(tenantId: string, agentId: string | null): Promise<StoredTab[]>;
  findTab(tenantId: string, id: string): Promise<StoredTab | null>;
  changeTab(
    tenantId: string,
    id: string,
    changes: TabChanges,
    updatedAt: number,
  ): Promise<StoredTab | null | 'conflict'>;
  /** Its cards stay, in no tab. False when there was none. */
  removeTab(tenantId: string, id: string): Promise<boolean>;

  /** The tenant of a card or tab, whosever it is: for telling "not yours" from "not there". */
  tenantOf(kind: 'card' | 'tab', id: string): Promise<string | null>;
}
