import type { FieldRef } from '../../../../core/analytics/events/predicates.ts';
import type { AggregatePlan } from '../../../../core/analytics/events/query-plan.ts';
import { bucketSql } from './bucket-sql.ts';
import { matching } from './compile-selection.ts';
import { QueryScope, type Source } from './expressions.ts';
import { SharedAggregates } from './metrics-sql.ts';
import { orderBy, type PropertySql, shortened } from './property-sql.ts';

export interface CompiledAggregate {
  /**
   * Each row has `[events, first, last]` of its group; of the largest groups `[groups, events,
   * first, last]` of all.
   */
  rows: string;
  /** `[groups, events, first, last]` of all groups, for a page without all of them. */
  summary: string;
  /** Types of the groups. */
  types: PropertySql['valueType'][];
}

export function aggregateStatement(source: Source, plan: AggregatePlan): CompiledAggregate {
  const scope = new QueryScope(source);
  scope.keep('timestamp');
  const groups = plan.groupBy.map((field) => scope.column(field));
  const metrics = new SharedAggregates(plan.metrics, scope);
  const bucket = plan.bucket && scope.computed(bucketSql(plan.bucket, 'timestamp'));
  const events = matching(plan.selection, scope);
  const shape: Shape = {
    plan,
    scope,
    metrics,
    events,
    names: groups.map((_, index) => `g_${index}`),
    keys: [
      ...groups.map((group, index) => `${group} AS g_${index}`),
      `${bucket ?? 'CAST(NULL AS Nullable(Int64))'} AS bucket_0`,
    ],
    cellBy: [...groups, ...(bucket ? [bucket] : [])],
  };
  return {
    rows: plan.top === null ? allGroups(shape) : topGroups(shape, plan.top),
    summary: summaryOf(shape, groups),
    types: plan.groupBy.map((field) => scope.valueType(field)),
  };
}

interface Shape {
  plan: AggregatePlan;
  scope: QueryScope;
  metrics: SharedAggregates;
  events: string;
  names: string[];
  keys: string[];
  cellBy: string[];
}

/** Without events the times are 0. */
const COUNTED = ['count() AS n_0', 'min(timestamp) AS first_0', 'max(timestamp) AS last_0'];
const COUNTS = ['n_0', 'first_0', 'last_0'];
const ALL = ['sum(n_0) OVER () AS n_1', 'min(first_0) OVER () AS first_1', 'max(last_0) OVER () AS last_1'];

function allGroups({ plan, scope, metrics, events, names, keys, cellBy }: Shape): string {
  const grouped = `SELECT ${[...keys, ...metrics.computed(), ...COUNTED].join(', ')} FROM (${events})${by(cellBy)}`;
  const values = metrics.metrics.flatMap(({ shown }, at) => shown.map((one, part) => `${one} AS m_${at}_${part}`));
  const measured = `SELECT ${[...names, 'bucket_0', ...values, ...COUNTS].join(', ')} FROM (${grouped})`;
  const { sort, limit, offset } = plan;
  const first =
    sort.by === 'metric'
      ? `m_${sort.index}_0 ${sort.descending ? 'DESC' : 'ASC'} NULLS LAST`
      : orderBy(`g_${sort.index}`, scope.valueType(plan.groupBy[sort.index]!), sort.descending);
  const order = plan.bucket ? 'bucket_0' : [first, ...groupOrders(plan.groupBy, scope)].join(', ');
  const row = [...shownNames(plan, names, scope), ...namesOf(metrics), 'bucket_0', 'false', ...COUNTS];
  const page = limit === null ? '' : ` LIMIT ${limit} OFFSET ${offset}`;
  return `SELECT ${row.join(', ')} FROM (${measured}) ORDER BY ${order}${page}`;
}

const SUMMARY = ['groups_1', 'n_1', 'first_1', 'last_1'];

function namesOf({ metrics }: SharedAggregates): string[] {
  return metrics.flatMap(({ shown }, at) => shown.map((_, part) => `m_${at}_${part}`));
}

/**
 * Groups by rank of the first metric; the rest is one group. One scan makes the states of every
 * group and bucket; those of a slot are merged.
 */
function topGroups({ plan, scope, metrics, events, names, keys, cellBy }: Shape, top: number): string {
  const cells = `SELECT ${[...keys, ...metrics.states(), ...COUNTED].join(', ')} FROM (${events})${by(cellBy)}`;
  const [{ shown, uses }] = metrics.metrics as [(typeof metrics.metrics)[0]];
  const over = ` OVER (PARTITION BY ${names.join(', ')})`;
  const valued = `SELECT ${['*', ...metrics.merged(over, uses)].join(', ')} FROM (${cells})`;
  const ranked = `SELECT *, ${shown[0]} AS rank_0 FROM (${valued})`;
  const order = ['rank_0 DESC NULLS LAST', ...groupOrders(plan.groupBy, scope)].join(', ');
  const ranks = `dense_rank() OVER (ORDER BY ${order})`;
  const placed = `SELECT ${[...names, 'bucket_0', ...metrics.stateNames(), `${ranks} AS place_0`, ...ALL].join(', ')} FROM (${ranked})`;
  const slots = `SELECT *, max(place_0) OVER () AS groups_1, least(place_0, ${top + 1}) AS slot_0 FROM (${placed})`;
  const page =
    `SELECT slot_0, bucket_0, ${[...names.map((name) => `any(${name}) AS k_${name}`), ...metrics.merged('')].join(', ')}, ` +
    `${SUMMARY.map((one) => `any(${one}) AS ${one}_s`).join(', ')} FROM (${slots}) GROUP BY slot_0, bucket_0`;
  const values = metrics.metrics.flatMap((metric) => metric.shown);
  const kept = names.map((name) => `if(slot_0 > ${top}, NULL, k_${name})`);
  const row = [
    ...shownNames(plan, kept, scope),
    ...values,
    'bucket_0',
    `slot_0 > ${top}`,
    ...SUMMARY.map((one) => `${one}_s`),
  ];
  return `SELECT ${row.join(', ')} FROM (${page}) ORDER BY slot_0, bucket_0`;
}

function summaryOf({ events, names }: Shape, groups: string[]): string {
  const keys = groups.map((group, index) => `${group} AS ${names[index]}`);
  const grouped = `SELECT ${[...keys, ...COUNTED].join(', ')} FROM (${events})${by(groups)}`;
  return `SELECT count(), sum(n_0), min(first_0), max(last_0) FROM (${grouped})`;
}

function by(columns: string[]): string {
  return columns.length === 0 ? '' : ` GROUP BY ${columns.join(', ')}`;
}

function shownNames({ groupBy, maxText }: AggregatePlan, names: string[], scope: QueryScope): string[] {
  return names.map((name, index) => shortened(name, scope.valueType(groupBy[index]!), maxText));
}

/** Ascending and total: `true` and `"true"` are equal as text but are two groups. */
function groupOrders(groupBy: FieldRef[], scope: QueryScope): string[] {
  return groupBy.flatMap((field, index) => {
    const type = scope.valueType(field);
    const order = orderBy(`g_${index}`, type, false);
    return type === 'tagged' ? [order, `startsWith(g_${index}, 'j')`] : [order];
  });
}
