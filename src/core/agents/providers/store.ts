import type { SealedDefinition } from './secrets.ts';

/** Times are epoch milliseconds. */
export interface StoredModelProvider {
  name: string;
  definition: SealedDefinition;
  createdAt: number;
  updatedAt: number;
}

/** Names are unique per tenant. A read sees what any process has committed. */
export interface ProviderStore {
  find(tenantId: string, name: string): Promise<StoredModelProvider | null>;
  list(tenantId: string): Promise<StoredModelProvider[]>;
  /** Replaces by name, keeping `createdAt`, in one transaction. */
  put(tenantId: string, providers: StoredModelProvider[]): Promise<'put' | 'unknown tenant'>;
  /**
   * Compare-and-set: `stale` unless the stored definition is that of `seen`; null: unless there is
   * none of this name.
   */
  replace(
    tenantId: string,
    provider: StoredModelProvider,
    seen: StoredModelProvider | null,
  ): Promise<'put' | 'stale' | 'unknown tenant'>;
  remove(tenantId: string, name: string): Promise<boolean>;
}
