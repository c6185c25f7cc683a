import type { CompiledQuery } from 'kysely';
import type { PageQuery } from '../../../core/access/auth/schema.ts';
import type { SessionIdentity, SessionStore, SessionsOf, StoredSession } from '../../../core/access/auth/store.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateDatabase } from './database.ts';
import { ALL, dialectOf } from './dialect.ts';
import type { StateTables } from './schema.ts';

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
      if (identity)
        await transaction.insertInto('session_identities').values(toIdentityRow(session, identity)).execute();
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
    return row ? toSession(row) : null;
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
    return { items: (await newestFirst.limit(limit).offset(offset).execute()).map(toSession), total };
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

function toRow(session: StoredSession): SessionRow {
  return {
    id: session.id,
    tenant_id: session.tenantId,
    user_id: session.userId,
    session_version: session.sessionVersion,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    expires_at: session.expiresAt,
    address: session.address,
    user_agent: session.userAgent,
    revoked_at: session.revokedAt,
    second_factor_at: session.secondFactorAt,
  };
}

function toIdentityRow(
  { id, tenantId }: StoredSession,
  { providerUid, issuer, subject, idpSession }: SessionIdentity,
): StateTables['session_identities'] {
  return { session_id: id, tenant_id: tenantId, provider_uid: providerUid, issuer, subject, idp_session: idpSession };
}

function toSession(row: SessionRow): StoredSession {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    userId: row.user_id,
    sessionVersion: row.session_version,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    address: row.address,
    userAgent: row.user_agent,
    revokedAt: row.revoked_at,
    secondFactorAt: row.second_factor_at,
  };
}
