import type { CompiledQuery } from 'kysely';
import type { PageQuery } from '../../../core/access/auth/schema.ts';
import type { SessionIdentity, SessionStore, SessionsOf, StoredSession } from '../../../core/access/auth/store.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { ALL, dialectOf } from './dialect.ts';
import { fromRow, toRow } from './rows.ts';

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
