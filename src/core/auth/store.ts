import type { Page } from '../shared/paging.ts';
import type { Agent, ApiKey, PageQuery, Settings, Tenant } from './schema.ts';

export interface TenantStore {
  /** Null when the name is taken. */
  create(tenant: Tenant): Promise<Tenant | null>;
  find(idOrName: string): Promise<Tenant | null>;
  list(): Promise<Tenant[]>;
  /** False when there is no such tenant. */
  change(id: string, changes: Partial<Settings>): Promise<boolean>;
  /** Removes the tenant's rows in the state database, in one transaction. Null: no tenant. */
  remove(id: string): Promise<RemovedTenant | null>;
}

export interface RemovedTenant {
  dashboardCards: number;
  dashboardTabs: number;
  agents: number;
  users: number;
  apiKeys: number;
  providers: number;
  connectors: number;
  credentials: number;
}

export interface AgentStore {
  /** Creates the agents that do not exist. Returns their number. */
  register(agents: Agent[]): Promise<number>;
  list(tenantId: string): Promise<Agent[]>;
  page(tenantId: string, asked: PageQuery): Promise<Page<Agent>>;
}

/** API keys. A read sees what any process has committed. */
export interface KeyStore {
  create(key: ApiKey): Promise<void>;
  /** The key and the time zone of its tenant. */
  find(id: string): Promise<(ApiKey & { timezone: string }) | null>;
  /** Newest first; of every tenant when null. */
  list(tenantId: string | null): Promise<ApiKey[]>;
  /** A page of `list`, only of keys that `createdBy` made unless that is null. */
  page(tenantId: string, createdBy: string | null, asked: PageQuery): Promise<Page<ApiKey>>;
  /** False when there is no such key. */
  replaceSecret(id: string, changed: Pick<ApiKey, 'secretHash' | 'createdBy'>): Promise<boolean>;
  /** Does not change the time of an earlier revocation. False when there is no such key. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Revokes a user's valid keys in a tenant. Returns them, newest first. */
  revokeOf(tenantId: string, createdBy: string, at: number): Promise<ApiKey[]>;
  touch(id: string, at: number): Promise<void>;
  /** Keys that are neither revoked nor expired at `now`: of the tenant, and made by this user. */
  countActive(tenantId: string, createdBy: string | null, now: number): Promise<{ ofTenant: number; ofUser: number }>;
}

/** Facts about this installation, each set once. */
export interface InstallationStore {
  /** Sets a fact. False when it was set before. */
  claim(fact: string, at: number): Promise<boolean>;
  has(fact: string): Promise<boolean>;
}
