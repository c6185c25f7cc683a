import type { FieldRef, Predicate } from '../../../../core/analytics/events/predicates.ts';
import type { Metric, PartMetric, PlainMetric } from '../../../../core/analytics/events/query-plan.ts';
import { conjunction } from './conditions.ts';
import type { QueryScope } from './expressions.ts';
import { decimalSql, finiteSql, formulaSql } from './formula-sql.ts';

/**
 * An aggregate function of the engine. With nullable arguments it is NULL over nothing, but for
 * counts.
 */
interface Aggregate {
  name: string;
  parameters: string;
  args: string;
}

export interface MetricSql {
  /** SQL of the metric and of the numbers that a row shows beside it, over names of aggregates. */
  shown: string[];
  /** The aggregates that the metric's own value needs. */
  uses: number[];
}

const FRACTIONS = { median: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 };
type Percentile = keyof typeof FRACTIONS;

/** The metrics of a plan over shared aggregates `a_0`, `a_1`..., each computed once. */
export class SharedAggregates {
  readonly metrics: MetricSql[];
  private readonly aggregates: Aggregate[] = [];
  private readonly scope: QueryScope;
  private readonly planned: Metric[];

  constructor(planned: Metric[], scope: QueryScope) {
    this.scope = scope;
    this.planned = planned;
    this.metrics = planned.map((metric) => this.metric(metric));
  }

  /** `aggregate AS a_0`. */
  computed(): string[] {
    return this.aggregates.map(({ name, parameters, args }, at) => `${name}${parameters}(${args}) AS a_${at}`);
  }

  /** States, so that groups can be merged without reading their events again: `s_0`, `s_1`... */
  states(): string[] {
    return this.aggregates.map(({ name, parameters, args }, at) => `${name}State${parameters}(${args}) AS s_${at}`);
  }

  stateNames(): string[] {
    return this.aggregates.map((_, at) => `s_${at}`);
  }

  merged(over: string, uses: number[] = this.aggregates.map((_, at) => at)): string[] {
    return uses.map((at) => {
      const { name, parameters } = this.aggregates[at]!;
      return `${name}Merge${parameters}(s_${at})${over} AS a_${at}`;
    });
  }

  private metric(metric: Metric): MetricSql {
    switch (metric.aggregation) {
      case 'rate': {
        const numerator = this.add('countIf', this.condition(metric.numerator));
        const denominator = this.add('countIf', this.condition(metric.denominator));
        const rate = `(${numerator} / nullIf(${denominator}, 0))`;
        return named([decimalSql(rate, rate), numerator, denominator]);
      }
      case 'formula': {
        const parts = metric.parts.map((part) => this.columns(part, metric.parts));
        const values = parts.map(([value]) => value!);
        return named([formulaSql(metric.formula, metric.parts, values), ...parts.flat()]);
      }
      default:
        return named(this.columns(metric, this.planned));
    }
  }

  /** The value, and for an average its columns of `exactDecimals`. */
  private columns(metric: PlainMetric | PartMetric, siblings: Metric[]): string[] {
    const value = this.plain(metric, siblings);
    if (metric.aggregation !== 'avg' || metric.field === null) return [value];
    const { sum, size, count } = this.sums(this.numberOf(metric, metric.field));
    return [value, finiteSql(sum()), finiteSql(size()), count()];
  }

  private numberOf(metric: PlainMetric | PartMetric, field: FieldRef): string {
    const number = this.scope.numberColumn(field);
    return 'where' in metric ? `if(${this.condition(metric.where)}, ${number}, NULL)` : number;
  }

  private sums(number: string) {
    return {
      sum: () => this.add('sumKahan', number),
      size: () => this.add('sum', `abs(${number})`),
      count: () => this.add('count', number),
    };
  }

  /** `siblings` may share the values of a percentile. */
  private plain(metric: PlainMetric | PartMetric, siblings: Metric[]): string {
    const { aggregation, field } = metric;
    const condition = 'where' in metric ? this.condition(metric.where) : null;
    if (field === null) return condition === null ? this.add('count', '') : this.add('countIf', condition);
    const counted = (column: string) => (condition === null ? column : `if(${condition}, ${column}, NULL)`);
    if (aggregation === 'count') return this.add('countIf', `isNotNull(${counted(this.scope.column(field))})`);
    if (aggregation === 'distinct_count') return this.add('uniqExact', counted(this.scope.column(field)));
    const number = this.numberOf(metric, field);
    const { sum, size, count } = this.sums(number);
    switch (aggregation) {
      case 'min':
      case 'max':
        return finiteSql(this.add(aggregation, number));
      case 'sum':
        return decimalSql(sum(), size());
      case 'avg':
        return decimalSql(`(${sum()} / ${count()})`, `(${size()} / ${count()})`);
      default: {
        const value = this.percentile(aggregation, metric, siblings, number);
        // The place of a percentile among n values is wrong by up to n roundings; the middle is
        // exact.
        return decimalSql(value, aggregation === 'median' ? `abs(${value})` : `(abs(${value}) * ${count()})`);
      }
    }
  }

  /** All of the same values at once: the engine keeps the values once. */
  private percentile(wanted: Percentile, metric: PlainMetric, siblings: Metric[], number: string): string {
    const source = (one: PlainMetric | PartMetric) => JSON.stringify([one.field, 'where' in one ? one.where : null]);
    const same = siblings.filter(
      (one): one is PlainMetric => one.aggregation in FRACTIONS && source(one as PlainMetric) === source(metric),
    );
    const all = [...new Set(same.map(({ aggregation }) => aggregation as Percentile))];
    const levels = all.map((one) => FRACTIONS[one]).join(', ');
    return `${this.add('quantilesExactInclusive', number, `(${levels})`)}[${all.indexOf(wanted) + 1}]`;
  }

  private condition(predicates: Predicate[]): string {
    if (predicates.length === 0) return 'true';
    return this.scope.computed(`ifNull(${conjunction(predicates, this.scope)}, false)`);
  }

  private add(name: string, args: string, parameters = ''): string {
    const known = this.aggregates.findIndex(
      (one) => one.name === name && one.args === args && one.parameters === parameters,
    );
    return `a_${known === -1 ? this.aggregates.push({ name, args, parameters }) - 1 : known}`;
  }
}

function named(shown: string[]): MetricSql {
  const uses = new Set(Array.from(shown[0]!.matchAll(/\ba_(\d+)/g), ([, at]) => Number(at)));
  return { shown, uses: [...uses] };
}
