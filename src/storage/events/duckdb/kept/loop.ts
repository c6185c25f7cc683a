import { LRUCache } from 'lru-cache';
import type { FieldRef, Predicate } from '../../../../core/analytics/events/predicates.ts';
import type { Aggregate } from '../../answers/aggregates.ts';
import type { Grouping } from '../../answers/groups.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import type { TenantColumns } from '../write/typed-columns.ts';
import type { BucketStarts } from './buckets.ts';
import { type Dictionary, type KeptColumn, type KeptField, keyOf, storedColumns } from './columns.ts';

/** The columns cannot answer a question: the engine does. */
export class NotKept extends Error {}

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Adds up the rows of a block; `range` has the first and the last time so far. */
type Loop = (
  rows: { firstRow: number; rows: number },
  times: Float64Array,
  columns: Numbers[],
  constants: (number | Numbers)[],
  sums: Numbers[],
  range: Float64Array,
) => void;

/** A loop runs with these. */
export interface Run {
  within: { from: number; to: number };
  buckets: BucketStarts | null;
  /** Groups, times buckets. */
  slots: number;
  sums: Numbers[];
  /** Cells of values so far. */
  cells: number;
  dictionaryOf(field: KeptField): Dictionary;
}

/** Reads an aggregate of each slot from the sums. */
type Values = (run: Run) => (slot: number) => number | null;

export interface CompiledLoop {
  loop(): Loop;
  /** Characters of its text: it takes longer for each row. */
  length: number;
  columns: KeptColumn[];
  constants: ((run: Run) => number | Numbers)[];
  /** Empty arrays, each with the cells of all slots. The first counts the events of each. */
  sums: ((run: Run) => Numbers)[];
  values: Values[];
  /** The groups' fields; null for one that no event has. */
  groups: (KeptField | null)[];
}

const AGENT: KeptField = { name: 'agent_id', path: null };
const NAME: KeptField = { name: 'event_name', path: null };
/** Cells of a question's values: each fills them anew. */
const MAX_CELLS = 4_000_000;
/** With more, as of long lists of numbers, the engine is as fast. */
const MAX_CONSTANTS = 200;
/** Characters of loops that are kept. */
const MAX_LOOPS = 2_000_000;

/** Steps for a number `x`. The second half of `s` has what additions lost (Neumaier's sum). */
const OF_NUMBER = {
  numbers: { start: 0, step: 'if (x === x) s[g]++;' },
  size: { start: 0, step: 'if (x === x) s[g] += Math.abs(x);' },
  min: { start: Number.NaN, step: 'if (x === x && !(s[g] <= x)) s[g] = x;' },
  max: { start: Number.NaN, step: 'if (x === x && !(s[g] >= x)) s[g] = x;' },
  sum: {
    start: Number.NaN,
    step: `if (x === x) { const y = s[g]; if (y !== y) s[g] = x; else { const z = y + x; s[g] = z;
      s[slots + g] += Math.abs(y) >= Math.abs(x) ? y - z + x : x - z + y; } }`,
  },
};

const loops = new LRUCache<string, Loop>({
  maxSize: MAX_LOOPS,
  sizeCalculation: (_, text) => text.length,
  memoMethod: (text) => new Function(text)() as Loop,
});

/**
 * Makes one loop over columns of a whole question. Its text has only numbered names: what a client
 * sent is among the constants. Throws NotKept.
 */
export function compileLoop(grouping: Grouping, aggregates: Aggregate[], tenant: TenantColumns): CompiledLoop {
  return new LoopCompiler(tenant).compile(grouping, aggregates);
}

class LoopCompiler {
  private readonly tenant: TenantColumns;
  private readonly columns: KeptColumn[] = [];
  private readonly constants: CompiledLoop['constants'] = [];
  private readonly sums: CompiledLoop['sums'] = [];
  private readonly steps: string[] = [];
  private readonly histograms = new Map<string, { at: number; seen: string; cell: string }>();

  constructor(tenant: TenantColumns) {
    this.tenant = tenant;
  }

  compile({ selection, groupBy, bucket }: Grouping, aggregates: Aggregate[]): CompiledLoop {
    if (selection.segments !== undefined) throw new NotKept();
    const [from, to] = [this.constant(({ within }) => within.from), this.constant(({ within }) => within.to)];
    const conditions = [`t >= ${from} && t < ${to}`, this.conjunction(selection.predicates)];
    if (selection.agentId !== null) conditions.push(this.isOneOf(AGENT, [selection.agentId]));
    if (selection.anyOf) conditions.push(anyOf(selection.anyOf.map((all) => this.conjunction(all))));
    const groups = groupBy.map((field) => this.fieldOf(field));
    let slot = groups.reduce((before, field) => `(${before} * ${this.size(field)} + ${this.code(field)})`, '0');
    let findBucket = '';
    if (bucket !== null) {
      const starts = this.constant(({ buckets }) => buckets!.starts);
      const places = this.constant(({ buckets }) => buckets!.places);
      findBucket = `while (t >= ${starts}[b + 1]) b++; while (t < ${starts}[b]) b--;`;
      slot = `${slot} * ${this.constant(({ buckets }) => buckets!.keys.length)} + ${places}[b]`;
    }
    this.summed([], 0, 's[g]++;');
    const values = aggregates.map((one) => this.valuesOf(one));
    const named = (name: string, list: unknown[], of: string) =>
      list.map((_, at) => `const ${name}${at} = ${of}[${at}];`).join(' ');
    const text = `'use strict';
return (rows, times, columns, constants, sums, range) => {
  ${named('c', this.columns, 'columns')} ${named('k', this.constants, 'constants')} ${named('s', this.sums, 'sums')}
  let [first, last] = range; let b = 0; const slots = s0.length / 2;
  for (let i = rows.firstRow; i < rows.rows; i++) {
    const t = times[i];
    if (!(${conditions.join(' && ')})) continue;
    if (t < first) first = t;
    if (t > last) last = t;
    ${findBucket} const g = ${slot};
    ${this.steps.join('\n    ')}
  }
  range[0] = first; range[1] = last;
};`;
    const loop = () => loops.memo(text);
    return {
      loop,
      length: text.length,
      columns: this.columns,
      constants: this.constants,
      sums: this.sums,
      values,
      groups,
    };
  }

  private valuesOf({ of, field, where, fraction }: Aggregate): Values {
    switch (of) {
      case 'events':
        return this.summed(where, 0, 's[g]++;');
      case 'values':
        return this.summed(where, 0, `if (${this.isPresent(field!)}) s[g]++;`);
      case 'distinct': {
        const code = this.code(this.fieldOf(field!));
        const { seen, cell } = this.cells(field!);
        return this.summed(where, 0, `if (${code} !== 0 && ${seen}[${cell}]++ === 0) s[g]++;`);
      }
      case 'percentile': {
        const key = JSON.stringify([field, where]);
        const known = this.histograms.get(key);
        const histogram = known ?? this.cells(field!);
        this.histograms.set(key, histogram);
        if (known === undefined) this.step(where, `${histogram.seen}[${histogram.cell}]++;`);
        return percentiles(this.fieldOf(field!), histogram.at, fraction!);
      }
      default:
        return this.summed(where, OF_NUMBER[of].start, `const x = ${this.number(field!)}; ${OF_NUMBER[of].step}`);
    }
  }

  /** `step` changes the sum `s[g]` of the group, in which NaN stands for no value. */
  private summed(where: Predicate[], start: number, step: string): Values {
    const at = this.sums.push(({ slots }) => new Float64Array(2 * slots).fill(start, 0, slots)) - 1;
    this.step(where, `{ const s = s${at}; ${step} }`);
    return ({ sums, slots }) => {
      const values = sums[at]!;
      return (slot) => (Number.isNaN(values[slot]) ? null : values[slot]! + values[slots + slot]!);
    };
  }

  private step(where: Predicate[], step: string): void {
    this.steps.push(where.length === 0 ? step : `if (${this.conjunction(where)}) ${step}`);
  }

  /** Counts for each slot and code. */
  private cells(ref: FieldRef): { at: number; seen: string; cell: string } {
    const field = this.fieldOf(ref);
    const make = (run: Run) => {
      const cells = run.slots * codesOf(run, field);
      run.cells += cells;
      if (run.cells > MAX_CELLS) throw new NotKept();
      return new Uint32Array(cells);
    };
    const at = this.sums.push(make) - 1;
    return { at, seen: `s${at}`, cell: `g * ${this.size(field)} + ${this.code(field)}` };
  }

  private conjunction(predicates: Predicate[]): string {
    return predicates.map((one) => this.condition(one)).join(' && ') || 'true';
  }

  private condition({ field, test, negated }: Predicate): string {
    return `${negated ? '!' : ''}(${this.positive(field, test)})`;
  }

  private positive(field: FieldRef, test: Predicate['test']): string {
    switch (test.kind) {
      case 'present':
        return this.isPresent(field);
      case 'compare': {
        const { value } = test;
        if (typeof value !== 'number') throw new NotKept();
        const operator = { gt: '>', lt: '<', gte: '>=', lte: '<=' }[test.operator];
        return `${this.compared(field)} ${operator} ${this.constant(() => value)}`;
      }
      case 'oneOf': {
        const numbers = test.values.filter((value) => typeof value === 'number');
        const others = test.values.filter((value) => typeof value !== 'number');
        const isNumber = numbers.map((value) => `${this.compared(field)} === ${this.constant(() => value)}`);
        return anyOf([...isNumber, ...(others.length > 0 ? [this.isOneOf(this.fieldOf(field), others)] : [])]);
      }
      default:
        throw new NotKept();
    }
  }

  private isOneOf(field: KeptField | null, values: (string | boolean)[]): string {
    if (field === null) return 'false';
    const [only] = values;
    if (values.length === 1) {
      return `${this.code(field)} === ${this.constant(({ dictionaryOf }) => dictionaryOf(field).find(only!))}`;
    }
    const isOne = this.constant((run) => {
      const table = new Uint8Array(codesOf(run, field));
      // The place -1 is none.
      for (const value of values) table[run.dictionaryOf(field).find(value)] = 1;
      return table;
    });
    return `${isOne}[${this.code(field)}] === 1`;
  }

  private isPresent(ref: FieldRef): string {
    const field = this.fieldOf(ref);
    const isNumeric = field && this.storedOf(field).every((name) => /^(integer|double)_/.test(name));
    return isNumeric ? `!Number.isNaN(${this.number(ref)})` : `${this.code(field)} !== 0`;
  }

  /** Returns null where no event has a value. */
  private fieldOf(ref: FieldRef): KeptField | null {
    if (ref.kind === 'event') {
      if (ref.name === 'agentId') return AGENT;
      if (ref.name === 'eventName') return NAME;
      throw new NotKept();
    }
    const fields = ref.paths.map((path) => ({ name: jsonPointer(path), path }));
    const [field = null, ...others] = fields.filter((one) => this.storedOf(one).length > 0);
    // The first of several paths with a value counts.
    if (others.length > 0) throw new NotKept();
    return field;
  }

  private storedOf(field: KeptField): string[] {
    const stored = storedColumns(this.tenant, field);
    if (stored === null) throw new NotKept();
    return stored;
  }

  private code(field: KeptField | null): string {
    return field === null ? '0' : this.column({ field, as: 'codes' });
  }

  private size(field: KeptField | null): string {
    return this.constant((run) => codesOf(run, field));
  }

  private compared(ref: FieldRef): string {
    return ref.kind === 'event' && ref.name === 'timestamp' ? 't' : this.number(ref);
  }

  private number(ref: FieldRef): string {
    if (ref.kind === 'event') return 'NaN';
    const field = this.fieldOf(ref);
    return field === null ? 'NaN' : this.column({ field, as: 'numbers' });
  }

  private column(column: KeptColumn): string {
    const at = this.columns.findIndex((one) => keyOf(one) === keyOf(column));
    return `c${at >= 0 ? at : this.columns.push(column) - 1}[i]`;
  }

  private constant(value: (run: Run) => number | Numbers): string {
    if (this.constants.length === MAX_CONSTANTS) throw new NotKept();
    return `k${this.constants.push(value) - 1}`;
  }
}

export function codesOf(run: Pick<Run, 'dictionaryOf'>, field: KeptField | null): number {
  return field === null ? 1 : run.dictionaryOf(field).values.length;
}

function anyOf(conditions: string[]): string {
  return conditions.length === 0 ? 'false' : `(${conditions.join(' || ')})`;
}

/** From counts by code: between two values in proportion, rounded as the engine rounds it. */
function percentiles(field: KeptField | null, histogram: number, fraction: number): Values {
  return ({ sums, slots, dictionaryOf }) => {
    const size = sums[histogram]!.length / slots;
    // Others have come since the loop began.
    const numbers = field === null ? [] : dictionaryOf(field).numbers.filter(({ code }) => code < size);
    return (slot) => {
      const counts = numbers.map(({ code }) => sums[histogram]![slot * size + code] ?? 0);
      const place = (counts.reduce((sum, count) => sum + count, 0) - 1) * fraction;
      if (place < 0) return null;
      const [low, high] = [Math.floor(place), Math.ceil(place)].map((rank) => {
        let at = 0;
        for (let passed = counts[0]!; passed <= rank; passed += counts[at]!) at += 1;
        return numbers[at]!.value;
      });
      const share = place - Math.floor(place);
      return low! * (1 - share) + high! * share;
    };
  };
}
