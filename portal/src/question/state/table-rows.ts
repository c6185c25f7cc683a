import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';
import { nextId } from '../filters/filters.ts';
import { AGGREGATIONS, type Aggregation, labelOf } from '../words/words.ts';
import { textOf } from './text.ts';

/** The API's limit for a table. */
export const MAX_METRICS = 20;

/** A column of a table with a row for each group. */
export interface MetricRow {
  /** React's key of the row. */
  id: number;
  aggregation: Aggregation;
  propertyKey: string;
  /** Empty: the default, made of the other members. */
  alias: string;
}

/** The kind of a table's rows, and their columns. */
export interface TableRows {
  mode: 'raw' | 'aggregate';
  columns: string[];
  groupBy: string[];
  metrics: MetricRow[];
}

export function newMetric(): MetricRow {
  return { id: nextId(), aggregation: 'count', propertyKey: '', alias: '' };
}

/** The name of a metric's column: "sum of amount" without an alias. */
export function aliasOf({ aggregation, propertyKey, alias }: MetricRow): string {
  if (alias !== '') return alias;
  if (propertyKey === '') return t('events');
  return `${labelOf(AGGREGATIONS, aggregation).toLowerCase()} ${propertyKey}`.slice(0, 100).toWellFormed();
}

/** The metric of a row, for the API. */
export function metricOf(row: MetricRow): Schemas['EventMetric'] {
  const { aggregation, propertyKey } = row;
  return { aggregation, ...(propertyKey !== '' && { propertyKey }), alias: aliasOf(row) };
}

/** The paths of the fields in the request, below `path`. */
export function metricPaths(path: string, rows: readonly MetricRow[]): string[] {
  return rows.flatMap((_, index) =>
    ['aggregation', 'propertyKey', 'alias'].map((member) => `${path}[${index}].${member}`),
  );
}

/** Rows of metrics from an untrusted source, without invalid metrics. */
export function metricRowsOf(metrics: unknown): MetricRow[] {
  if (!Array.isArray(metrics)) return [];
  return metrics.flatMap((metric: unknown) => {
    const { aggregation, propertyKey, alias } = (metric ?? {}) as Record<string, unknown>;
    const known = AGGREGATIONS.find(({ value }) => value === aggregation)?.value;
    if (known === undefined) return [];
    const row = { id: nextId(), aggregation: known, propertyKey: textOf(propertyKey), alias: '' };
    const given = textOf(alias);
    return [{ ...row, alias: given === aliasOf(row) ? '' : given }];
  });
}
