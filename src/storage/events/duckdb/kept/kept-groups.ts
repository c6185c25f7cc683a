import { setImmediate as nextTick } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Aggregates, MergedValues } from '../../answers/aggregates.ts';
import type { Grouping, GroupRow } from '../../answers/groups.ts';
import type { TenantColumns } from '../write/typed-columns.ts';
import { bucketStarts } from './buckets.ts';
import { BLOCK_ROWS, type Dictionary, type KeptColumn, type KeptField, type KeptTable, type Part } from './columns.ts';
import { type CompiledLoop, codesOf, compileLoop, NotKept, type Run } from './loop.ts';

/** Groups that one answer adds up, orders and cuts. */
export const MAX_KEPT_GROUPS = 10_000;
const MAX_SLOTS = 200_000;
const MAX_BUCKETS = 20_000;
/** Rows, times characters of a loop, until other work has a turn: some milliseconds. */
const WORK_AT_ONCE = 500_000_000;
/** Bytes, roughly, of a group of an answer that goes on with new events alone. */
const BYTES_OF_GROUP = 500;
/** Their part of the memory of columns, beyond it. */
const SHARE_OF_GROUPS = 1 / 8;

export interface KeptTables {
  /** The tenant's number. */
  tenant: number;
  columns: TenantColumns;
  dictionaryOf(field: KeptField): Dictionary;
  /** The tables of the names, with these columns, from a time on. Throws NotKept. */
  tables(eventNames: string[], columns: KeptColumn[], from: number): KeptTable[];
  signal: AbortSignal | undefined;
}

/** The groups of a question, and the rows of its tables that they have. */
interface Continued {
  tables: KeptTable[];
  rows: number[];
  groups: Map<string, MergedGroup>;
}

interface MergedGroup {
  row: GroupRow;
  values: MergedValues;
}

/** The groups of questions. */
export class KeptGroups {
  private readonly continued: LRUCache<string, Continued>;

  constructor(maxBytes: number) {
    this.continued = new LRUCache({
      maxSize: Math.max(1, maxBytes * SHARE_OF_GROUPS),
      sizeCalculation: ({ groups }, key) => 2 * key.length + BYTES_OF_GROUP * (1 + groups.size),
    });
  }

  /** As `AggregateSource.rows`: all rows, else NotKept. */
  async rows(kept: KeptTables, grouping: Grouping, aggregates: Aggregates, most: number): Promise<GroupRow[]> {
    const { selection, groupBy, bucket } = grouping;
    const within = { from: selection.from ?? Number.NEGATIVE_INFINITY, to: selection.to ?? Number.POSITIVE_INFINITY };
    const compiled = compileLoop(grouping, aggregates.list, kept.columns);
    const tables = kept.tables(selection.eventNames ?? refuse(), compiled.columns, within.from);
    const key = JSON.stringify([kept.tenant, selection, groupBy, bucket, aggregates.list, grouping.maxText]);
    const known = aggregates.canMerge ? this.continued.get(key) : undefined;
    const before = known?.tables.every((table, at) => table === tables[at]) ? known : null;
    const parts = tables.flatMap((table, at) => table.within(within, compiled.columns, before?.rows[at] ?? 0));
    const rows = tables.map((table) => table.rows);
    const found = await computed(kept, grouping, compiled, parts, within);
    if (found.length > Math.min(most, MAX_KEPT_GROUPS)) refuse();
    if (!aggregates.canMerge) return found;
    // Another question may go on from the same answer.
    const groups = new Map(before?.groups);
    for (const row of found) {
      const keyOfRow = JSON.stringify([row.key, row.bucket]);
      groups.set(keyOfRow, goneOn(groups.get(keyOfRow), row, aggregates));
    }
    if (groups.size > Math.min(most, MAX_KEPT_GROUPS)) refuse();
    this.continued.set(key, { tables, rows, groups });
    return Array.from(groups.values(), ({ row, values }) => ({ ...row, values: values.result }));
  }
}

/** Its sums keep what their additions lost. */
function goneOn(known: MergedGroup | undefined, row: GroupRow, aggregates: Aggregates): MergedGroup {
  if (known && row.events === 0) return known;
  const values = new MergedValues(aggregates, known?.values);
  values.add(row.values);
  if (!known) return { row, values };
  const [firstAt, lastAt] = [known.row.firstAt ?? row.firstAt!, known.row.lastAt ?? row.lastAt!];
  const range = { firstAt: Math.min(firstAt, row.firstAt!), lastAt: Math.max(lastAt, row.lastAt!) };
  return { row: { ...row, events: known.row.events + row.events, ...range }, values };
}

async function computed(
  { dictionaryOf, signal }: KeptTables,
  { groupBy, bucket, maxText = Number.POSITIVE_INFINITY }: Grouping,
  compiled: CompiledLoop,
  parts: Part[],
  within: Run['within'],
): Promise<GroupRow[]> {
  const range = {
    from: Math.max(within.from, Math.min(...parts.map(({ first }) => first))),
    to: Math.min(within.to, 1 + Math.max(...parts.map(({ last }) => last))),
  };
  const buckets = bucket && (bucketStarts(bucket, range, MAX_BUCKETS) ?? refuse());
  const sizes = compiled.groups.map((field) => codesOf({ dictionaryOf }, field));
  const keys = buckets?.keys ?? [null];
  const slots = sizes.reduce((product, size) => product * size, keys.length);
  if (slots > MAX_SLOTS) refuse();
  const run: Run = { within, buckets, slots, sums: [], cells: 0, dictionaryOf };
  run.sums = compiled.sums.map((emptySums) => emptySums(run));
  const constants = compiled.constants.map((value) => value(run));
  const times = Float64Array.of(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
  const loop = compiled.loop();
  const blocksAtOnce = Math.ceil(WORK_AT_ONCE / (BLOCK_ROWS * compiled.length));
  for (const [at, part] of parts.entries()) {
    if (at % blocksAtOnce === blocksAtOnce - 1) {
      await nextTick();
      signal?.throwIfAborted();
    }
    loop(part, part.times, part.columns, constants, run.sums, times);
  }
  // Values that came between two blocks may have been too many.
  if (compiled.columns.some(({ as, field }) => as === 'codes' && dictionaryOf(field).isFull)) refuse();
  const [firstAt, lastAt] = times as unknown as [number, number];
  const values = compiled.values.map((read) => read(run));
  const isOneRow = groupBy.length === 0 && bucket === null;
  const rows: GroupRow[] = [];
  for (const [slot, events] of run.sums[0]!.subarray(0, slots).entries()) {
    if (events === 0 && !isOneRow) continue;
    let place = Math.floor(slot / keys.length);
    const key = compiled.groups.toReversed().map((field, at) => {
      const size = sizes.at(-1 - at)!;
      const code = place % size;
      place = (place - code) / size;
      return field && dictionaryOf(field).values[code]!;
    });
    key.reverse();
    if (key.some((text) => typeof text === 'string' && text.length > maxText)) refuse();
    const shown = { key, stored: key, bucket: keys[slot % keys.length]!, values: values.map((read) => read(slot)) };
    rows.push({ ...shown, events, ...(events === 0 ? { firstAt: null, lastAt: null } : { firstAt, lastAt }) });
  }
  return rows;
}

export function refuse(): never {
  throw new NotKept();
}
