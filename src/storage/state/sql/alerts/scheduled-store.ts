import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { DueQuery } from '../../../../core/base/concurrency/due-runner.ts';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { NewDelivery } from '../../../../core/watch/deliveries/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateTransaction } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { GroupCommit } from '../group-commit.ts';
import { insertDeliveries } from './deliveries.ts';
import { withMessages } from './messages.ts';

type Table = 'alerts' | 'digests';
type Row<Name extends Table> = Selectable<StateTables[Name]>;

interface Scheduled {
  id: string;
  tenantId: string;
  /** Grows with each change. */
  revision: number;
}

interface Mapping<Item, Name extends Table> {
  table: Name;
  toRow(item: Item): Row<Name>;
  toItem(row: Row<Name>): Item;
}

/** The part that stores of alerts and digests share: items with a revision and a due time. */
export abstract class ScheduledStore<Item extends Scheduled, Name extends Table> {
  protected readonly database: StateDatabase;
  protected readonly commits: GroupCommit;
  private readonly mapping: Mapping<Item, Name>;

  constructor(database: StateDatabase, mapping: Mapping<Item, Name>) {
    this.database = database;
    this.commits = new GroupCommit(database);
    this.mapping = mapping;
  }

  async add(item: Item): Promise<void> {
    await this.database
      .insertInto(this.table)
      .values(this.mapping.toRow(item) as Row<'digests'>)
      .execute();
  }

  async find(tenantId: string, id: string): Promise<Item | null> {
    const query = this.database
      .selectFrom(this.table)
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id);
    const row = await query.executeTakeFirst();
    return row ? this.mapping.toItem(row as Row<Name>) : null;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const query = this.database.deleteFrom(this.table).where('tenant_id', '=', tenantId).where('id', '=', id);
    return (await query.executeTakeFirst()).numDeletedRows === 1n;
  }

  replace(item: Item): Promise<boolean> {
    return this.commits.run((transaction) => this.change(transaction, item, this.mapping.toRow(item)));
  }

  async due(now: number, { limit, ofTenant, except }: DueQuery): Promise<Item[]> {
    const table = sql.table(this.mapping.table);
    const { rows } = await sql<Row<Name>>`
      WITH due AS (
        SELECT id, next_due, row_number() OVER (PARTITION BY tenant_id ORDER BY next_due, id) AS turn
        FROM ${table} WHERE next_due IS NOT NULL AND (next_due <= ${now} OR checked_at > ${now} OR updated_at > ${now})
        AND id NOT IN (SELECT value FROM ${dialectOf(this.database).texts(except)} AS given)
      )
      SELECT scheduled.* FROM due JOIN ${table} AS scheduled ON scheduled.id = due.id
      WHERE turn <= ${ofTenant} ORDER BY turn, due.next_due LIMIT ${limit}`.execute(this.database);
    return rows.map((row) => this.mapping.toItem(row));
  }

  async nextDue(now: number): Promise<number | null> {
    const { rows } = await sql<{ next: number | null }>`
      SELECT min(next_due) AS next FROM ${sql.table(this.mapping.table)} WHERE next_due > ${now}`.execute(
      this.database,
    );
    return rows[0]?.next ?? null;
  }

  /** Newest first; `where` has conditions beside the tenant. */
  protected async page(
    tenantId: string,
    { limit, offset, maker }: { limit: number; offset: number; maker?: string | undefined },
    where = sql<boolean>`true`,
  ): Promise<Page<Item>> {
    let asked = this.database.selectFrom(this.table).where('tenant_id', '=', tenantId).where(where);
    if (maker !== undefined) asked = asked.where('maker', '=', maker);
    const rows = await asked.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const { total } = await asked.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map((row) => this.mapping.toItem(row as Row<Name>)), total };
  }

  /** The changes and the deliveries are one commit. False: another revision, or removed. */
  protected settleWith(
    item: Scheduled,
    { at, changes, deliveries }: { at: number; changes: Partial<Row<Name>>; deliveries: readonly NewDelivery[] },
    also: (transaction: StateTransaction) => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    // An item that was changed in the future is due: the clock was set back.
    const updated = { updated_at: sql`CASE WHEN updated_at < ${at} THEN updated_at ELSE ${at} END` };
    return withMessages(this.commits, { tenantId: item.tenantId, deliveries, added: true }, () =>
      this.commits.run(async (transaction) => {
        if (!(await this.change(transaction, item, { ...changes, ...updated }))) return false;
        await also(transaction);
        await insertDeliveries(transaction, item.tenantId, deliveries);
        return true;
      }),
    );
  }

  protected async change(
    transaction: StateTransaction,
    { id, tenantId, revision }: Scheduled,
    changes: object,
  ): Promise<boolean> {
    const { numUpdatedRows } = await transaction
      .updateTable(this.table)
      .set({ ...changes, revision: revision + 1 } as UpdateObject<StateTables, 'digests'>)
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where('revision', '=', revision)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** Queries name only the columns that both tables have. */
  private get table(): 'digests' {
    return this.mapping.table as 'digests';
  }
}
