import type { Page } from '../shared/paging.ts';
import type { Agent, ApiKey, PageQuery, Settings, Tenant } from './schema.ts';

/** Tenants. A name is unique; asking for one that is taken is a conflict, given as null. */
export interface TenantStore {
  create(tenant: Tenant): Promise<Tenant | null>;
  /** By id or by name. */
  find(idOrName: string): Promise<Tenant | null>;
  list(): Promise<Tenant[]>;
  /** False when there is no such tenant. */
  change(id: string, changes: Partial<Settings>): Promise<boolean>;
  /** Removes the tenant with all that the state database holds of it, at once or not at all. Null when there is none. */
  remove(id: string): Promise<RemovedTenant | null>;
}

/** How much went with a tenant. */
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

/** Agents: names within a tenant. */
export interface AgentStore {
  /** Makes those agents that do not exist; says how many it made. */
  register(agents: Agent[]): Promise<number>;
  list(tenantId: string): Promise<Agent[]>;
  /** Those from `offset` on, by name. */
  page(tenantId: string, asked: PageQuery): Promise<Page<Agent>>;
}

/** API keys. Reading one sees at once what any process has committed. */
export interface KeyStore {
  create(key: ApiKey): Promise<void>;
  /** The key and the time zone of its tenant. */
  find(id: string): Promise<(ApiKey & { timezone: string }) | null>;
  /** Newest first; of every tenant when null. */
  list(tenantId: string | null): Promise<ApiKey[]>;
  /** As `list`, those from `offset` on; only those that a user made, unless that is null. */
  page(tenantId: string, createdBy: string | null, asked: PageQuery): Promise<Page<ApiKey>>;
  /** False when there is no such key. */
  replaceSecret(id: string, changed: Pick<ApiKey, 'secretHash' | 'createdBy'>): Promise<boolean>;
  /** Keeps the first time it was revoked. False when there is no such key. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Those of a tenant that a user made and that are not revoked yet, newest first, as they are then. */
  revokeOf(tenantId: string, createdBy: string, at: number): Promise<ApiKey[]>;
  touch(id: string, at: number): Promise<void>;
  /** Keys of the tenant that are neither revoked nor expired at `now`, and how many of them this user made. */
  countActive(tenantId: string, createdBy: string | null, now: number): Promise<{ ofTenant: number; ofUser: number }>;
}

/** Facts about this installation, each set once. */
export interface InstallationStore {
  /** Sets a fact unless it is set; says whether it was this call that set it. */
  claim(fact: string, at: number): Promise<boolean>;
  has(fact: string): Promise<boolean>;
}
