import { type CompiledQuery, sql } from 'kysely';
import type { PageQuery } from '../../../core/access/auth/schema.ts';
import { hashSecret } from '../../../core/access/auth/secrets.ts';
import type {
  ClientKind,
  GrantOfUser,
  OAuthRecord,
  OAuthStore,
  StoredClient,
  StoredGrant,
  TokenFacts,
} from '../../../core/access/oauth/store.ts';
import type { Role } from '../../../core/base/shared/caller.ts';
import type { Page } from '../../../core/base/shared/paging.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase, StateTransaction } from './database.ts';
import { ALL, dialectOf } from './dialect.ts';
import { fromRow, jsonOrNull, parsedOrNull, toRow } from './rows.ts';
import { isBeingErased } from './tenants.ts';

/** Counting more would make every page slow. */
const MAX_COUNTED = 1_000;

interface TokenRow {
  content: string;
  expires_at: number;
  /** JSON of a `FoundGrant`; null: the grant is gone. */
  found: string | null;
}

/** Values alone: to name them would take a third of the whole check. */
type FoundGrant = [
  ...grant: [id: string, tenantId: string, userId: string, clientId: string, clientName: string | null],
  ...[clientKind: ClientKind, scopes: string, expiresAt: number, lastUsedAt: number | null, endedAt: number | null],
  ...user: [email: string | null, role: Role, isActive: 0 | 1, sessionVersion: number | null],
  grantVersion: number | null,
  /** Null while the tenant is being erased. */
  timezone: string | null,
  /** JSON. */
  ...limits: [limits: string | null, roleLimits: string | null],
];

export class SqlOAuthStore implements OAuthStore {
  private readonly database: StateDatabase;
  private readonly tokenByHash: CompiledQuery<TokenRow>;

  constructor(database: StateDatabase) {
    this.database = database;
    // Every request with a token runs it. Subqueries, since SQLite prepares a join again for each
    // value.
    this.tokenByHash = sql<TokenRow>`
      SELECT content, expires_at, (
        SELECT ${dialectOf(database).jsonArray}(id, tenant_id, user_id, client_id, client_name, client_kind, scopes, expires_at, last_used_at,
          ended_at, (SELECT email FROM users WHERE users.id = user_id AND users.tenant_id = oauth_grants.tenant_id),
          (SELECT role FROM users WHERE users.id = user_id), (SELECT is_active FROM users WHERE users.id = user_id),
          (SELECT password_changed_at FROM users WHERE users.id = user_id), session_version,
          (SELECT timezone FROM tenants
            WHERE tenants.id = oauth_grants.tenant_id AND NOT ${isBeingErased(database)}), limits,
          (SELECT role_limits FROM tenants WHERE tenants.id = oauth_grants.tenant_id))
        FROM oauth_grants WHERE oauth_grants.id = grant_id) AS found
      FROM oauth_records WHERE kind = 'AccessToken' AND id_hash = ${''}`.compile(database);
  }

  async putClient(client: StoredClient): Promise<void> {
    const { id, ...columns } = { ...toRow(client), metadata: JSON.stringify(client.metadata) };
    await this.database
      .insertInto('oauth_clients')
      .values({ id, ...columns })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
      .execute();
  }

  async findClient(id: string): Promise<StoredClient | null> {
    const row = await this.database.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst();
    return row ? toClient(row) : null;
  }

  async clients({
    kind,
    limit,
    offset,
  }: PageQuery & { kind?: StoredClient['kind'] | undefined }): Promise<Page<StoredClient>> {
    let matching = this.database.selectFrom('oauth_clients');
    if (kind !== undefined) matching = matching.where('kind', '=', kind);
    const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const newestFirst = matching.selectAll().orderBy('created_at', 'desc').orderBy('id');
    return { items: (await newestFirst.limit(limit).offset(offset).execute()).map(toClient), total };
  }

  async touchClient(id: string, at: number): Promise<void> {
    await this.database.updateTable('oauth_clients').set({ last_used_at: at }).where('id', '=', id).execute();
  }

  removeClient(id: string, at: number): Promise<{ removed: boolean; ended: StoredGrant[] }> {
    return this.database.transaction().execute(async (transaction) => {
      const live = transaction.updateTable('oauth_grants').set({ ended_at: at }).where('client_id', '=', id);
      const ended = await live.where('ended_at', 'is', null).returningAll().execute();
      const grants = transaction.selectFrom('oauth_grants').select('id').where('client_id', '=', id);
      await transaction.deleteFrom('oauth_records').where('grant_id', 'in', grants).execute();
      const { numDeletedRows } = await transaction.deleteFrom('oauth_clients').where('id', '=', id).executeTakeFirst();
      return { removed: numDeletedRows > 0n, ended: ended.map(toGrant) };
    });
  }

  async createGrant(grant: StoredGrant): Promise<void> {
    await this.database.insertInto('oauth_grants').values(toGrantRow(grant)).execute();
  }

  renewGrant(grant: StoredGrant): Promise<{ id: string; former: StoredGrant | null }> {
    return this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, { table: 'users', id: grant.userId });
      const row = await transaction
        .selectFrom('oauth_grants')
        .selectAll()
        .where('user_id', '=', grant.userId)
        .where('client_id', '=', grant.clientId)
        .where('identity_provider', 'is not', null)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      const former = row ? toGrant(row) : null;
      const { id, created_at, activated_at, last_used_at, ...changed } = toGrantRow(grant);
      if (former?.sessionVersion === grant.sessionVersion) {
        await transaction.updateTable('oauth_grants').set(changed).where('id', '=', former.id).execute();
        return { id: former.id, former };
      }
      // Its tokens were void: the new one must not bring them back.
      if (former) await end(transaction, former.id, grant.createdAt);
      await transaction
        .insertInto('oauth_grants')
        .values({ id, created_at, activated_at, last_used_at, ...changed })
        .execute();
      return { id, former };
    });
  }

  async findGrant(id: string): Promise<StoredGrant | null> {
    const row = await this.database.selectFrom('oauth_grants').selectAll().where('id', '=', id).executeTakeFirst();
    return row ? toGrant(row) : null;
  }

  async grants(
    { tenantId, userId, now }: { tenantId: string | null; userId: string | null; now: number },
    { limit, offset }: PageQuery,
  ): Promise<Page<GrantOfUser>> {
    let live = this.database
      .selectFrom('oauth_grants')
      .where('activated_at', 'is not', null)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .where('session_version', 'is not distinct from', ({ selectFrom }) =>
        selectFrom('users').select('password_changed_at').whereRef('users.id', '=', 'oauth_grants.user_id'),
      );
    if (tenantId !== null) live = live.where('tenant_id', '=', tenantId);
    if (userId !== null) live = live.where('user_id', '=', userId);
    const counted = live.select('id').limit(MAX_COUNTED).as('counted');
    const { total } = await this.database
      .selectFrom(counted)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const newestFirst = live.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
    const rows = await newestFirst
      .select(({ selectFrom }) =>
        selectFrom('users')
          .select('users.email')
          .whereRef('users.id', '=', 'oauth_grants.user_id')
          .$asScalar()
          .as('email'),
      )
      .limit(limit)
      .offset(offset)
      .execute();
    return { items: rows.map(({ email, ...row }) => ({ ...toGrant(row), email: email ?? '' })), total };
  }

  async activateGrant(id: string, at: number): Promise<void> {
    const first = this.database.updateTable('oauth_grants').set({ activated_at: at }).where('id', '=', id);
    await first.where('activated_at', 'is', null).execute();
  }

  async touchGrant(id: string, at: number): Promise<void> {
    await this.database.updateTable('oauth_grants').set({ last_used_at: at }).where('id', '=', id).execute();
  }

  endGrant(id: string, at: number): Promise<boolean> {
    return this.database.transaction().execute((transaction) => end(transaction, id, at));
  }

  async put(
    { kind, id, grantId, content, createdAt, expiresAt, consumedAt }: OAuthRecord,
    keep: number,
  ): Promise<void> {
    const columns = {
      grant_id: grantId,
      content: JSON.stringify(content),
      created_at: createdAt,
      expires_at: expiresAt,
      consumed_at: consumedAt,
    };
    await this.database.transaction().execute(async (transaction) => {
      if (grantId !== null) await dialectOf(transaction).lock(transaction, { table: 'oauth_grants', id: grantId });
      await transaction
        .insertInto('oauth_records')
        .values({ kind, id_hash: hashSecret(id), ...columns })
        .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(columns))
        .execute();
      if (grantId === null) return;
      const ofGrant = transaction.selectFrom('oauth_records').select('id_hash').where('grant_id', '=', grantId);
      const newestFirst = ofGrant.where('kind', '=', kind).orderBy('created_at', 'desc').orderBy('id_hash');
      const surplus = newestFirst.limit(ALL).offset(keep);
      await transaction.deleteFrom('oauth_records').where('kind', '=', kind).where('id_hash', 'in', surplus).execute();
    });
  }

  async find(kind: string, id: string): Promise<OAuthRecord | null> {
    const row = await this.records(kind, id).executeTakeFirst();
    return row ? toRecord(row, id) : null;
  }

  async consume(kind: string, id: string, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable('oauth_records')
      .set({ consumed_at: at })
      .where('kind', '=', kind)
      .where('id_hash', '=', hashSecret(id))
      .where('consumed_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async remove(kind: string, id: string): Promise<void> {
    const named = this.database.deleteFrom('oauth_records').where('kind', '=', kind);
    await named.where('id_hash', '=', hashSecret(id)).execute();
  }

  async removeOfGrant(grantId: string, kind: string): Promise<void> {
    const named = this.database.deleteFrom('oauth_records').where('grant_id', '=', grantId);
    await named.where('kind', '=', kind).execute();
  }

  async findToken(token: string): Promise<TokenFacts | null> {
    const { rows } = await this.database.executeQuery<TokenRow>({
      ...this.tokenByHash,
      parameters: [hashSecret(token)],
    });
    const row = rows[0];
    if (!row || row.found === null) return null;
    const [id, tenantId, userId, clientId, clientName, clientKind, scopes, ...rest] = JSON.parse(
      row.found,
    ) as FoundGrant;
    const [expiresAt, lastUsedAt, endedAt, email, role, isActive, sessionVersion, grantVersion, ...others] = rest;
    const [timezone, limits, roleLimits] = others;
    if (email === null || timezone === null) return null;
    const client = { clientId, clientName, clientKind };
    return {
      grant: {
        id,
        tenantId,
        userId,
        sessionVersion: grantVersion,
        ...client,
        scopes: JSON.parse(scopes),
        limits: parsedOrNull(limits),
        expiresAt,
        lastUsedAt,
        endedAt,
      },
      content: JSON.parse(row.content),
      expiresAt: row.expires_at,
      user: { id: userId, email, role, isActive: isActive === 1, sessionVersion },
      timezone,
      roleLimits: parsedOrNull(roleLimits),
    };
  }

  async prune(before: Parameters<OAuthStore['prune']>[0]): Promise<void> {
    const { database } = this;
    await database.deleteFrom('oauth_records').where('expires_at', '<', before.records).execute();
    await sql`DELETE FROM oauth_grants WHERE expires_at < ${before.grants} OR ended_at < ${before.grants}
      OR (activated_at IS NULL AND created_at < ${before.unusedGrants})`.execute(database);
    await sql`DELETE FROM oauth_clients WHERE kind = 'registered'
      AND ((last_used_at IS NULL AND created_at < ${before.unusedClients}) OR last_used_at < ${before.idleClients})
      AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = oauth_clients.id)`.execute(database);
  }

  private records(kind: string, id: string) {
    const named = this.database.selectFrom('oauth_records').selectAll().where('kind', '=', kind);
    return named.where('id_hash', '=', hashSecret(id));
  }
}

async function end(transaction: StateTransaction, id: string, at: number): Promise<boolean> {
  const live = transaction.updateTable('oauth_grants').set({ ended_at: at }).where('id', '=', id);
  const { numUpdatedRows } = await live.where('ended_at', 'is', null).executeTakeFirst();
  await transaction.deleteFrom('oauth_records').where('grant_id', '=', id).execute();
  return numUpdatedRows > 0n;
}

function toGrantRow(grant: StoredGrant): StateTables['oauth_grants'] {
  return { ...toRow(grant), scopes: JSON.stringify(grant.scopes), limits: jsonOrNull(grant.limits) };
}

function toClient(row: StateTables['oauth_clients']): StoredClient {
  return { ...fromRow(row), metadata: JSON.parse(row.metadata) };
}

function toGrant(row: StateTables['oauth_grants']): StoredGrant {
  return { ...fromRow(row), scopes: JSON.parse(row.scopes), limits: parsedOrNull(row.limits) };
}

function toRecord({ id_hash: _, ...row }: StateTables['oauth_records'], id: string): OAuthRecord {
  return { ...fromRow(row), id, content: JSON.parse(row.content) };
}
