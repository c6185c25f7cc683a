import type { ConnectorDefinition } from './definition/schema.ts';

/** Times are epoch milliseconds. */
export interface StoredConnector {
  slug: string;
  definition: ConnectorDefinition;
  /** A user; null: the operator. */
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Connectors of a tenant. Reads see what any process has committed. */
export interface ConnectorStore {
  /** By slug, else the first by slug with this name. Returns `known` itself while unchanged. */
  find(tenantId: string, slugOrName: string, known?: StoredConnector): Promise<StoredConnector | null>;
  /** Sorted by slug. */
  list(tenantId: string): Promise<StoredConnector[]>;
  /** Sorted by slug. */
  names(tenantId: string): Promise<{ slug: string; name: string }[]>;
  /** The credentials that connectors list, sorted by slug. */
  listedCredentials(tenantId: string): Promise<{ slug: string; credential: string }[]>;
  /** Sorted slugs of connectors with a tool. */
  withTools(tenantId: string): Promise<string[]>;
  /** All or none; `createdAt` and `createdBy` stay. Always increases `updatedAt`, for `find`. */
  put(tenantId: string, connectors: StoredConnector[]): Promise<'put' | 'unknown tenant'>;
  /**
   * Compare-and-set: `stale` unless the stored one has the times of `seen`; null: unless there is
   * none of this slug. `updatedAt` must be later than that of `seen`.
   */
  replace(
    tenantId: string,
    connector: StoredConnector,
    seen: StoredConnector | null,
  ): Promise<'put' | 'stale' | 'unknown tenant'>;
  remove(tenantId: string, slug: string): Promise<boolean>;
}

export interface StoredCredential {
  name: string;
  /** Not secret: a user name or client id. */
  username: string | null;
  sealed: string;
  /** Hosts that may receive it; without any it goes nowhere. */
  hosts: string[];
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
  lastUsedAt: number | null;
}

export interface CredentialStore {
  find(tenantId: string, name: string): Promise<StoredCredential | null>;
  /** Sorted by name. */
  list(tenantId: string): Promise<StoredCredential[]>;
  /** `createdAt`, `createdBy` and `lastUsedAt` stay. */
  put(tenantId: string, credential: StoredCredential): Promise<'put' | 'unknown tenant'>;
  /** Stores nothing if there is one of this name. */
  create(tenantId: string, credential: StoredCredential): Promise<'put' | 'duplicate' | 'unknown tenant'>;
  touch(tenantId: string, name: string, at: number): Promise<void>;
  remove(tenantId: string, name: string): Promise<boolean>;
}
