import type { PageQuery } from '../../../../core/access/auth/schema.ts';
import type { StoredClient } from '../../../../core/access/oauth/store.ts';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { fromRow, toRow } from '../rows.ts';

export async function putClient(database: StateDatabase, client: StoredClient): Promise<void> {
  const { id, ...columns } = { ...toRow(client), metadata: JSON.stringify(client.metadata) };
  await database
    .insertInto('oauth_clients')
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

export async function findClient(database: StateDatabase, id: string): Promise<StoredClient | null> {
  const row = await database.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toClient(row) : null;
}

export async function pageOfClients(
  database: StateDatabase,
  { kind, limit, offset }: PageQuery & { kind?: StoredClient['kind'] | undefined },
): Promise<Page<StoredClient>> {
  let matching = database.selectFrom('oauth_clients');
  if (kind !== undefined) matching = matching.where('kind', '=', kind);
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const newestFirst = matching.selectAll().orderBy('created_at', 'desc').orderBy('id');
  return { items: (await newestFirst.limit(limit).offset(offset).execute()).map(toClient), total };
}

function toClient(row: StateTables['oauth_clients']): StoredClient {
  return { ...fromRow(row), metadata: JSON.parse(row.metadata) };
}
