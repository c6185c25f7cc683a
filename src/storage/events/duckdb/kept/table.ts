import type { PropertyPath, Scalar } from '../../../../core/analytics/events/predicates.ts';
import { columnName } from '../tables.ts';
import type { TenantColumns } from '../write/typed-columns.ts';
import type { Dictionary } from './dictionary.ts';

/** A column of events, by the codes of its values or as numbers, NaN for all others. */
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

export function keyOf({ as, field }: KeptColumn): string {
  return `${as} ${field.name}`;
}

/**
 * The stored columns that hold a field's values together. Null: they are in the JSON, as lists and
 * objects are.
 */
export function storedColumns(columns: TenantColumns, { name, path }: KeptField): string[] | null {
  if (path === null) return [name];
  const location = columns.locate(path);
  if (location.kind === 'absent') return [];
  if (location.kind === 'json' || location.columns.container !== undefined) return null;
  return Object.entries(location.columns).map(([kind, index]) => columnName(kind as 'text', index));
}

/** Small enough for a range of time to skip most, large enough for a loop over each. */
const BLOCK_ROWS = 4_096;

/** Rows are in the order of their arrival, which is mostly that of their times. */
export interface Block {
  rows: number;
  times: Float64Array;
  first: number;
  last: number;
  /** In the order of the table's columns. */
  columns: (Uint16Array | Float64Array)[];
}

/** The columns of all events of one name. */
export class KeptTable {
  readonly fields: KeptField[];
  readonly blocks: Block[] = [];
  private readonly columns: (KeptColumn & { value: number; dictionary: Dictionary })[];
  private readonly places: Map<string, number>;

  constructor(columns: KeptColumn[], dictionaryOf: (field: KeptField) => Dictionary) {
    this.fields = [...new Map(columns.map(({ field }) => [field.name, field])).values()];
    const names = this.fields.map(({ name }) => name);
    this.columns = columns.map((column) => {
      return { ...column, value: names.indexOf(column.field.name), dictionary: dictionaryOf(column.field) };
    });
    this.places = new Map(columns.map((column, at) => [keyOf(column), at]));
  }

  /** Undefined: the table does not have the column. */
  placeOf(column: KeptColumn): number | undefined {
    return this.places.get(keyOf(column));
  }

  /** Adds an event with the values of `fields`. False: a column has too many values for its codes. */
  add(time: number, values: (Scalar | null | undefined)[]): boolean {
    const last = this.blocks.at(-1);
    const block = last && last.rows < BLOCK_ROWS ? last : this.emptyBlock();
    if (block !== last) this.blocks.push(block);
    const at = block.rows;
    for (const [place, { as, value, dictionary }] of this.columns.entries()) {
      const found = values[value];
      if (as === 'numbers') block.columns[place]![at] = typeof found === 'number' ? found : Number.NaN;
      else {
        const code = dictionary.add(found);
        if (code < 0) return false;
        block.columns[place]![at] = code;
      }
    }
    block.times[at] = time;
    if (time < block.first) block.first = time;
    if (time > block.last) block.last = time;
    block.rows += 1;
    return true;
  }

  get bytesOfRow(): number {
    return this.columns.reduce((sum, { as }) => sum + (as === 'codes' ? 2 : 8), 8);
  }

  get bytes(): number {
    return this.blocks.length * BLOCK_ROWS * this.bytesOfRow;
  }

  private emptyBlock(): Block {
    const columns = this.columns.map(({ as }) =>
      as === 'codes' ? new Uint16Array(BLOCK_ROWS) : new Float64Array(BLOCK_ROWS),
    );
    const times = new Float64Array(BLOCK_ROWS);
    return { rows: 0, times, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY, columns };
  }
}
