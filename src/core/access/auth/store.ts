import type { Page } from '../../base/shared/paging.ts';
import type { Agent, ApiKey, PageQuery, Settings, Tenant } from './schema.ts';

export interface TenantStore {
  /** Null when the name is taken. */
  create(tenant: Tenant): Promise<Tenant | null>;
  find(idOrName: string): Promise<Tenant | null>;
  list(): Promise<Tenant[]>;
  /**
   * In one statement: `no other login` when it would end password logins of a tenant without an
   * enabled identity provider.
   */
  change(id: string, changes: Partial<Settings>): Promise<'changed' | 'unknown' | 'no other login'>;
  /**
   * Marks that the tenant is being erased, which every process sees; again while it goes on. A mark
   * of ten minutes without renewal is void. Returns whether there was one, of an erasure that goes
   * on or was interrupted.
   */
  markErasing(id: string): Promise<boolean>;
  /** The erasure failed. What was left of it is remembered. */
  unmarkErasing(id: string): Promise<void>;
  /** Of processes that are known to have ended. Returns the ids of their tenants. */
  unmarkInterrupted(): Promise<string[]>;
  /** Ids of tenants that are being erased. */
  erasing(): Promise<string[]>;
  /** Removes the tenant's rows in one transaction. Null: no such tenant. */
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
  metrics: number;
  terms: number;
  annotations: number;
  alerts: number;
  digests: number;
  segments: number;
  grants: number;
  identityProviders: number;
}

export interface AgentStore {
  register(agents: Agent[]): Promise<number>;
  list(tenantId: string): Promise<Agent[]>;
  page(tenantId: string, asked: PageQuery): Promise<Page<Agent>>;
}

/** Reads return what any process has committed. */
export interface KeyStore {
  create(key: ApiKey): Promise<void>;
  /** Null also while its tenant is being erased. */
  find(id: string): Promise<(ApiKey & { timezone: string }) | null>;
  /** Newest first. Null: of every tenant. */
  list(tenantId: string | null): Promise<ApiKey[]>;
  /** Only keys of `createdBy`; null: all. */
  page(tenantId: string, createdBy: string | null, asked: PageQuery): Promise<Page<ApiKey>>;
  /** False: no such key. */
  replaceSecret(id: string, changed: Pick<ApiKey, 'secretHash' | 'createdBy'>): Promise<boolean>;
  /** Keeps the time of an earlier revocation. False: no such key. */
  revoke(id: string, at: number): Promise<boolean>;
  revokeOf(tenantId: string, createdBy: string, at: number): Promise<ApiKey[]>;
  touch(id: string, at: number): Promise<void>;
  countActive(tenantId: string, createdBy: string | null, now: number): Promise<{ ofTenant: number; ofUser: number }>;
}

export interface InstallationStore {
  /** False when it was set before. */
  claim(fact: string, at: number): Promise<boolean>;
  has(fact: string): Promise<boolean>;
  /** Removes the fact and all claims of it. */
  forget(fact: string): Promise<void>;
}
