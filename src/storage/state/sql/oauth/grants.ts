import type { PageQuery } from '../../../../core/access/auth/schema.ts';
import type { GrantOfUser, StoredGrant } from '../../../../core/access/oauth/store.ts';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { fromRow, toRow } from '../rows.ts';

/** Counting more would make every page slow. */
const MAX_COUNTED = 1_000;

type GrantRow = StateTables['oauth_grants'];

export async function createGrant(database: StateDatabase, grant: StoredGrant): Promise<void> {
  await database
    .insertInto('oauth_grants')
    .values({ ...toRow(grant), scopes: JSON.stringify(grant.scopes) })
    .execute();
}

export async function findGrant(database: StateDatabase, id: string): Promise<StoredGrant | null> {
  const row = await database.selectFrom('oauth_grants').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toGrant(row) : null;
}

export async function pageOfGrants(
  database: StateDatabase,
  { tenantId, userId, now }: { tenantId: string | null; userId: string | null; now: number },
  { limit, offset }: PageQuery,
): Promise<Page<GrantOfUser>> {
  let live = database
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
  const { total } = await database
    .selectFrom(counted)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const newestFirst = live.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset);
  const rows = await newestFirst
    .select(({ selectFrom }) =>
      selectFrom('users')
        .select('users.email')
        .whereRef('users.id', '=', 'oauth_grants.user_id')
        .$asScalar()
        .as('email'),
    )
    .execute();
  return { items: rows.map(({ email, ...row }) => ({ ...toGrant(row), email: email ?? '' })), total };
}

export function toGrant(row: GrantRow): StoredGrant {
  return { ...fromRow(row), scopes: JSON.parse(row.scopes) };
}
