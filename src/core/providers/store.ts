import type { SealedDefinition } from './secrets.ts';

/** A provider as it is kept. Times are epoch milliseconds. */
export interface StoredProvider {
  name: string;
  definition: SealedDefinition;
  createdAt: number;
  updatedAt: number;
}

/** Providers that the operator has defined: names within a tenant. Reading sees at once what any process has committed. */
export interface ProviderStore {
  find(tenantId: string, name: string): Promise<StoredProvider | null>;
  /** By name. */
  list(tenantId: string): Promise<StoredProvider[]>;
  /** Puts each in the place of the one of its name, which keeps its `createdAt`; all of them or none. */
  put(tenantId: string, providers: StoredProvider[]): Promise<'put' | 'unknown tenant'>;
  /** False when there is none. */
  remove(tenantId: string, name: string): Promise<boolean>;
}
