import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  INTEGER,
  UUID,
  VARCHAR,
} from '@duckdb/node-api';
import bindings, { type Vector } from '@duckdb/node-bindings';
import type { Kind } from '../tables.ts';
import type { Shredded, TenantEvent } from './shred.ts';
import { Uuids } from './uuid.ts';

/*
 * Inserts rows into DuckDB by column. The vectors of node-api take one value at a time, which is several times slower;
 * here typed arrays are filled in JavaScript and copied as a whole.
 */

/** DuckDB's vector size, the most rows of a chunk. */
const CHUNK_ROWS = 2_048;

const TYPE_OF_KIND = { text: VARCHAR, integer: BIGINT, double: DOUBLE, boolean: BOOLEAN, container: BOOLEAN };

/** How a column of `hot` is filled. */
type Source =
  | { kind: 'number'; of: (row: TenantEvent, epoch: number) => number }
  | { kind: 'timestamp'; of: (row: TenantEvent) => number }
  | { kind: 'uuid' }
  | { kind: 'id' }
  | { kind: 'string'; of: (row: TenantEvent) => string | null };

const EVENT_SOURCES: Record<string, Source> = {
  tenant: { kind: 'number', of: (row) => row.tenant },
  run: { kind: 'number', of: () => 0 },
  epoch: { kind: 'number', of: (_, epoch) => epoch },
  agent_id: { kind: 'string', of: ({ event }) => event.agentId },
  event_name: { kind: 'string', of: ({ event }) => event.eventName },
  timestamp: { kind: 'timestamp', of: ({ event }) => event.timestamp },
  uuid: { kind: 'uuid' },
  id: { kind: 'id' },
  thread_id: { kind: 'string', of: ({ event }) => event.threadId },
  execution_id: { kind: 'string', of: ({ event }) => event.executionId },
  properties: { kind: 'string', of: ({ event }) => event.properties },
};

/** Inserts events into `hot`, whose columns are `columns` in their order. Runs inside the caller's transaction. */
export async function insertEvents(
  connection: DuckDBConnection,
  { events, typed }: Shredded,
  { columns, epoch }: { columns: string[]; epoch: number },
): Promise<void> {
  const types = columns.map(typeOf);
  const appender = await connection.createAppender('hot');
  try {
    for (let start = 0; start < events.length; start += CHUNK_ROWS) {
      const slice = events.slice(start, start + CHUNK_ROWS);
      const uuids = new Uuids(slice.map(({ event }) => event.id));
      const chunk = DuckDBDataChunk.create(types, slice.length);
      for (const [index, column] of columns.entries()) {
        const vector = bindings.data_chunk_get_vector(chunk.chunk, index);
        const source = EVENT_SOURCES[column];
        if (source) fillFromEvents(vector, source, slice, { epoch, uuids });
        else fillTyped(vector, kindOf(column), typed.get(column)?.slice(start, start + slice.length), slice.length);
      }
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } catch (error) {
    // Otherwise garbage collection would append the remaining rows into the transaction that runs then.
    appender.clear();
    throw error;
  } finally {
    closeQuietly(appender);
  }
}

/** Closing flushes the appender: after a success it is empty, and after a failure the first error is reported. */
function closeQuietly(appender: DuckDBAppender): void {
  try {
    appender.closeSync();
  } catch {
    appender.clear();
  }
}

function typeOf(column: string) {
  const source = EVENT_SOURCES[column];
  if (!source) return TYPE_OF_KIND[kindOf(column)];
  return { number: INTEGER, timestamp: BIGINT, uuid: UUID, id: VARCHAR, string: VARCHAR }[source.kind];
}

function kindOf(column: string): Kind {
  return column.slice(0, column.indexOf('_')) as Kind;
}

function fillFromEvents(
  vector: Vector,
  source: Source,
  rows: TenantEvent[],
  { epoch, uuids }: { epoch: number; uuids: Uuids },
): void {
  if (source.kind === 'number') {
    const numbers = Int32Array.from(rows, (row) => source.of(row, epoch));
    copy(vector, numbers);
  } else if (source.kind === 'timestamp') {
    const timestamps = BigInt64Array.from(rows, (row) => BigInt(source.of(row)));
    copy(vector, timestamps);
  } else if (source.kind === 'uuid') {
    fillUuids(vector, uuids, rows.length);
  } else {
    const of =
      source.kind === 'id' ? ({ event }: TenantEvent, at: number) => (uuids.has(at) ? null : event.id) : source.of;
    fillText(vector, rows.map(of));
  }
}

function fillUuids(vector: Vector, uuids: Uuids, count: number): void {
  copy(vector, uuids.values);
  const validity = new Validity(count);
  for (let at = 0; at < count; at++) {
    if (uuids.has(at)) validity.set(at);
  }
  validity.copyTo(vector);
}

function fillText(vector: Vector, texts: (string | null)[]): void {
  const validity = new Validity(texts.length);
  for (const [at, text] of texts.entries()) {
    if (text === null) continue;
    assignText(vector, at, text);
    validity.set(at);
  }
  validity.copyTo(vector);
}

function fillTyped(vector: Vector, kind: Kind, values: unknown[] | undefined, count: number): void {
  const validity = new Validity(count);
  if (values) {
    const items = arrayOf(kind, count);
    for (let at = 0; at < count; at++) {
      const value = values[at];
      if (value === undefined) continue;
      validity.set(at);
      if (items === null) assignText(vector, at, value as string);
      else if (items instanceof BigInt64Array) items[at] = BigInt(value as number);
      else items[at] = Number(value);
    }
    if (items) copy(vector, items);
  }
  validity.copyTo(vector);
}

function arrayOf(
  kind: Kind,
  count: number,
): BigInt64Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | null {
  if (kind === 'text') return null;
  if (kind === 'integer') return new BigInt64Array(count);
  return kind === 'double' ? new Float64Array(count) : new Uint8Array(count);
}

/** The binding cuts text at its first NUL, but not bytes. */
function assignText(vector: Vector, at: number, text: string): void {
  if (text.includes('\0')) bindings.vector_assign_string_element_len(vector, at, Buffer.from(text));
  else bindings.vector_assign_string_element(vector, at, text);
}

function copy(vector: Vector, items: ArrayBufferView<ArrayBuffer>): void {
  bindings.copy_data_to_vector(vector, 0, items.buffer, items.byteOffset, items.byteLength);
}

/** Validity mask: one bit for each row that has a value, in words of 64. */
class Validity {
  private readonly bits: Uint8Array<ArrayBuffer>;

  constructor(count: number) {
    this.bits = new Uint8Array(Math.ceil(count / 64) * 8);
  }

  set(at: number): void {
    this.bits[at >> 3]! |= 1 << (at & 7);
  }

  copyTo(vector: Vector): void {
    bindings.vector_ensure_validity_writable(vector);
    bindings.copy_data_to_vector_validity(vector, 0, this.bits.buffer, 0, this.bits.byteLength);
  }
}
