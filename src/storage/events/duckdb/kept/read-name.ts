import type { DuckDBConnection } from '@duckdb/node-api';
import type { Scalar } from '../../../../core/analytics/events/predicates.ts';
import { readNumber } from '../read/rows.ts';
import { DuckdbScope, type Source } from '../read/scope.ts';
import { DUCKDB } from '../read/sql.ts';
import type { KeptRow, NameEvents } from './kept-columns.ts';
import { type KeptField, storedColumns } from './table.ts';

/** Within the snapshot of a connection. */
export async function eventsOfName(
  connection: DuckDBConnection,
  source: Source,
  { eventName, fields }: { eventName: string; fields: KeptField[] },
): Promise<Omit<NameEvents, 'commits'>> {
  const scope = new DuckdbScope(source);
  const isOfName = `${scope.stored('event_name')} = ${DUCKDB.text(eventName)}`;
  const parts = fields.map((field) => {
    const { name, path } = field;
    if (path === null) return [scope.stored(name)];
    if (source.paths === null || storedColumns(source.paths, field) === null) return [];
    const { text, number, boolean } = scope.property([path]);
    return [text, number && `${number}::DOUBLE`, boolean].filter((part) => part !== null);
  });
  const columns = [`${scope.stored('timestamp')}::DOUBLE`, ...parts.flat()];
  const from = `${scope.tenantEvents()} WHERE ${isOfName}`;
  const count = await readNumber(connection, `SELECT count(*) FROM ${from}`);
  let result: Awaited<ReturnType<DuckDBConnection['run']>> | null = null;
  const next = async (): Promise<KeptRow[]> => {
    result ??= await connection.run(`SELECT ${columns.join(', ')} FROM ${from}`);
    const chunk = await result.fetchChunk();
    const found = chunk?.getRows() ?? [];
    return found.map(([time, ...values]) => {
      let at = 0;
      const first = (own: string[]) => own.map(() => values[at++] as Scalar | null).find((value) => value !== null);
      return [time as number, parts.map(first)];
    });
  };
  return { count, next };
}
