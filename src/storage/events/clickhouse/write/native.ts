/*
 * ClickHouse's format Native: a block of whole columns, which costs a third of JSON for each row.
 */

/** Grows by doubling. */
class Bytes {
  private buffer = Buffer.allocUnsafe(1 << 14);
  private length = 0;

  done(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.length++] = value;
  }

  /** LEB128. */
  count(value: number): void {
    this.reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      this.buffer[this.length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.buffer[this.length++] = rest;
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.count(size);
    this.reserve(size);
    this.length += this.buffer.write(value, this.length, size);
  }

  double(value: number): void {
    this.reserve(8);
    this.length = this.buffer.writeDoubleLE(value, this.length);
  }

  /** 64 bits; safe integers only. */
  integer(value: number): void {
    this.reserve(8);
    const low = value % 4_294_967_296;
    this.buffer.writeInt32LE((low < 0 ? low + 4_294_967_296 : low) | 0, this.length);
    this.buffer.writeInt32LE(Math.floor(value / 4_294_967_296), this.length + 4);
    this.length += 8;
  }

  bytes(value: Buffer): void {
    this.reserve(value.length);
    this.length += value.copy(this.buffer, this.length);
  }

  private reserve(size: number): void {
    if (this.length + size <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + size));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

export interface NativeColumn {
  /** The block's type; the engine casts it to the table's. */
  readonly type: string;
  encode(rows: number): Buffer;
}

type Write<Value> = (bytes: Bytes, value: Value) => void;

const writeText: Write<string> = (bytes, value) => bytes.text(value);
const writeNumber: Write<number> = (bytes, value) => bytes.double(value);
const writeBoolean: Write<boolean> = (bytes, value) => bytes.byte(value ? 1 : 0);
const writeInteger: Write<number> = (bytes, value) => bytes.integer(value);

/** A value for each row. */
class Whole<Value> implements NativeColumn {
  readonly type: string;
  private readonly values: readonly Value[];
  private readonly write: Write<Value>;

  constructor(type: string, values: readonly Value[], write: Write<Value>) {
    this.type = type;
    this.values = values;
    this.write = write;
  }

  encode(): Buffer {
    const bytes = new Bytes();
    for (const value of this.values) this.write(bytes, value);
    return bytes.done();
  }
}

export const texts = (values: readonly string[]): NativeColumn => new Whole('String', values, writeText);
export const integers = (values: readonly number[]): NativeColumn => new Whole('Int64', values, writeInteger);

/** Values of some rows, in the order of the rows; NULL in the others. */
export class Sparse<Value> implements NativeColumn {
  readonly type: string;
  private readonly at: number[] = [];
  private readonly values: Value[] = [];
  private readonly write: Write<Value>;
  private readonly empty: Value;

  private constructor(type: string, write: Write<Value>, empty: Value) {
    this.type = `Nullable(${type})`;
    this.write = write;
    this.empty = empty;
  }

  static texts = () => new Sparse<string>('String', writeText, '');
  static numbers = () => new Sparse<number>('Float64', writeNumber, 0);
  static booleans = () => new Sparse<boolean>('Bool', writeBoolean, false);

  add(row: number, value: Value): void {
    this.at.push(row);
    this.values.push(value);
  }

  encode(rows: number): Buffer {
    const bytes = new Bytes();
    const nulls = Buffer.alloc(rows, 1);
    for (const row of this.at) nulls[row] = 0;
    bytes.bytes(nulls);
    let next = 0;
    for (let row = 0; row < rows; row++) {
      if (this.at[next] === row) this.write(bytes, this.values[next++]!);
      else this.write(bytes, this.empty);
    }
    return bytes.done();
  }
}

/** Keys and values of each row, in the order of the rows. */
export class MapColumn<Value> implements NativeColumn {
  readonly type: string;
  private readonly ends: number[] = [];
  private readonly keys = new Bytes();
  private readonly items: Value[] = [];
  private readonly encodeItems: (items: Value[]) => Buffer;

  private constructor(type: string, encodeItems: (items: Value[]) => Buffer) {
    this.type = `Map(String, ${type})`;
    this.encodeItems = encodeItems;
  }

  static texts = () => new MapColumn<string>('Nullable(String)', nullable(writeText));
  static numbers = () => new MapColumn<number>('Nullable(Float64)', nullable(writeNumber));
  static booleans = () => new MapColumn<boolean>('Nullable(Bool)', nullable(writeBoolean));
  static lists = () => new MapColumn<string[]>('Array(String)', encodeLists);

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  add(row: number, key: string, value: Value): void {
    while (this.ends.length < row) this.ends.push(this.items.length);
    this.keys.text(key);
    this.items.push(value);
  }

  encode(rows: number): Buffer {
    while (this.ends.length < rows) this.ends.push(this.items.length);
    return Buffer.concat([integers(this.ends).encode(rows), this.keys.done(), this.encodeItems(this.items)]);
  }
}

function nullable<Value>(write: Write<Value>) {
  return (items: Value[]): Buffer => {
    const bytes = new Bytes();
    bytes.bytes(Buffer.alloc(items.length));
    for (const item of items) write(bytes, item);
    return bytes.done();
  };
}

function encodeLists(lists: string[][]): Buffer {
  const ends: number[] = [];
  let end = 0;
  for (const list of lists) {
    end += list.length;
    ends.push(end);
  }
  return Buffer.concat([integers(ends).encode(ends.length), texts(lists.flat()).encode(end)]);
}

export function nativeBlock(columns: ReadonlyMap<string, NativeColumn>, rows: number): Buffer {
  const head = new Bytes();
  head.count(columns.size);
  head.count(rows);
  const parts: Buffer[] = [head.done()];
  for (const [name, column] of columns) {
    const title = new Bytes();
    title.text(name);
    title.text(column.type);
    parts.push(title.done(), column.encode(rows));
  }
  return Buffer.concat(parts);
}
