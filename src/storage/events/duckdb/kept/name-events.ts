import type { DuckDBConnection } from '@duckdb/node-api';
import { readNumbers } from '../read/rows.ts';
import { DuckdbScope, type Source } from '../read/scope.ts';
import { DUCKDB } from '../read/sql.ts';
import { type KeptField, type KeptRow, type KeptValue, storedColumns } from './columns.ts';

/** The events of a name in a connection's snapshot, with their values of some fields. */
export class NameEvents {
  private readonly connection: DuckDBConnection;
  private readonly from: string;
  /** The columns of each field, of which the first one with a value counts. */
  private readonly parts: string[][];

  constructor(connection: DuckDBConnection, source: Source, eventName: string, fields: KeptField[]) {
    this.connection = connection;
    const scope = new DuckdbScope(source);
    scope.stored('timestamp');
    const isOfName = `${scope.stored('event_name')} = ${DUCKDB.text(eventName)}`;
    this.parts = fields.map((field) => {
      if (field.path === null) return [scope.stored(field.name)];
      if (source.paths === null || storedColumns(source.paths, field) === null) return [];
      const { text, number, boolean } = scope.property([field.path]);
      return [text, number && `${number}::DOUBLE`, boolean].filter((part) => part !== null);
    });
    this.from = `${scope.tenantEvents()} WHERE ${isOfName}`;
  }

  /** The earliest of some times since which there are not more than `most` events; null: none. */
  async earliestOf(times: number[], most: number): Promise<number | null> {
    const counts = times.map((time) => `count(*) FILTER (WHERE ${since(time)})`);
    const found = await readNumbers(this.connection, `SELECT ${counts.join(', ')} FROM ${this.from}`);
    const fitting = times.filter((_, at) => found[at]! <= most);
    return fitting.length === 0 ? null : Math.min(...fitting);
  }

  /** Some thousand at once. */
  async *since(time: number): AsyncGenerator<KeptRow[]> {
    const columns = ['timestamp::DOUBLE', ...this.parts.flat()].join(', ');
    const result = await this.connection.stream(`SELECT ${columns} FROM ${this.from} AND ${since(time)}`);
    for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
      yield chunk.getRows().map(([time, ...values]) => {
        let at = 0;
        const first = (own: string[]) => own.map(() => values[at++] as KeptValue).find((value) => value !== null);
        return [time as number, this.parts.map(first)];
      });
    }
  }
}

function since(time: number): string {
  return Number.isFinite(time) ? `timestamp >= ${DUCKDB.integer(time)}` : 'true';
}
