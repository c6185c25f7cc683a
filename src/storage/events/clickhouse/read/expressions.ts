import type { FieldRef, PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import type { TenantColumns } from '../columns.ts';
import { ABSENT, NO_NUMBER, type PropertySql, propertySql } from './property-sql.ts';

/** The events that a query may read: a tenant's of all flushes up to one. */
export interface Source {
  /** The quoted name of the table. */
  events: string;
  tenant: number;
  flush: number;
  /** Null if no event of the tenant was ever stored. */
  columns: TenantColumns | null;
}

const COLUMN_OF_FIELD = {
  id: 'id',
  eventName: 'event_name',
  threadId: 'thread_id',
  executionId: 'execution_id',
  agentId: 'agent_id',
  timestamp: 'timestamp',
} as const;

/**
 * Columns of one subquery of events. In the compiler, only this class knows where a property is
 * stored. An alias never has the name of a column of the table, which it would hide.
 */
export class QueryScope {
  readonly source: Source;
  private readonly properties = new Map<string, PropertySql>();
  private readonly kept = new Set<string>();
  private readonly values: string[] = [];

  constructor(source: Source) {
    this.source = source;
  }

  /** For a subquery, with its own columns. */
  nested(): QueryScope {
    return new QueryScope(this.source);
  }

  /** A column of the selected events with the field's value, NULL for an absent one. */
  column(field: FieldRef): string {
    if (field.kind === 'event') return this.keep(COLUMN_OF_FIELD[field.name]);
    return this.computed(this.property(field.paths).value);
  }

  /** Like `column`; NULL for values that are not numbers. */
  numberColumn(field: FieldRef): string {
    return this.computed((field.kind === 'event' ? ABSENT : this.property(field.paths)).number ?? NO_NUMBER);
  }

  /** A column of the selected events with whether the condition holds. */
  computed(expression: string): string {
    const known = this.values.indexOf(expression);
    return `p_${known === -1 ? this.values.push(expression) - 1 : known}`;
  }

  /** Like `column`, for conditions on the table itself. */
  value(field: FieldRef): string {
    return field.kind === 'event' ? COLUMN_OF_FIELD[field.name] : this.property(field.paths).value;
  }

  valueType(field: FieldRef): PropertySql['valueType'] {
    if (field.kind === 'property') return this.property(field.paths).valueType;
    return field.name === 'timestamp' ? 'number' : 'text';
  }

  property(paths: PropertyPath[]): PropertySql {
    const key = JSON.stringify(paths);
    const known = this.properties.get(key);
    if (known) return known;
    const property = propertySql(paths, this.source.columns);
    this.properties.set(key, property);
    return property;
  }

  keep(column: string): string {
    this.kept.add(column);
    return column;
  }

  /** Tenant isolation: the only SQL that names the table. */
  select(bounds: string[], filter: string): string {
    const { events, tenant, flush } = this.source;
    const shown = [...this.kept, ...this.values.map((value, index) => `${value} AS p_${index}`)];
    const where = [`tenant = ${tenant}`, `flush <= ${flush}`, ...bounds, ...(filter === 'true' ? [] : [filter])];
    return `SELECT ${shown.join(', ') || 'tenant'} FROM ${events} WHERE ${where.join(' AND ')}`;
  }
}
