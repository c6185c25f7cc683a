import type { StoredUser, UserStore } from '../../core/users/store.ts';
import type { StateDatabase } from './database.ts';
import type { StateTables } from './schema.ts';

/** More tenants than one person works for. */
const MAX_FOUND = 10;

export class SqliteUserStore implements UserStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async put(user: StoredUser): Promise<void> {
    const { passwordHash, passwordChangedAt, updatedAt } = user;
    await this.database
      .insertInto('users')
      .values(toRow(user))
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'email_key']).doUpdateSet({
          password_hash: passwordHash,
          password_changed_at: passwordChangedAt,
          updated_at: updatedAt,
        }),
      )
      .execute();
  }

  async find(id: string): Promise<StoredUser | null> {
    const row = await this.database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    return row ? toUser(row) : null;
  }

  async findByEmail(email: string, tenantId: string | null): Promise<StoredUser[]> {
    let query = this.database.selectFrom('users').selectAll().where('email_key', '=', email.toLowerCase());
    if (tenantId !== null) query = query.where('tenant_id', '=', tenantId);
    return (await query.orderBy('id').limit(MAX_FOUND).execute()).map(toUser);
  }

  async recordLogin(id: string, at: number): Promise<void> {
    await this.database.updateTable('users').set({ last_login_at: at }).where('id', '=', id).execute();
  }
}

function toRow(user: StoredUser): StateTables['users'] {
  return {
    id: user.id,
    tenant_id: user.tenantId,
    email: user.email,
    email_key: user.email.toLowerCase(),
    name: user.name,
    phone: user.phone,
    avatar_url: user.avatarUrl,
    role: user.role,
    is_active: user.isActive ? 1 : 0,
    password_hash: user.passwordHash,
    password_changed_at: user.passwordChangedAt,
    last_login_at: user.lastLoginAt,
    metadata: JSON.stringify(user.metadata),
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}

function toUser(row: StateTables['users']): StoredUser {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    email: row.email,
    name: row.name,
    phone: row.phone,
    avatarUrl: row.avatar_url,
    role: row.role,
    isActive: row.is_active === 1,
    passwordHash: row.password_hash,
    passwordChangedAt: row.password_changed_at,
    lastLoginAt: row.last_login_at,
    metadata: JSON.parse(row.metadata) as StoredUser['metadata'],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
