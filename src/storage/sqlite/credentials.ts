import type { CredentialStore, StoredCredential } from '../../core/connectors/store.ts';
import type { StateDatabase } from './database.ts';
import { NamedRows } from './named-rows.ts';
import type { StateTables } from './schema.ts';

type CredentialRow = StateTables['credentials'];

export class SqliteCredentialStore implements CredentialStore {
  private readonly rows: NamedRows<CredentialRow, StoredCredential>;

  constructor(database: StateDatabase) {
    this.rows = new NamedRows(database, {
      table: 'credentials',
      key: 'name',
      updated: ['username', 'sealed', 'hosts'],
      toItem: toCredential,
    });
  }

  find(tenantId: string, name: string): Promise<StoredCredential | null> {
    return this.rows.find(tenantId, name);
  }

  list(tenantId: string): Promise<StoredCredential[]> {
    return this.rows.list(tenantId);
  }

  put(tenantId: string, credential: StoredCredential): Promise<'put' | 'unknown tenant'> {
    return this.rows.put([toRow(tenantId, credential)]);
  }

  remove(tenantId: string, name: string): Promise<boolean> {
    return this.rows.remove(tenantId, name);
  }
}

function toRow(tenantId: string, credential: StoredCredential): CredentialRow {
  const { name, username, sealed, hosts, createdBy, createdAt, updatedAt } = credential;
  return {
    tenant_id: tenantId,
    name,
    username,
    sealed,
    hosts: JSON.stringify(hosts),
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

export function toCredential(row: CredentialRow): StoredCredential {
  const { name, username, sealed, hosts, created_by: createdBy, created_at: createdAt, updated_at: updatedAt } = row;
  return { name, username, sealed, hosts: JSON.parse(hosts) as string[], createdBy, createdAt, updatedAt };
}
