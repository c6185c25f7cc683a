import { type RawBuilder, sql } from 'kysely';
import type { Stamp } from '../../../core/analytics/metrics/summaries.ts';
import type { StateDatabase } from './database.ts';
import { violationAsResult } from './violations.ts';

interface NamedRowsOptions<Row, Item> {
  table: 'connectors' | 'credentials' | 'providers' | 'segments' | 'terms';
  key: string & keyof Row;
  updated: readonly (string & keyof Row)[];
  updatedAt?: RawBuilder<number>;
  toItem(row: Row): Item;
  toRow(tenantId: string, item: Item): Row;
}

export class NamedRows<Row extends object, Item> {
  protected readonly database: StateDatabase;
  private readonly table: RawBuilder<unknown>;
  private readonly key: RawBuilder<unknown>;
  private readonly update: RawBuilder<unknown>;
  private readonly toItem: (row: Row) => Item;
  private readonly toRow: (tenantId: string, item: Item) => Row;

  constructor(database: StateDatabase, options: NamedRowsOptions<Row, Item>) {
    const { table, key, updated, updatedAt, toItem, toRow } = options;
    this.database = database;
    this.table = sql.table(table);
    this.key = sql.ref(key);
    const assignments = updated.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
    this.update = sql.join([...assignments, sql`updated_at = ${updatedAt ?? sql.ref('excluded.updated_at')}`]);
    this.toItem = toItem;
    this.toRow = toRow;
  }

  async find(tenantId: string, name: string): Promise<Item | null> {
    const { rows } = await sql<Row>`
      SELECT * FROM ${this.table} WHERE tenant_id = ${tenantId} AND ${this.key} = ${name}`.execute(this.database);
    return rows[0] ? this.toItem(rows[0]) : null;
  }

  async list(tenantId: string): Promise<Item[]> {
    const { rows } = await sql<Row>`
      SELECT * FROM ${this.table} WHERE tenant_id = ${tenantId} ORDER BY ${this.key}`.execute(this.database);
    return rows.map(this.toItem);
  }

  /** The stamps of all rows, without their definitions, which may be large. */
  async stamps(tenantId: string): Promise<Stamp[]> {
    const { rows } = await sql<Stamp>`
      SELECT ${this.key} AS "key", updated_at AS "changedAt", octet_length(definition) AS bytes
      FROM ${this.table} WHERE tenant_id = ${tenantId} ORDER BY ${this.key}`.execute(this.database);
    return rows;
  }

  async some(tenantId: string, names: string[]): Promise<Item[]> {
    if (names.length === 0) return [];
    const { rows } = await sql<Row>`
      SELECT * FROM ${this.table} WHERE tenant_id = ${tenantId} AND ${this.key} IN (${sql.join(names)})
      ORDER BY ${this.key}`.execute(this.database);
    return rows.map(this.toItem);
  }

  /** All of them or none. */
  put(tenantId: string, items: Item | Item[]): Promise<'put' | 'unknown tenant'> {
    const putAll = this.database.transaction().execute(async (transaction) => {
      for (const item of Array.isArray(items) ? items : [items]) {
        const row = this.toRow(tenantId, item);
        const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
        await sql`
          INSERT INTO ${this.table} (${columns}) VALUES (${sql.join(Object.values(row))})
          ON CONFLICT (tenant_id, ${this.key}) DO UPDATE SET ${this.update}`.execute(transaction);
      }
      return 'put' as const;
    });
    return violationAsResult(putAll, { 'foreign key': 'unknown tenant' } as const);
  }

  async remove(tenantId: string, name: string): Promise<boolean> {
    const { numAffectedRows } = await sql`
      DELETE FROM ${this.table} WHERE tenant_id = ${tenantId} AND ${this.key} = ${name}`.execute(this.database);
    return numAffectedRows === 1n;
  }
}
