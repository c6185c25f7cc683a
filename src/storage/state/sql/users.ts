import { type RawBuilder, sql } from 'kysely';
import type {
  ChangeOptions,
  StoredUser,
  UserChanges,
  UserCounts,
  UserStore,
  UsersPage,
} from '../../../core/access/users/store.ts';
import { withoutUndefined } from '../../../core/base/json-schema/values.ts';
import { searchKey } from '../../../core/base/shared/text-search.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { ALL, dialectOf } from './dialect.ts';
import { fromRow, toRow } from './rows.ts';
import { violationAsResult } from './violations.ts';

/** More tenants than one person works for. */
const MAX_FOUND = 10;

export class SqlUserStore implements UserStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async put(user: StoredUser): Promise<void> {
    const { passwordHash, sessionVersion, updatedAt } = user;
    await this.database
      .insertInto('users')
      .values(toUserRow(user))
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'email_key']).doUpdateSet({
          password_hash: passwordHash,
          password_changed_at: sessionVersion,
          updated_at: updatedAt,
        }),
      )
      .execute();
  }

  async create(user: StoredUser) {
    const insert = this.database.insertInto('users').values(toUserRow(user)).execute();
    const result = await violationAsResult(insert, { ...DUPLICATE_EMAIL, ...UNKNOWN_TENANT });
    return typeof result === 'string' ? result : 'created';
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

  async list(tenantId: string | null, { search, role, isActive, limit, offset }: UsersPage) {
    let matching = this.database.selectFrom('users');
    if (tenantId !== null) matching = matching.where('tenant_id', '=', tenantId);
    if (role !== undefined) matching = matching.where('role', '=', role);
    if (isActive !== undefined) matching = matching.where('is_active', '=', isActive ? 1 : 0);
    if (search !== '') matching = matching.where(isFoundBy(search));
    const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const newestFirst = matching.orderBy('created_at', 'desc').orderBy('id', 'desc');
    const rows = await newestFirst
      .selectAll()
      .select(CREATED_COUNTS)
      .limit(limit ?? ALL)
      .offset(offset)
      .execute();
    return {
      items: rows.map(({ agents, credentials, executions, ...row }) => ({
        ...toUser(row),
        counts: { agents, credentials, executions },
      })),
      total,
    };
  }

  async counts(id: string): Promise<UserCounts> {
    const row = await this.database.selectFrom('users').select(CREATED_COUNTS).where('id', '=', id).executeTakeFirst();
    return row ?? { agents: 0, credentials: 0, executions: 0 };
  }

  async change(seen: StoredUser, changes: UserChanges, { updatedAt, requiresOtherAdministrator }: ChangeOptions) {
    const change = (database: StateDatabase) =>
      changeSeen(database, seen, changes, { updatedAt, requiresOtherAdministrator });
    const { database } = this;
    const tenant = { table: 'tenants', id: seen.tenantId } as const;
    const changing = requiresOtherAdministrator
      ? dialectOf(database).whileLocked(database, tenant, change)
      : change(database);
    const result = await violationAsResult(changing, DUPLICATE_EMAIL);
    if (typeof result === 'string') return result;
    return result ? toUser(result) : this.whyUnchanged(seen, requiresOtherAdministrator);
  }

  async recordLogin(id: string, at: number): Promise<void> {
    await this.database.updateTable('users').set({ last_login_at: at }).where('id', '=', id).execute();
  }

  private async whyUnchanged(seen: StoredUser, besideAnother: boolean): Promise<null | 'stale' | 'last administrator'> {
    const now = await this.find(seen.id);
    if (!now) return null;
    const isSame = SEEN.every((member) => now[member] === seen[member]);
    return isSame && besideAnother ? 'last administrator' : 'stale';
  }
}

function changeSeen(
  database: StateDatabase,
  { id, tenantId, role, isActive, passwordHash, sessionVersion }: StoredUser,
  changes: UserChanges,
  { updatedAt, requiresOtherAdministrator }: ChangeOptions,
) {
  let update = database
    .updateTable('users')
    .set({ ...columnsOf(changes), updated_at: updatedAt })
    .where('id', '=', id)
    .where('role', '=', role)
    .where('is_active', '=', isActive ? 1 : 0)
    .where('password_hash', 'is not distinct from', passwordHash)
    .where('password_changed_at', 'is not distinct from', sessionVersion);
  if (requiresOtherAdministrator) {
    update = update.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('users')
          .select('id')
          .where('tenant_id', '=', tenantId)
          .where('id', '!=', id)
          .where('is_active', '=', 1)
          .where('role', 'in', ['ADMIN', 'SUPER_ADMIN']),
      ),
    );
  }
  return update.returningAll().executeTakeFirst();
}

const SEEN = ['role', 'isActive', 'passwordHash', 'sessionVersion'] as const;
const DUPLICATE_EMAIL = { unique: 'duplicate email' } as const;
const UNKNOWN_TENANT = { 'foreign key': 'unknown tenant' } as const;

const CREATED_COUNTS = [
  countCreated('agents').as('agents'),
  sql<number>`${countCreated('api_keys')} + ${countCreated('credentials')}`.as('credentials'),
  countCreated('executions').as('executions'),
];

function countCreated(table: 'agents' | 'api_keys' | 'credentials' | 'executions'): RawBuilder<number> {
  const made = sql`FROM ${sql.table(table)} WHERE tenant_id = users.tenant_id AND created_by = users.id`;
  return sql<number>`(SELECT count(*) ${made})`;
}

export function isFoundBy(search: string): RawBuilder<boolean> {
  const pattern = `%${searchKey(search).replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`(name_search LIKE ${pattern} ESCAPE '\\' OR email_search LIKE ${pattern} ESCAPE '\\')`;
}

function columnsOf({ isActive, sessionVersion, metadata, ...same }: UserChanges) {
  const { email, name } = same;
  return withoutUndefined({
    ...toRow(same),
    ...(email !== undefined && { email_key: email.toLowerCase(), email_search: searchKey(email) }),
    ...(name !== undefined && { name_search: searchKey(name) }),
    is_active: isActive === undefined ? undefined : isActive ? 1 : 0,
    password_changed_at: sessionVersion,
    metadata: metadata && JSON.stringify(metadata),
  });
}

export function toUserRow({ isActive, sessionVersion, metadata, ...user }: StoredUser): StateTables['users'] {
  return {
    ...toRow(user),
    email_key: user.email.toLowerCase(),
    email_search: searchKey(user.email),
    name_search: searchKey(user.name),
    is_active: isActive ? 1 : 0,
    password_changed_at: sessionVersion,
    metadata: JSON.stringify(metadata),
  };
}

function toUser(row: StateTables['users']): StoredUser {
  const { email_key: _, email_search: __, name_search: ___, password_changed_at: sessionVersion, ...rest } = row;
  return { ...fromRow(rest), isActive: row.is_active === 1, sessionVersion, metadata: JSON.parse(row.metadata) };
}
