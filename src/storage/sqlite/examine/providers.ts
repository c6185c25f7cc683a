import type { StoredProvider } from '../../../core/providers/store.ts';
import { toProvider } from '../providers.ts';
import { examineTenantRows, type OfTenant } from './tenant-rows.ts';

export type FoundProvider = OfTenant & { provider: StoredProvider };

export function examineProviders(directory: string): Promise<FoundProvider[]> {
  return examineTenantRows(directory, 'providers', 'name', (row) => ({ provider: toProvider(row) }));
}
