import type { CompiledQuery } from 'kysely';
import type { PageQuery } from '../../../core/access/auth/schema.ts';
import type {
  SessionIdentity,
  SessionStore,
  SessionsOf,
  SessionsOfAll,
  SessionWithUser,
  StoredSession,
} from '../../../core/access/auth/store.ts';
import type { Role } from '../../../core/base/shared/caller.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { ALL, dialectOf } from './dialect.ts';
import { fromRow, toRow } from './rows.ts';
import { isFoundBy } from './users.ts';

type SessionRow = StateTables['sessions'];

export class SqlSessionStore implements SessionStore {
  private readonly database: StateDatabase;
  private readonly findById: CompiledQuery<SessionRow>;

  constructor(database: StateDatabase) {
    this.database = database;
    this.findById = database.selectFrom('sessions').selectAll().where('id', '=', '').compile();
  }

  async create(session: StoredSession, keep: number, identity?: SessionIdentity): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, { table: 'users', id: session.userId });
      await transaction.insertInto('sessions').values(toRow(session)).execute();
      if (identity) {
        const owner = { session_id: session.id, tenant_id: session.tenantId };
        await transaction
          .insertInto('session_identities')
          .values({ ...owner, ...toRow(identity) })
          .execute();
      }
      const newestFirst = transaction
        .selectFrom('sessions')
        .select('id')
        .where('tenant_id', '=', session.tenantId)
        .where('user_id', '=', session.userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc');
      const surplus = newestFirst.limit(ALL).offset(keep);
      await transaction.deleteFrom('sessions').where('id', 'in', surplus).execute();
    });
  }

  async find(id: string): Promise<StoredSession | null> {
    const { rows } = await this.database.executeQuery<SessionRow>({ ...this.findById, parameters: [id] });
    const row = rows[0];
    return row ? fromRow(row) : null;
  }

  async page(tenantId: string, of: SessionsOf, { limit, offset }: PageQuery): Promise<Page<StoredSession>> {
    const live = this.database
      .selectFrom('sessions')
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', of.userId)
      .where('session_version', 'is not distinct from', of.sessionVersion)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', of.now);
    const { total } = await live.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const newestFirst = live.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
    return { items: (await newestFirst.limit(limit).offset(offset).execute()).map(fromRow), total };
  }

  async pageOfAll(
    tenantId: string,
    { search, now }: SessionsOfAll,
    { limit, offset, countAtMost }: PageQuery & { countAtMost: number },
  ): Promise<Page<SessionWithUser>> {
    let live = this.database
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .where('sessions.tenant_id', '=', tenantId)
      .where('sessions.revoked_at', 'is', null)
      .where('sessions.expires_at', '>', now)
      .whereRef('sessions.session_version', 'is not distinct from', 'users.password_changed_at');
    if (search !== '') live = live.where(isFoundBy(search));
    const counted = live.select('sessions.id').limit(countAtMost).as('counted');
    const { total } = await this.database
      .selectFrom(counted)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await live
      .selectAll('sessions')
      .select(['users.name', 'users.email', 'users.role'])
      .orderBy('sessions.created_at', 'desc')
      .orderBy('sessions.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return {
      items: rows.map(({ name, email, role, ...row }) => ({
        ...fromRow(row),
        user: { id: row.user_id, name, email, role },
      })),
      total,
    };
  }

  async endOfAll(
    tenantId: string,
    { roles, exceptUser, now }: { roles: readonly Role[]; exceptUser: string; now: number },
  ): Promise<number> {
    const { numUpdatedRows } = await this.database
      .updateTable('sessions')
      .set({ revoked_at: now })
      .where('tenant_id', '=', tenantId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .where('user_id', '!=', exceptUser)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('users')
            .select('users.id')
            .whereRef('users.id', '=', 'sessions.user_id')
            .whereRef('users.password_changed_at', 'is not distinct from', 'sessions.session_version')
            .where('users.role', 'in', roles),
        ),
      )
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  async touch(id: string, at: number): Promise<void> {
    await this.database.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute();
  }

  async recordSecondFactor(id: string, at: number): Promise<void> {
    await this.database.updateTable('sessions').set({ second_factor_at: at }).where('id', '=', id).execute();
  }

  async end(tenantId: string, of: SessionsOf, which: { id: string } | { except: string | null }): Promise<number> {
    let update = this.database
      .updateTable('sessions')
      .set({ revoked_at: of.now })
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', of.userId)
      .where('session_version', 'is not distinct from', of.sessionVersion)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', of.now);
    if ('id' in which) update = update.where('id', '=', which.id);
    else if (which.except !== null) update = update.where('id', '!=', which.except);
    return Number((await update.executeTakeFirst()).numUpdatedRows);
  }

  async prune(before: number): Promise<void> {
    await this.database.deleteFrom('sessions').where('expires_at', '<', before).execute();
  }
}
