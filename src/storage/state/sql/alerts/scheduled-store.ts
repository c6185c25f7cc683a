import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { DueQuery } from '../../../../core/base/concurrency/due-runner.ts';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { NewDelivery } from '../../../../core/watch/deliveries/store.ts';
import type { Scheduled } from '../../../../core/watch/schedules/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateTransaction } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { insertDeliveries } from './deliveries.ts';
import { withMessages } from './messages.ts';

type Table = 'alerts' | 'digests';
type Row<Name extends Table> = Selectable<StateTables[Name]>;
/** The columns of a kind's own state. */
type StateRow<Name extends Table> = Omit<Row<Name>, keyof Row<'alerts'> & keyof Row<'digests'>> & {
  checked_at: number | null;
};

interface Mapping<Item, Name extends Table> {
  table: Name;
  toState(item: Item): StateRow<Name>;
  ofState(row: Row<Name>): Omit<Item, keyof Scheduled>;
}

/** Alerts and digests: items of a tenant with a revision and a time at which they are due. */
export abstract class SqlScheduledStore<Item extends Scheduled, Name extends Table, Change = never> {
  protected readonly database: StateDatabase;
  private readonly mapping: Mapping<Item, Name>;

  constructor(database: StateDatabase, mapping: Mapping<Item, Name>) {
    this.database = database;
    this.mapping = mapping;
  }

  async add(item: Item): Promise<void> {
    await this.database
      .insertInto(this.table)
      .values(this.toRow(item) as Row<'digests'>)
      .execute();
  }

  async find(tenantId: string, id: string): Promise<Item | null> {
    const query = this.database
      .selectFrom(this.table)
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id);
    const row = await query.executeTakeFirst();
    return row ? this.toItem(row as Row<Name>) : null;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const query = this.database.deleteFrom(this.table).where('tenant_id', '=', tenantId).where('id', '=', id);
    return (await query.executeTakeFirst()).numDeletedRows === 1n;
  }

  replace(item: Item, change: Change | null): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      if (!(await this.change(transaction, item, this.toRow(item)))) return false;
      if (change) await this.recordChange(transaction, item, change);
      return true;
    });
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
    return rows.map((row) => this.toItem(row));
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
    return { items: rows.map((row) => this.toItem(row as Row<Name>)), total };
  }

  /** State, history and deliveries are one commit. False: as for `replace`. */
  protected settleWith(
    item: Pick<Item, 'id' | 'tenantId' | 'revision'>,
    end: {
      at: number;
      state: StateRow<Name>;
      nextDue: number | null;
      deliveries: readonly NewDelivery[];
      change?: Change | null;
    },
  ): Promise<boolean> {
    const { at, state, nextDue, deliveries, change } = end;
    // An item that was changed in the future is due: the clock was set back.
    const updated = sql`CASE WHEN updated_at < ${at} THEN updated_at ELSE ${at} END`;
    return withMessages(this.database, { tenantId: item.tenantId, deliveries, added: true }, () =>
      this.database.transaction().execute(async (transaction) => {
        const changes = { ...state, next_due: nextDue, updated_at: updated };
        if (!(await this.change(transaction, item, changes))) return false;
        if (change) await this.recordChange(transaction, item, change);
        await insertDeliveries(transaction, item.tenantId, deliveries);
        return true;
      }),
    );
  }

  /** For a kind with a history. */
  protected async recordChange(
    _transaction: StateTransaction,
    _item: Pick<Item, 'id' | 'tenantId'>,
    _change: Change,
  ): Promise<void> {}

  private async change(
    transaction: StateTransaction,
    { id, tenantId, revision }: Pick<Item, 'id' | 'tenantId' | 'revision'>,
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

  private toRow(item: Item): Row<Name> {
    return {
      id: item.id,
      tenant_id: item.tenantId,
      agent_id: item.agentId,
      definition: JSON.stringify(item.definition),
      targets: item.sealedTargets,
      revision: item.revision,
      next_due: item.nextDue,
      created_at: item.createdAt,
      updated_at: item.updatedAt,
      created_by: item.createdBy,
      maker: item.maker ?? null,
      ...this.mapping.toState(item),
    } as unknown as Row<Name>;
  }

  private toItem(row: Row<Name>): Item {
    const { id, ...shared } = row as unknown as Row<'digests'>;
    const common: Scheduled = {
      id,
      tenantId: shared.tenant_id,
      agentId: shared.agent_id,
      definition: JSON.parse(shared.definition),
      sealedTargets: shared.targets,
      revision: shared.revision,
      nextDue: shared.next_due,
      createdAt: shared.created_at,
      updatedAt: shared.updated_at,
      createdBy: shared.created_by,
      ...(shared.maker !== null && { maker: shared.maker }),
    };
    return { ...common, ...this.mapping.ofState(row) } as Item;
  }

  /** Queries name only the columns that both tables have. */
  private get table(): 'digests' {
    return this.mapping.table as 'digests';
  }
}
