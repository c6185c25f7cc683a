import type { SealedDefinition } from './secrets.ts';

/** A stored provider. Times are epoch milliseconds. */
export interface StoredProvider {
  name: string;
  definition: SealedDefinition;
  createdAt: number;
  updatedAt: number;
}

/** Names are unique within a tenant. A read sees what any process has committed. */
export interface ProviderStore {
  find(tenantId: string, name: string): Promise<StoredProvider | null>;
  list(tenantId: string): Promise<StoredProvider[]>;
  /** Creates or replaces providers by name, keeping `createdAt`, in one transaction. */
  put(tenantId: string, providers: StoredProvider[]): Promise<'put' | 'unknown tenant'>;
  remove(tenantId: string, name: string): Promise<boolean>;
}
