import type { StoredConnector, StoredCredential } from '../../../core/connectors/store.ts';
import { toConnector } from '../connectors.ts';
import { toCredential } from '../credentials.ts';
import { examineTenantRows, type OfTenant } from './tenant-rows.ts';

export type FoundConnector = OfTenant & { connector: StoredConnector };
export type FoundCredential = OfTenant & { credential: StoredCredential };

export interface FoundConnectors {
  connectors: FoundConnector[];
  credentials: FoundCredential[];
}

export async function examineConnectors(directory: string): Promise<FoundConnectors> {
  return {
    connectors: await examineTenantRows(directory, 'connectors', 'slug', (row) => ({ connector: toConnector(row) })),
    credentials: await examineTenantRows(directory, 'credentials', 'name', (row) => ({
      credential: toCredential(row),
    })),
  };
}
