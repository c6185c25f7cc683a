import type { AccessLimits } from '../../../base/filters/limits.ts';

/** A secret link to a tab, for people without a login. Times are epoch milliseconds. */
export interface StoredLink {
  id: string;
  tenantId: string;
  tabId: string;
  /** SHA-256. */
  secretHash: string;
  /** The limits below the tenant of who made it, to which it is held; null: none. */
  limits: readonly AccessLimits[] | null;
  createdAt: number;
  /** The label of the credential that made it. */
  createdBy: string;
  /** Id of the user behind that credential; null: the operator. */
  maker: string | null;
  /** The end of its life; null: never. */
  expiresAt: number | null;
  lastUsedAt: number | null;
}

/** Links that were not revoked: those are removed, and go with their tab. */
export interface DashboardLinkStore {
  add(link: StoredLink): Promise<'added' | 'unknown tab'>;
  /** A link of any tenant that has not expired. Reads what any process has committed. */
  find(secretHash: string, now: number): Promise<StoredLink | null>;
  /** Newest first, with expired ones. */
  list(tenantId: string, tabId: string): Promise<StoredLink[]>;
  count(tenantId: string): Promise<number>;
  remove(tenantId: string, id: string): Promise<boolean>;
  setUsed(tenantId: string, id: string, at: number): Promise<void>;
}
