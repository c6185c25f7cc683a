import { LRUCache } from 'lru-cache';
import type { FieldRef, Predicate } from '../../../../core/analytics/events/predicates.ts';
import type { Aggregate } from '../../answers/aggregates.ts';
import type { Grouping } from '../../answers/groups.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import type { TenantColumns } from '../write/typed-columns.ts';
import { type KeptColumn, type KeptField, keyOf, storedColumns } from './table.ts';

/** The columns cannot answer a question: the engine does. */
export class NotKept extends Error {}

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** Adds up rows of a block, from one to before another; `times` gets the first and last time. */
export type Loop = (
  rows: { from: number; to: number },
  block: { times: Float64Array; columns: NumberArray[] },
  constants: (number | NumberArray)[],
  sums: NumberArray[],
  range: Float64Array,
) => void;

/** A number, or array, that a loop gets when it runs. */
export type Constant =
  | { kind: 'value'; value: number }
  /** The code of one value, or a table by code that has 1 for some values. */
  | { kind: 'code'; field: KeptField; value: string | boolean }
  | { kind: 'codes'; field: KeptField; values: (string | boolean)[] }
  /** How many codes a field has. */
  | { kind: 'size'; field: KeptField }
  | { kind: 'from' | 'to' | 'starts' | 'places' | 'buckets' };

/** An array of sums that a loop fills; `per`: it has a cell for each group and code of the field. */
export interface Sums {
  of: 'count' | 'number' | 'none yet' | 'seen';
  per?: KeptField;
}

/** Where a value of an aggregate is: in sums, or a percentile of the numbers that are counted there. */
export type Result = { sums: number; lost?: number } | { counted: number; field: KeptField; fraction: number } | null;

export interface CompiledLoop {
  loop: Loop;
  columns: KeptColumn[];
  constants: Constant[];
  sums: Sums[];
  /** In the order of the aggregates. The first sums are the events of each group. */
  results: Result[];
  /** The groups' fields; null for one that no event has. */
  groups: (KeptField | null)[];
}

const AGENT: KeptField = { name: 'agent_id', path: null };
const NAME: KeptField = { name: 'event_name', path: null };

const loops = new LRUCache<string, Loop>({ max: 500 });

/**
 * One loop over the columns for a whole question. Its text has only numbered names: values come as
 * constants. Throws NotKept.
 */
export function compileLoop(grouping: Grouping, aggregates: Aggregate[], columns: TenantColumns): CompiledLoop {
  return new LoopCompiler(columns).compile(grouping, aggregates);
}

class LoopCompiler {
  private readonly tenant: TenantColumns;
  private readonly columns: KeptColumn[] = [];
  private readonly constants: Constant[] = [];
  private readonly sums: Sums[] = [{ of: 'count' }];
  private readonly counted = new Map<string, number>();

  constructor(tenant: TenantColumns) {
    this.tenant = tenant;
  }

  compile({ selection, groupBy, bucket }: Grouping, aggregates: Aggregate[]): CompiledLoop {
    if (selection.segments !== undefined) throw new NotKept();
    const conditions = selection.predicates.map((one) => this.condition(one));
    if (selection.agentId !== null) conditions.push(this.isOneOf(AGENT, [selection.agentId]));
    if (selection.anyOf) conditions.push(anyOf(selection.anyOf.map((all) => this.conjunction(all))));
    const groups = groupBy.map((field) => this.fieldOf(field));
    let group = '0';
    for (const field of groups) {
      if (field) group = `(${group} * ${this.constant({ kind: 'size', field })} + ${this.code(field)})`;
    }
    let findBucket = '';
    if (bucket !== null) {
      const [starts, places] = [this.constant({ kind: 'starts' }), this.constant({ kind: 'places' })];
      findBucket = `while (t >= ${starts}[b + 1]) b++; while (t < ${starts}[b]) b--;`;
      group = `${group} * ${this.constant({ kind: 'buckets' })} + ${places}[b]`;
    }
    const steps: string[] = [];
    const results = aggregates.map((one) => this.result(one, steps));
    const isOutside = `t < ${this.constant({ kind: 'from' })} || t >= ${this.constant({ kind: 'to' })}`;
    const isExcluded = conditions.length === 0 ? '' : `if (!(${conditions.join(' && ')})) continue;`;
    const text = `'use strict';
return (rows, block, constants, sums, range) => {
  const { times } = block; let [first, last] = range; let b = 0;
  ${this.columns.map((_, at) => `const c${at} = block.columns[${at}];`).join(' ')}
  ${this.constants.map((_, at) => `const k${at} = constants[${at}];`).join(' ')}
  ${this.sums.map((_, at) => `const s${at} = sums[${at}];`).join(' ')}
  for (let i = rows.from; i < rows.to; i++) {
    const t = times[i]; if (${isOutside}) continue; ${isExcluded}
    ${findBucket} const g = ${group};
    s0[g]++; if (t < first) first = t; if (t > last) last = t;
    ${steps.join('\n    ')}
  }
  range[0] = first; range[1] = last;
};`;
    const loop = loops.get(text) ?? (new Function(text)() as Loop);
    loops.set(text, loop);
    return { loop, columns: this.columns, constants: this.constants, sums: this.sums, results, groups };
  }

  private result({ of, field, where, fraction }: Aggregate, steps: string[]): Result {
    const add = (step: string) => steps.push(where.length === 0 ? step : `if (${this.conjunction(where)}) { ${step} }`);
    const sum = (one: Sums, step: (name: string) => string): Result => {
      const at = this.sums.push(one) - 1;
      add(step(`s${at}`));
      return { sums: at };
    };
    if (of === 'events') return where.length === 0 ? { sums: 0 } : sum({ of: 'count' }, (s) => `${s}[g]++;`);
    if (of === 'values') return sum({ of: 'count' }, (s) => `if (${this.isPresent(field!)}) ${s}[g]++;`);
    if (of === 'distinct' || of === 'percentile') {
      const kept = this.fieldOf(field!);
      if (kept === null) return of === 'distinct' ? sum({ of: 'count' }, () => '') : null;
      const cell = `g * ${this.constant({ kind: 'size', field: kept })} + ${this.code(kept)}`;
      if (of === 'distinct') {
        const seen = this.sums.push({ of: 'seen', per: kept }) - 1;
        const step = (s: string) =>
          `const d = ${cell}; if (${this.code(kept)} !== 0 && s${seen}[d] === 0) { s${seen}[d] = 1; ${s}[g]++; }`;
        return sum({ of: 'count' }, (s) => `{ ${step(s)} }`);
      }
      const key = JSON.stringify([field, where]);
      const counted = this.counted.get(key) ?? this.sums.push({ of: 'count', per: kept }) - 1;
      if (!this.counted.has(key)) add(`s${counted}[${cell}]++;`);
      this.counted.set(key, counted);
      return { counted, field: kept, fraction: fraction! };
    }
    const number = this.number(field!);
    const ofNumber = (one: Sums, step: (name: string) => string): Result =>
      number === null
        ? one.of === 'none yet'
          ? null
          : sum(one, () => '')
        : sum(one, (s) => `{ const x = ${number}; ${step(s)} }`);
    switch (of) {
      case 'numbers':
        return ofNumber({ of: 'count' }, (s) => `if (x === x) ${s}[g]++;`);
      case 'size':
        return ofNumber({ of: 'number' }, (s) => `if (x === x) ${s}[g] += Math.abs(x);`);
      case 'min':
        return ofNumber({ of: 'none yet' }, (s) => `if (x === x && !(${s}[g] <= x)) ${s}[g] = x;`);
      case 'max':
        return ofNumber({ of: 'none yet' }, (s) => `if (x === x && !(${s}[g] >= x)) ${s}[g] = x;`);
      case 'sum': {
        if (number === null) return null;
        // Neumaier's sum: what an addition loses is added up apart.
        const lost = this.sums.push({ of: 'number' }) - 1;
        const step = (s: string) =>
          `if (x === x) { const y = ${s}[g]; if (y !== y) ${s}[g] = x; else { const z = y + x; ` +
          `s${lost}[g] += Math.abs(y) >= Math.abs(x) ? y - z + x : x - z + y; ${s}[g] = z; } }`;
        return { ...ofNumber({ of: 'none yet' }, step)!, lost } as Result;
      }
    }
  }

  private conjunction(predicates: Predicate[]): string {
    return predicates.map((one) => this.condition(one)).join(' && ') || 'true';
  }

  private condition({ field, test, negated }: Predicate): string {
    const positive = this.positive(field, test);
    return negated ? `!(${positive})` : `(${positive})`;
  }

  private positive(field: FieldRef, test: Predicate['test']): string {
    const isTime = field.kind === 'event' && field.name === 'timestamp';
    switch (test.kind) {
      case 'present':
        return this.isPresent(field);
      case 'compare': {
        if (typeof test.value !== 'number') throw new NotKept();
        const number = isTime ? 't' : this.number(field);
        const operator = { gt: '>', lt: '<', gte: '>=', lte: '<=' }[test.operator];
        return number === null ? 'false' : `${number} ${operator} ${this.value(test.value)}`;
      }
      case 'oneOf': {
        const numbers = test.values.filter((value) => typeof value === 'number');
        const others = test.values.filter((value) => typeof value !== 'number');
        const number = numbers.length === 0 ? null : isTime ? 't' : this.number(field);
        const isNumber = number === null ? [] : numbers.map((value) => `${number} === ${this.value(value)}`);
        const kept = others.length === 0 ? null : this.fieldOf(field);
        return anyOf([...isNumber, ...(kept === null ? [] : [this.isOneOf(kept, others)])]);
      }
      default:
        throw new NotKept();
    }
  }

  private isPresent(field: FieldRef): string {
    const kept = this.fieldOf(field);
    return kept === null
      ? 'false'
      : this.isNumeric(kept)
        ? `${this.number(field)} === ${this.number(field)}`
        : `${this.code(kept)} !== 0`;
  }

  private isOneOf(field: KeptField, values: (string | boolean)[]): string {
    const [only] = values;
    if (values.length === 1) return `${this.code(field)} === ${this.constant({ kind: 'code', field, value: only! })}`;
    return `${this.constant({ kind: 'codes', field, values })}[${this.code(field)}] === 1`;
  }

  /** Null: no event has a value there. */
  private fieldOf(field: FieldRef): KeptField | null {
    if (field.kind === 'event') {
      if (field.name !== 'agentId' && field.name !== 'eventName') throw new NotKept();
      return field.name === 'agentId' ? AGENT : NAME;
    }
    const kept = field.paths.map((path) => ({ name: jsonPointer(path), path }));
    const [one = null, ...others] = kept.filter((one) => this.storedOf(one).length > 0);
    // The first value that is present would count.
    if (others.length > 0) throw new NotKept();
    return one;
  }

  private storedOf(field: KeptField): string[] {
    const stored = storedColumns(this.tenant, field);
    if (stored === null) throw new NotKept();
    return stored;
  }

  private isNumeric(field: KeptField): boolean {
    return this.storedOf(field).every((name) => /^(integer|double)_/.test(name));
  }

  private code(field: KeptField): string {
    return this.column({ field, as: 'codes' });
  }

  /** NaN for an event whose value is no number; null if all are none. */
  private number(field: FieldRef): string | null {
    if (field.kind === 'event') return null;
    const kept = this.fieldOf(field);
    return kept && this.column({ field: kept, as: 'numbers' });
  }

  private column(column: KeptColumn): string {
    const at = this.columns.findIndex((one) => keyOf(one) === keyOf(column));
    return `c${at >= 0 ? at : this.columns.push(column) - 1}[i]`;
  }

  private value(value: number): string {
    return this.constant({ kind: 'value', value });
  }

  private constant(constant: Constant): string {
    return `k${this.constants.push(constant) - 1}`;
  }
}

function anyOf(conditions: string[]): string {
  return conditions.length === 0 ? 'false' : `(${conditions.join(' || ')})`;
}
