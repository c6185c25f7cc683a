import type { Aggregate, Aggregates } from '../answers/aggregates.ts';
import type { AggregateSource, Grouping, GroupRow, GroupTotals, Slot } from '../answers/groups.ts';
import { bucketSql } from './bucket.ts';
import { holds } from './conditions.ts';
import type { ValueType } from './engine.ts';
import type { EventScope } from './scope.ts';
import { matching } from './selection.ts';

/** Runs one statement; its rows, with numbers, booleans and texts. */
export type RunStatement = (sql: string) => Promise<unknown[][]>;

/** Without events the times do not count. */
const COUNTED = ['count(*) AS n_0', 'min(timestamp) AS first_0', 'max(timestamp) AS last_0'];
const COUNTS = ['n_0', 'first_0', 'last_0'];

/** The groups of aggregate plans, computed by an engine. `scope` makes the scope of a statement. */
export class EngineGroups implements AggregateSource {
  private readonly run: RunStatement;
  private readonly scope: () => EventScope;

  constructor(run: RunStatement, scope: () => EventScope) {
    this.run = run;
    this.scope = scope;
  }

  rows(grouping: Grouping, aggregates: Aggregates, most: number): Promise<GroupRow[]> {
    if (grouping.groupBy.length === 0 || !Number.isFinite(most)) return this.read(grouping, aggregates);
    return this.read(grouping, aggregates, { limit: most + 1, offset: 0 });
  }

  page(grouping: Grouping, aggregates: Aggregates, page: { limit: number; offset: number }): Promise<GroupRow[]> {
    return this.read(grouping, aggregates, page);
  }

  async totals({ selection, groupBy }: Grouping): Promise<GroupTotals> {
    const scope = this.scope();
    scope.keep('timestamp');
    const keys = groupBy.map((field) => scope.column(field));
    const grouped = `SELECT ${COUNTED.join(', ')} FROM (${matching(selection, scope)})${by(keys)}`;
    const [row] = await this.run(`SELECT count(*), sum(n_0), min(first_0), max(last_0) FROM (${grouped})`);
    const [groups, matched, firstAt, lastAt] = row as [number, number | null, number | null, number | null];
    return matched ? { groups, matched, firstAt, lastAt } : { groups, matched: 0, firstAt: null, lastAt: null };
  }

  /** The keys are joined, because a long CASE is slow. */
  async slots(grouping: Grouping, aggregates: Aggregates, stored: unknown[][]): Promise<Slot[]> {
    const { scope, keys, types, bucket, columns, events } = this.partsOf(grouping, aggregates);
    const shown = keys.map((key, index) => shortened(key, types[index]!, grouping, scope));
    const table = scope.engine.table(
      stored.map((key, at) => [...key.map((value, index) => scope.engine.constant(value, types[index]!)), `${at + 1}`]),
      [...types.map((type, index) => ({ name: `k_${index}`, type })), { name: 'slot_0', type: 'number' }],
    );
    // A timestamp is no double, as which the engine cannot compare it with one.
    const compared = shown.map((key, index) => (types[index] === 'number' ? `(${key} + 0e0)` : key));
    const same = compared.map((key, index) => `${key} IS NOT DISTINCT FROM k_${index}`).join(' AND ');
    const placed = `SELECT *, coalesce(slot_0, 0) AS slot_1 FROM (${events}) AS events_0 LEFT JOIN ${table} AS slots_0 ON ${same}`;
    const rows = await this.run(
      `SELECT ${['slot_1', bucket ?? 'NULL', ...columns].join(', ')} FROM (${placed})${by(['slot_1', ...listed(bucket)])}`,
    );
    return rows.map(([slot, at, ...values]) => ({ slot, bucket: at, values }) as Slot);
  }

  private async read(
    grouping: Grouping,
    aggregates: Aggregates,
    page?: { limit: number; offset: number },
  ): Promise<GroupRow[]> {
    const { scope, keys, types, bucket, columns, events } = this.partsOf(grouping, aggregates);
    const computed = [
      ...keys.map((key, index) => `${key} AS g_${index}`),
      `${bucket ?? 'NULL'} AS bucket_0`,
      ...columns.map((column, at) => `${column} AS a_${at}`),
      ...COUNTED,
    ];
    const grouped = `SELECT ${computed.join(', ')} FROM (${events})${by([...keys, ...listed(bucket)])}`;
    const shown = keys.map((_, index) => shortened(`g_${index}`, types[index]!, grouping, scope));
    const row = [...shown, 'bucket_0', ...columns.map((_, at) => `a_${at}`), ...COUNTS];
    const isOrdered = page !== undefined && bucket === null;
    const from = isOrdered ? ordered(grouped, grouping, aggregates, types, scope) : `(${grouped})`;
    const limit = page ? ` LIMIT ${page.limit} OFFSET ${page.offset}` : '';
    const rows = await this.run(`SELECT ${row.join(', ')} FROM ${from}${limit}`);
    return rows.map((values) => {
      const stored = values.slice(0, keys.length);
      const [events, firstAt, lastAt] = values.slice(-COUNTS.length) as [number, number, number];
      return {
        key: stored.map((value, index) => scope.engine.decoded(value, types[index]!)),
        stored,
        bucket: values[keys.length] as number | null,
        values: values.slice(keys.length + 1, -COUNTS.length) as (number | null)[],
        ...(events === 0 ? { events, firstAt: null, lastAt: null } : { events, firstAt, lastAt }),
      };
    });
  }

  private partsOf({ groupBy, bucket, selection }: Grouping, aggregates: Aggregates) {
    const scope = this.scope();
    scope.keep('timestamp');
    return {
      scope,
      keys: groupBy.map((field) => scope.column(field)),
      types: groupBy.map((field) => scope.valueType(field)),
      bucket: bucket && scope.computed(bucketSql(bucket, 'timestamp', scope.engine)),
      columns: aggregates.list.map((one) => aggregateSql(one, aggregates.list, scope)),
      // Last, because it shows the columns requested so far.
      events: matching(selection, scope),
    };
  }
}

function by(columns: string[]): string {
  return columns.length === 0 ? '' : ` GROUP BY ${columns.join(', ')}`;
}

function listed(bucket: string | null): string[] {
  return bucket === null ? [] : [bucket];
}

function shortened(column: string, type: ValueType, { maxText }: Grouping, { engine }: EventScope): string {
  if (maxText === undefined || type === 'number' || type === 'boolean') return column;
  return engine.shortened(column, type, maxText);
}

/** An engine refuses the order of a constant, which a formula may be, unless it is a column. */
function ordered(
  grouped: string,
  { sort }: Grouping,
  aggregates: Aggregates,
  types: ValueType[],
  { engine }: EventScope,
): string {
  const key = (index: number, descending: boolean) => engine.orderBy(`g_${index}`, types[index]!, descending);
  // `true` and "true" are equal as text but are two groups.
  const groups = types.flatMap((type, index) => [
    key(index, false),
    ...(type === 'mixed' ? [engine.jsonOf(`g_${index}`)] : []),
  ]);
  if (sort.by === 'group') return `(${grouped}) ORDER BY ${[key(sort.index, sort.descending), ...groups].join(', ')}`;
  const value = aggregates.unrounded(sort.index, (at) => `a_${at}`);
  const first = `order_0 ${sort.descending ? 'DESC' : 'ASC'} NULLS LAST`;
  return `(SELECT *, ${value} AS order_0 FROM (${grouped})) ORDER BY ${[first, ...groups].join(', ')}`;
}

function aggregateSql(aggregate: Aggregate, all: Aggregate[], scope: EventScope): string {
  const filter = aggregate.where.length === 0 ? '' : ` FILTER (WHERE ${holds(aggregate.where, scope)})`;
  const { of, field, where, fraction } = aggregate;
  switch (of) {
    case 'events':
      return `count(*)${filter}`;
    case 'values':
      return `count(${scope.column(field!)})${filter}`;
    case 'distinct':
      return `count(DISTINCT ${scope.column(field!)})${filter}`;
    case 'numbers':
      return `count(${scope.numberColumn(field!)})${filter}`;
    case 'sum':
      return `${scope.engine.exactSum(scope.numberColumn(field!))}${filter}`;
    case 'size':
      return `sum(abs(${scope.numberColumn(field!)}))${filter}`;
    case 'min':
    case 'max':
      return `${of}(${scope.numberColumn(field!)})${filter}`;
    case 'percentile': {
      // The engine keeps the values of one expression once.
      const source = JSON.stringify([field, where]);
      const same = all.filter((one) => one.of === of && JSON.stringify([one.field, one.where]) === source);
      const fractions = same.map((one) => one.fraction!);
      return `(${scope.engine.percentiles(scope.numberColumn(field!), fractions)}${filter})[${fractions.indexOf(fraction!) + 1}]`;
    }
  }
}
