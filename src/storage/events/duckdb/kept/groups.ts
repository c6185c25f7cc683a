import { setImmediate as nextTick } from 'node:timers/promises';
import type { Aggregates } from '../../answers/aggregates.ts';
import type { AggregateSource, Grouping, GroupRow } from '../../answers/groups.ts';
import type { TenantColumns } from '../write/typed-columns.ts';
import { type BucketStarts, bucketStarts } from './buckets.ts';
import type { Dictionary } from './dictionary.ts';
import { type CompiledLoop, type Constant, compileLoop, NotKept, type Result } from './loop.ts';
import type { KeptColumn, KeptField, KeptTable } from './table.ts';

/** Cells of one array of sums: each question fills them with zeros. */
const MAX_CELLS = 4_000_000;
const MAX_BUCKETS = 20_000;
/** Blocks between two turns of other work in the thread: about a millisecond. */
const BLOCKS_AT_ONCE = 64;

export interface KeptTables {
  columns: TenantColumns;
  dictionaryOf(field: KeptField): Dictionary;
  /** The tables of event names with these columns. Throws NotKept. */
  tables(names: string[], columns: KeptColumn[]): KeptTable[];
}

/** The groups of aggregate plans from columns in memory. Throws NotKept. */
export class KeptGroups implements Pick<AggregateSource, 'rows'> {
  private readonly kept: KeptTables;

  constructor(kept: KeptTables) {
    this.kept = kept;
  }

  async rows(grouping: Grouping, aggregates: Aggregates, most: number): Promise<GroupRow[]> {
    const { eventNames, from, to } = grouping.selection;
    if (eventNames === null) throw new NotKept();
    const compiled = compileLoop(grouping, aggregates.list, this.kept.columns);
    const tables = this.kept.tables(eventNames, compiled.columns);
    const within = { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY };
    const parts = tables.flatMap((table) => partsOf(table, compiled.columns, within));
    const run = new LoopRun(compiled, grouping, within, parts, this.kept);
    await run.through(parts);
    return run.rows(grouping, most);
  }
}

interface Part {
  rows: { from: number; to: number };
  times: Float64Array;
  first: number;
  last: number;
  columns: (Uint16Array | Float64Array)[];
}

/** Rows that come later are not read. */
function partsOf(table: KeptTable, columns: KeptColumn[], { from, to }: { from: number; to: number }): Part[] {
  const places = columns.map((column) => table.placeOf(column)!);
  return table.blocks
    .filter(({ first, last }) => last >= from && first < to)
    .map((block) => {
      const { times, first, last, rows } = block;
      return { rows: { from: 0, to: rows }, times, first, last, columns: places.map((at) => block.columns[at]!) };
    });
}

class LoopRun {
  private readonly compiled: CompiledLoop;
  private readonly kept: KeptTables;
  private readonly buckets: BucketStarts | null;
  private readonly sizes: number[];
  private readonly slots: number;
  private readonly constants: Parameters<CompiledLoop['loop']>[2];
  private readonly sums: Parameters<CompiledLoop['loop']>[3];
  private readonly range = Float64Array.of(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);

  constructor(
    compiled: CompiledLoop,
    { bucket }: Grouping,
    within: { from: number; to: number },
    parts: Part[],
    kept: KeptTables,
  ) {
    this.compiled = compiled;
    this.kept = kept;
    const sizeOf = (field: KeptField) => kept.dictionaryOf(field).values.length;
    this.sizes = compiled.groups.map((field) => (field ? sizeOf(field) : 1));
    const from = parts.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY);
    const to = parts.reduce((most, { last }) => Math.max(most, last), Number.NEGATIVE_INFINITY);
    const range = { from: Math.max(from, within.from), to: Math.min(to + 1, within.to) };
    this.buckets = bucket && bucketStarts(bucket, range, MAX_BUCKETS);
    if (bucket !== null && this.buckets === null) throw new NotKept();
    this.slots = this.sizes.reduce((product, size) => product * size, this.buckets?.keys.length ?? 1);
    this.sums = compiled.sums.map(({ of, per }) => {
      const cells = this.slots * (per ? sizeOf(per) : 1);
      if (cells > MAX_CELLS) throw new NotKept();
      if (of === 'none yet') return new Float64Array(cells).fill(Number.NaN);
      return of === 'number' ? new Float64Array(cells) : of === 'seen' ? new Uint8Array(cells) : new Uint32Array(cells);
    });
    this.constants = compiled.constants.map((one) => this.constantOf(one, within));
  }

  async through(parts: Part[]): Promise<void> {
    const { loop } = this.compiled;
    for (const [at, part] of parts.entries()) {
      if (at > 0 && at % BLOCKS_AT_ONCE === 0) await nextTick();
      loop(part.rows, part, this.constants, this.sums, this.range);
    }
  }

  rows({ groupBy, maxText }: Grouping, most: number): GroupRow[] {
    const counts = this.sums[0]!;
    const isOne = counts.length === 1 && groupBy.length === 0 && this.buckets === null;
    const values = this.compiled.results.map((result) => this.reader(result));
    const [firstAt, lastAt] = this.range as unknown as [number, number];
    const rows: GroupRow[] = [];
    for (let slot = 0; slot < counts.length; slot += 1) {
      const events = counts[slot]!;
      if (events === 0 && !isOne) continue;
      if (rows.length > most) throw new NotKept();
      const key = this.keyOf(slot);
      if (maxText !== undefined && key.some((text) => typeof text === 'string' && text.length > maxText))
        throw new NotKept();
      const bucket = this.buckets && this.buckets.keys[slot % this.buckets.keys.length]!;
      const times = events === 0 ? { firstAt: null, lastAt: null } : { firstAt, lastAt };
      rows.push({ key, stored: key, bucket, values: values.map((read) => read(slot)), events, ...times });
    }
    return rows;
  }

  private keyOf(slot: number): unknown[] {
    let rest = this.buckets ? Math.floor(slot / this.buckets.keys.length) : slot;
    const { groups } = this.compiled;
    const key: unknown[] = groups.map(() => null);
    for (const [at, field] of [...groups.entries()].reverse()) {
      const size = this.sizes[at]!;
      if (field) key[at] = this.kept.dictionaryOf(field).values[rest % size];
      rest = Math.floor(rest / size);
    }
    return key;
  }

  private reader(result: Result): (slot: number) => number | null {
    if (result === null) return () => null;
    if ('fraction' in result) return this.percentile(result);
    const sums = this.sums[result.sums]!;
    const lost = result.lost === undefined ? null : this.sums[result.lost]!;
    return (slot) => (Number.isNaN(sums[slot]) ? null : sums[slot]! + (lost?.[slot] ?? 0));
  }

  /** Between two values in proportion, as `quantile_cont` of the engine. */
  private percentile({
    counted,
    field,
    fraction,
  }: Extract<Result, { counted: number }>): (slot: number) => number | null {
    const counts = this.sums[counted]!;
    const { ascending, values } = this.kept.dictionaryOf(field);
    const size = counts.length / this.slots;
    return (slot) => {
      const cells = counts.subarray(slot * size, (slot + 1) * size);
      const numbers = ascending.reduce((sum, code) => sum + (cells[code] ?? 0), 0);
      if (numbers === 0) return null;
      const place = (numbers - 1) * fraction;
      let [passed, low] = [0, Number.NaN];
      for (const code of ascending) {
        passed += cells[code] ?? 0;
        const value = values[code] as number;
        if (passed > Math.floor(place) && Number.isNaN(low)) low = value;
        if (passed > Math.ceil(place)) return low + (value - low) * (place - Math.floor(place));
      }
      return low;
    };
  }

  private constantOf(
    constant: Constant,
    within: { from: number; to: number },
  ): number | Parameters<CompiledLoop['loop']>[3][number] {
    switch (constant.kind) {
      case 'value':
        return constant.value;
      case 'code':
        return this.kept.dictionaryOf(constant.field).find(constant.value);
      case 'codes': {
        const dictionary = this.kept.dictionaryOf(constant.field);
        const isOne = new Uint8Array(dictionary.values.length);
        for (const value of constant.values) {
          const code = dictionary.find(value);
          if (code >= 0) isOne[code] = 1;
        }
        return isOne;
      }
      case 'size':
        return this.kept.dictionaryOf(constant.field).values.length;
      case 'buckets':
        return this.buckets!.keys.length;
      case 'starts':
      case 'places':
        return this.buckets![constant.kind];
      default:
        return within[constant.kind];
    }
  }
}
