import type { CredentialStore, StoredCredential } from '../../core/connectors/store.ts';
import type { StateDatabase } from './database.ts';
import type { StateTables } from './schema.ts';
import { refusable } from './statements.ts';

export class SqliteCredentialStore implements CredentialStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async find(tenantId: string, name: string): Promise<StoredCredential | null> {
    const row = await this.database
      .selectFrom('credentials')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .executeTakeFirst();
    return row ? toCredential(row) : null;
  }

  async list(tenantId: string): Promise<StoredCredential[]> {
    const ofTenant = this.database.selectFrom('credentials').selectAll().where('tenant_id', '=', tenantId);
    return (await ofTenant.orderBy('name').execute()).map(toCredential);
  }

  async put(tenantId: string, credential: StoredCredential): Promise<'put' | 'unknown tenant'> {
    const { name, username, sealed, hosts, createdBy, createdAt, updatedAt } = credential;
    const changed = { username, sealed, hosts: JSON.stringify(hosts), updated_at: updatedAt };
    const insert = this.database
      .insertInto('credentials')
      .values({ tenant_id: tenantId, name, created_by: createdBy, created_at: createdAt, ...changed })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doUpdateSet(changed))
      .execute();
    const result = await refusable(insert, { SQLITE_CONSTRAINT_FOREIGNKEY: 'unknown tenant' } as const);
    return typeof result === 'string' ? result : 'put';
  }

  async remove(tenantId: string, name: string): Promise<boolean> {
    const result = await this.database
      .deleteFrom('credentials')
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .executeTakeFirst();
    return result.numDeletedRows === 1n;
  }
}

export function toCredential(row: StateTables['credentials']): StoredCredential {
  const { name, username, sealed, hosts, created_by: createdBy, created_at: createdAt, updated_at: updatedAt } = row;
  return { name, username, sealed, hosts: JSON.parse(hosts) as string[], createdBy, createdAt, updatedAt };
}
