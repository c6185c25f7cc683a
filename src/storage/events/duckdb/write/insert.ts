import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  INTEGER,
  UUID,
  VARCHAR,
} from '@duckdb/node-api';
import bindings, { type Vector } from '@duckdb/node-bindings';
import type { StoredEvent } from '../../../../core/analytics/events/store.ts';
import type { ShreddedRow } from '../../shared/shred.ts';
import { EPOCH, type Kind } from '../tables.ts';
import type { Shredded } from './shred.ts';

/* Copies whole typed arrays: the vectors of node-api take single values, several times slower. */

/** DuckDB's vector size, the most rows of a chunk. */
const CHUNK_ROWS = 2_048;

const TYPE_OF_KIND = { text: VARCHAR, integer: BIGINT, double: DOUBLE, boolean: BOOLEAN, container: BOOLEAN };

interface Chunk {
  rows: ShreddedRow[];
  uuids: Uuids;
}

interface EventColumn {
  type: DuckDBType;
  fill(vector: Vector, chunk: Chunk): void;
}

const integers = (read: (row: ShreddedRow) => number): EventColumn => ({
  type: INTEGER,
  fill: (vector, { rows }) => copy(vector, Int32Array.from(rows, read)),
});
const texts = (read: (event: StoredEvent) => string | null): EventColumn => ({
  type: VARCHAR,
  fill: (vector, { rows }) => fillText(vector, rows, ({ event }) => read(event)),
});

const EVENT_COLUMNS: Record<string, EventColumn> = {
  tenant: integers(({ tenant }) => tenant),
  run: integers(() => 0),
  epoch: integers(() => EPOCH),
  agent_id: texts(({ agentId }) => agentId),
  event_name: texts(({ eventName }) => eventName),
  timestamp: {
    type: BIGINT,
    fill: (vector, { rows }) =>
      copy(
        vector,
        BigInt64Array.from(rows, ({ event }) => BigInt(event.timestamp)),
      ),
  },
  uuid: { type: UUID, fill: (vector, { rows, uuids }) => fillUuids(vector, uuids, rows.length) },
  id: {
    type: VARCHAR,
    fill: (vector, { rows, uuids }) => fillText(vector, rows, ({ event }, at) => (uuids.has(at) ? null : event.id)),
  },
  thread_id: texts(({ threadId }) => threadId),
  execution_id: texts(({ executionId }) => executionId),
  properties: texts(({ properties }) => properties),
};

/** Runs in the caller's transaction. `columns` are those of `hot`, in order. */
export async function insertEvents(
  connection: DuckDBConnection,
  { rows: all, typed }: Shredded,
  columns: string[],
): Promise<void> {
  const types = columns.map(typeOf);
  const appender = await connection.createAppender('hot');
  try {
    for (let start = 0; start < all.length; start += CHUNK_ROWS) {
      const rows = all.slice(start, start + CHUNK_ROWS);
      const uuids = new Uuids(rows.map(({ event }) => event.id));
      const chunk = DuckDBDataChunk.create(types, rows.length);
      for (const [index, column] of columns.entries()) {
        const vector = bindings.data_chunk_get_vector(chunk.chunk, index);
        const eventColumn = EVENT_COLUMNS[column];
        if (eventColumn) eventColumn.fill(vector, { rows, uuids });
        else fillTyped(vector, kindOf(column), typed.get(column)?.slice(start, start + rows.length), rows.length);
      }
      appender.appendDataChunk(chunk);
    }
    appender.flushSync();
  } catch (error) {
    // Otherwise garbage collection would append the rest into a later transaction.
    appender.clear();
    throw error;
  } finally {
    closeQuietly(appender);
  }
}

/** After a success nothing is left to flush; after a failure the first error counts. */
function closeQuietly(appender: DuckDBAppender): void {
  try {
    appender.closeSync();
  } catch {
    appender.clear();
  }
}

function typeOf(column: string): DuckDBType {
  return EVENT_COLUMNS[column]?.type ?? TYPE_OF_KIND[kindOf(column)];
}

function kindOf(column: string): Kind {
  return column.slice(0, column.indexOf('_')) as Kind;
}

function fillUuids(vector: Vector, uuids: Uuids, count: number): void {
  copy(vector, uuids.values);
  const validity = new Validity(count);
  for (let at = 0; at < count; at++) {
    if (uuids.has(at)) validity.set(at);
  }
  validity.copyTo(vector);
}

function fillText(vector: Vector, rows: ShreddedRow[], read: (row: ShreddedRow, at: number) => string | null): void {
  const validity = new Validity(rows.length);
  for (const [at, row] of rows.entries()) {
    const text = read(row, at);
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

function arrayOf(kind: Kind, count: number) {
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

/** One bit for each row that has a value, in words of 64. */
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

/* DuckDB's UUIDs: 128 bits, lowest byte first, highest bit inverted for signed order. */

const LENGTH = 36;
const HYPHENS = [8, 13, 18, 23];
const BYTES = 16;
/** Indexes of the first of each byte's two digits. */
const DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

const NO_DIGIT = 0x10;
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code));
  return value === -1 ? NO_DIGIT : value;
});

/** Parses and validates in one pass, twice as fast as two. */
class Uuids {
  /** Undefined for rows whose id is not a UUID. */
  readonly values: Uint8Array<ArrayBuffer>;
  private readonly present: boolean[];

  constructor(ids: string[]) {
    this.values = new Uint8Array(ids.length * BYTES);
    this.present = ids.map((id, row) => this.read(id, row * BYTES + BYTES - 1));
  }

  has(row: number): boolean {
    return this.present[row]!;
  }

  /** Writes downwards from `highest`. Returns whether the bytes are valid. */
  private read(id: string, highest: number): boolean {
    if (id.length !== LENGTH || HYPHENS.some((at) => id[at] !== '-')) return false;
    let seen = 0;
    let codes = 0;
    for (let at = 0; at < BYTES; at++) {
      const first = id.charCodeAt(DIGITS[at]!);
      const second = id.charCodeAt(DIGITS[at]! + 1);
      const [high, low] = [VALUES[first & 127]!, VALUES[second & 127]!];
      codes |= first | second;
      seen |= high | low;
      this.values[highest - at] = (high << 4) | low;
    }
    this.values[highest]! ^= 0x80;
    return codes < VALUES.length && seen < NO_DIGIT;
  }
}

/** Only in the form that DuckDB prints. */
export function isUuid(id: string): boolean {
  return new Uuids([id]).has(0);
}
