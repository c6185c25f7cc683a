import type { ConnectorDefinition } from './definition/members.ts';

/** A stored connector, without secrets. Times are epoch milliseconds. */
export interface StoredConnector {
  slug: string;
  definition: ConnectorDefinition;
  /** The user who created it; null: the operator. */
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Connectors of a tenant. Reads see what any process has committed. */
export interface ConnectorStore {
  /**
   * By slug, else the first by slug with this name. Returns `known` itself, without reading the
   * definition, while the stored one is the same.
   */
  find(tenantId: string, slugOrName: string, known?: StoredConnector): Promise<StoredConnector | null>;
  /** Sorted by slug. */
  list(tenantId: string): Promise<StoredConnector[]>;
  /** Sorted by slug. */
  names(tenantId: string): Promise<{ slug: string; name: string }[]>;
  /** The sorted slugs of connectors with a tool. */
  withTools(tenantId: string): Promise<string[]>;
  /**
   * Creates or replaces all or none; `createdAt` and `createdBy` stay. A change always increases
   * `updatedAt`, by which `find` recognises `known`, whatever the clock says.
   */
  put(tenantId: string, connectors: StoredConnector[]): Promise<'put' | 'unknown tenant'>;
  /** False when it does not exist. */
  remove(tenantId: string, slug: string): Promise<boolean>;
}

/** A stored credential; see `placeOf` in credentials/service.ts for what is sealed. */
export interface StoredCredential {
  name: string;
  /** User name or client id, which is not secret. */
  username: string | null;
  sealed: string;
  /** Hosts that it may be sent to; empty (set by version 0.1): any. */
  hosts: string[];
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface CredentialStore {
  find(tenantId: string, name: string): Promise<StoredCredential | null>;
  /** Sorted by name. */
  list(tenantId: string): Promise<StoredCredential[]>;
  /** Creates or replaces it; `createdAt` and `createdBy` stay. */
  put(tenantId: string, credential: StoredCredential): Promise<'put' | 'unknown tenant'>;
  /** False when it does not exist. */
  remove(tenantId: string, name: string): Promise<boolean>;
}
