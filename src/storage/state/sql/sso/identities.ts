import type { EndedByProvider, Identity, IdentityStore } from '../../../../core/access/sso/store.ts';
import type { StoredUser } from '../../../../core/access/users/store.ts';
import type { StateDatabase } from '../database.ts';
import { toRow } from '../rows.ts';
import { toUserRow } from '../users.ts';
import { violationAsResult } from '../violations.ts';

export class SqlIdentityStore implements IdentityStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async userOf({ providerUid, issuer, subject, tenantId }: Identity): Promise<string | null> {
    const row = await this.database
      .selectFrom('user_identities')
      .select('user_id')
      .where('provider_uid', '=', providerUid)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    return row?.user_id ?? null;
  }

  async link(identity: Identity, userId: string, at: number) {
    const insert = this.database
      .insertInto('user_identities')
      .values({ ...toRow(identity), user_id: userId, created_at: at })
      .execute();
    const result = await violationAsResult(insert, LINK_VIOLATIONS);
    return typeof result === 'string' ? result : 'linked';
  }

  async createUser(user: StoredUser, identity: Identity) {
    const insert = this.database.transaction().execute(async (transaction) => {
      await transaction.insertInto('users').values(toUserRow(user)).execute();
      const row = { ...toRow(identity), user_id: user.id, created_at: user.createdAt };
      await transaction.insertInto('user_identities').values(row).execute();
      return 'created' as const;
    });
    return violationAsResult(insert, VIOLATIONS);
  }

  async providerOfSession(sessionId: string): Promise<string | null> {
    const row = await this.database
      .selectFrom('session_identities')
      .select('provider_uid')
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    return row?.provider_uid ?? null;
  }

  async endSessions(
    { providerUid, issuer, subject, idpSession }: Parameters<IdentityStore['endSessions']>[0],
    now: number,
  ): Promise<EndedByProvider[]> {
    let matching = this.database
      .selectFrom('session_identities')
      .select('session_id')
      .where('provider_uid', '=', providerUid)
      .where('issuer', '=', issuer);
    if (subject !== null) matching = matching.where('subject', '=', subject);
    if (idpSession !== null) matching = matching.where('idp_session', '=', idpSession);
    const ended = await this.database
      .updateTable('sessions')
      .set({ revoked_at: now })
      .where('id', 'in', matching)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['tenant_id', 'user_id'])
      .execute();
    const byUser = Map.groupBy(ended, (row) => JSON.stringify([row.tenant_id, row.user_id]));
    return [...byUser.values()].map((rows) => {
      const { tenant_id: tenantId, user_id: userId } = rows[0]!;
      return { tenantId, userId, sessions: rows.length };
    });
  }

  async useOnce(name: string, expiresAt: number, now: number): Promise<boolean> {
    await this.database.deleteFrom('used_names').where('expires_at', '<', now).execute();
    const insert = this.database
      .insertInto('used_names')
      .values({ name, expires_at: expiresAt })
      .onConflict((conflict) => conflict.doNothing());
    return (await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
  }
}

const LINK_VIOLATIONS = {
  'primary key': 'taken',
  unique: 'other account',
  // User or provider have gone: to look again finds that.
  'foreign key': 'taken',
} as const;

const VIOLATIONS = {
  unique: 'duplicate email',
  'primary key': 'duplicate identity',
  'foreign key': 'unknown tenant',
} as const;
