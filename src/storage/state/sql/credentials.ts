import type { CredentialStore, StoredCredential } from '../../../core/agents/connectors/store.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { NamedRows } from './named-rows.ts';

type CredentialRow = StateTables['credentials'];

export class SqlCredentialStore extends NamedRows<CredentialRow, StoredCredential> implements CredentialStore {
  constructor(database: StateDatabase) {
    super(database, {
      table: 'credentials',
      key: 'name',
      updated: ['username', 'sealed', 'hosts'],
      toItem: toCredential,
      toRow,
    });
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
