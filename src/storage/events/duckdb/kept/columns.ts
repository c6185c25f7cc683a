import type { PropertyPath, Scalar } from '../../../../core/analytics/events/predicates.ts';
import { columnName } from '../tables.ts';
import type { TenantColumns } from '../write/typed-columns.ts';

/** A column of events: codes of their values, or numbers, NaN for all other values. */
export interface KeptColumn {
  field: KeptField;
  as: 'codes' | 'numbers';
}

/** `name` is the event's own column, or the JSON pointer of a property. */
export interface KeptField {
  name: string;
  /** Null for the event's own columns. */
  path: PropertyPath | null;
}

export type KeptValue = Scalar | null | undefined;
/** In milliseconds; the values are those of a table's fields. */
export type KeptRow = [time: number, values: KeptValue[]];

export function keyOf({ as, field }: KeptColumn): string {
  return `${as} ${field.name}`;
}

/** All columns that hold a property's values. Null: some values are in the JSON alone. */
export function storedColumns(columns: TenantColumns, { name, path }: KeptField): string[] | null {
  if (path === null) return [name];
  const location = columns.locate(path);
  if (location.kind === 'absent') return [];
  if (location.kind === 'json' || location.columns.container !== undefined) return null;
  return Object.entries(location.columns).map(([kind, index]) => columnName(kind as 'text', index));
}

/** A code has two bytes. */
const MAX_VALUES = 65_536;
const BYTES_OF_VALUE = 80;

/** The values of one field and tenant by their codes; code 0 is no value. */
export class Dictionary {
  readonly values: (Scalar | null)[] = [null];
  bytes = 0;
  /** The values are too many or too long: the codes mean nothing. */
  isFull = false;
  private readonly maxBytes: number;
  private readonly codes = new Map<Scalar, number>();
  private sorted: { code: number; value: number }[] = [];
  private sortedOf = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** The lowest first. */
  get numbers(): { code: number; value: number }[] {
    if (this.sortedOf === this.values.length) return this.sorted;
    const entries = Array.from(this.values, (value, code) => ({ code, value }));
    this.sorted = entries.filter((one): one is { code: number; value: number } => typeof one.value === 'number');
    this.sorted.sort((one, other) => one.value - other.value);
    this.sortedOf = this.values.length;
    return this.sorted;
  }

  /** -1: no event has the value. */
  find(value: Scalar): number {
    return this.codes.get(value) ?? -1;
  }

  codeOf(value: KeptValue): number {
    if (value === null || value === undefined || this.isFull) return 0;
    const known = this.codes.get(value);
    if (known !== undefined) return known;
    this.bytes += BYTES_OF_VALUE + (typeof value === 'string' ? value.length : 0);
    if (this.values.length === MAX_VALUES || this.bytes > this.maxBytes) {
      this.isFull = true;
      this.bytes = 0;
      this.values.length = 1;
      this.codes.clear();
      return 0;
    }
    this.codes.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}

/** A range of time skips most blocks, and one takes a loop some microseconds. */
export const BLOCK_ROWS = 4_096;

interface Block {
  rows: number;
  /** In epoch milliseconds, in the order of arrival. */
  times: Float64Array;
  first: number;
  last: number;
  columns: (Uint16Array | Float64Array)[];
}

/** Rows of a block, with the columns of a question. */
export interface Part extends Block {
  firstRow: number;
}

/** The columns of the events of one name, from a time on. */
export class KeptTable {
  readonly fields: KeptField[];
  /** Earlier events are not kept. */
  readonly since: number;
  rows = 0;
  private readonly blocks: Block[] = [];
  private readonly columns: (KeptColumn & { dictionary: Dictionary; value: number })[];

  constructor(columns: KeptColumn[], since: number, dictionaryOf: (field: KeptField) => Dictionary) {
    this.since = since;
    this.fields = [...new Map(columns.map(({ field }) => [field.name, field])).values()];
    const place = ({ name }: KeptField) => this.fields.findIndex((field) => field.name === name);
    this.columns = columns.map(({ field, as }) => {
      return { field, as, dictionary: dictionaryOf(field), value: place(field) };
    });
  }

  covers(columns: KeptColumn[], from: number): boolean {
    return from >= this.since && this.placesOf(columns).every((place) => place >= 0);
  }

  /** Adds an event with its values of `fields`. */
  add(time: number, values: KeptValue[]): void {
    if (time < this.since) return;
    const last = this.blocks.at(-1);
    const block = last && last.rows < BLOCK_ROWS ? last : this.emptyBlock();
    if (block !== last) this.blocks.push(block);
    for (const [place, { as, dictionary, value }] of this.columns.entries()) {
      const found = values[value];
      const number = typeof found === 'number' ? found : Number.NaN;
      block.columns[place]![block.rows] = as === 'codes' ? dictionary.codeOf(found) : number;
    }
    block.times[block.rows] = time;
    block.first = Math.min(block.first, time);
    block.last = Math.max(block.last, time);
    block.rows += 1;
    this.rows += 1;
  }

  /** From a row on: the rows of blocks that have events of the range. */
  within({ from, to }: { from: number; to: number }, columns: KeptColumn[], firstRow: number): Part[] {
    const places = this.placesOf(columns);
    const firstBlock = Math.floor(firstRow / BLOCK_ROWS);
    return this.blocks.slice(firstBlock).flatMap((block, at) => {
      if (block.last < from || block.first >= to) return [];
      const firstOfBlock = at === 0 ? firstRow % BLOCK_ROWS : 0;
      return { ...block, firstRow: firstOfBlock, columns: places.map((place) => block.columns[place]!) };
    });
  }

  get bytesOfRow(): number {
    return this.columns.reduce((sum, { as }) => sum + (as === 'codes' ? 2 : 8), 8);
  }

  get bytes(): number {
    return this.blocks.length * BLOCK_ROWS * this.bytesOfRow;
  }

  private placesOf(columns: KeptColumn[]): number[] {
    return columns.map((one) => this.columns.findIndex((column) => keyOf(column) === keyOf(one)));
  }

  private emptyBlock(): Block {
    const columns = this.columns.map(({ as }) => new (as === 'codes' ? Uint16Array : Float64Array)(BLOCK_ROWS));
    const times = new Float64Array(BLOCK_ROWS);
    return { rows: 0, times, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY, columns };
  }
}
