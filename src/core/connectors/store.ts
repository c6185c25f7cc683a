import type { ConnectorDefinition } from './definition/members.ts';

/** A connector as it is kept: there is no secret in it. Times are epoch milliseconds. */
export interface StoredConnector {
  slug: string;
  definition: ConnectorDefinition;
  /** The user who made it; null: the operator. */
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Connectors of a tenant. Reading sees at once what any process has committed. */
export interface ConnectorStore {
  /**
   * By slug, then by name; of several of one name the first by slug. `known`, which was found before, is handed back itself
   * while what is stored is the same: then nothing large is read.
   */
  find(tenantId: string, slugOrName: string, known?: StoredConnector): Promise<StoredConnector | null>;
  /** By slug. */
  list(tenantId: string): Promise<StoredConnector[]>;
  /** What they are called, by slug. */
  names(tenantId: string): Promise<{ slug: string; name: string }[]>;
  /** The slugs of those that expose a tool, in order. */
  withTools(tenantId: string): Promise<string[]>;
  /**
   * Puts each in the place of the one of its slug, which keeps its `createdAt` and `createdBy`; all of them or none. A change
   * makes `updatedAt` later than it was, whatever the clock says: by it, one is known for the same.
   */
  put(tenantId: string, connectors: StoredConnector[]): Promise<'put' | 'unknown tenant'>;
  /** False when there is none. */
  remove(tenantId: string, slug: string): Promise<boolean>;
}

/** A credential as it is kept: sealed for its place (see `credentials.ts`). */
export interface StoredCredential {
  name: string;
  /** A user's name or a client's id, which is no secret; null: it has none. */
  username: string | null;
  sealed: string;
  /** Hosts that it may be sent to; empty, as version 0.1 allowed: any. */
  hosts: string[];
  createdBy: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Credentials of a tenant, for its connectors. */
export interface CredentialStore {
  find(tenantId: string, name: string): Promise<StoredCredential | null>;
  /** By name. */
  list(tenantId: string): Promise<StoredCredential[]>;
  /** Puts it in the place of the one of its name, which keeps its `createdAt` and `createdBy`. */
  put(tenantId: string, credential: StoredCredential): Promise<'put' | 'unknown tenant'>;
  /** False when there is none. */
  remove(tenantId: string, name: string): Promise<boolean>;
}
