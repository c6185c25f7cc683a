import type { SealedDefinition } from './secrets.ts';

/** Times are epoch milliseconds. */
export interface StoredProvider {
  name: string;
  definition: SealedDefinition;
  createdAt: number;
  updatedAt: number;
}

/** Names are unique per tenant. A read sees what any process has committed. */
export interface ProviderStore {
  find(tenantId: string, name: string): Promise<StoredProvider | null>;
  list(tenantId: string): Promise<StoredProvider[]>;
  /** Replaces by name, keeping `createdAt`, in one transaction. */
  put(tenantId: string, providers: StoredProvider[]): Promise<'put' | 'unknown tenant'>;
  remove(tenantId: string, name: string): Promise<boolean>;
}
