import type { EventField } from '../../../core/analytics/events/fields.ts';
import type { FieldRef, PropertyPath } from '../../../core/analytics/events/predicates.ts';
import { ABSENT, type EngineSql, type PropertySql, type ValueType } from './engine.ts';

const COLUMN_OF_FIELD: Record<EventField, string> = {
  id: 'id',
  eventName: 'event_name',
  threadId: 'thread_id',
  executionId: 'execution_id',
  agentId: 'agent_id',
  timestamp: 'timestamp',
};

/**
 * Columns of one subquery of events. In the compiler, only its engine's class knows where a
 * property is stored. Names that are given here end in `_` and a number: no column of a table does.
 */
export abstract class EventScope<Property extends PropertySql = PropertySql> {
  abstract readonly engine: EngineSql<Property>;
  private readonly properties = new Map<string, Property>();
  private readonly kept = new Set<string>();
  private readonly values = new Map<string, string>();

  /** For a subquery, with its own columns. */
  abstract nested(): EventScope<Property>;

  /** Tenant isolation: the only SQL that names the tables. */
  abstract select(bounds: string[], filter: string): string;

  /** A condition: the event has one of the ids. */
  abstract hasId(ids: string[]): string;

  protected abstract propertyAt(paths: PropertyPath[]): Property;

  /** A column of the selected events with the field's value, NULL for an absent one. */
  column(field: FieldRef): string {
    if (field.kind === 'event') return this.keep(COLUMN_OF_FIELD[field.name]);
    return this.computed(this.property(field.paths).value);
  }

  /** Like `column`; NULL for values that are not numbers. */
  numberColumn(field: FieldRef): string {
    return this.computed((field.kind === 'event' ? ABSENT : this.property(field.paths)).number ?? this.engine.noNumber);
  }

  /** A column of the selected events with what an expression over the table's columns gives. */
  computed(expression: string): string {
    const name = this.values.get(expression) ?? `p_${this.values.size}`;
    this.values.set(expression, name);
    return name;
  }

  /** Like `column`, for conditions on the table's own columns. */
  value(field: FieldRef): string {
    return field.kind === 'event' ? this.stored(COLUMN_OF_FIELD[field.name]) : this.property(field.paths).value;
  }

  valueType(field: FieldRef): ValueType {
    if (field.kind === 'property') return this.property(field.paths).valueType;
    return field.name === 'timestamp' ? 'number' : 'text';
  }

  property(paths: PropertyPath[]): Property {
    const key = JSON.stringify(paths);
    const property = this.properties.get(key) ?? this.propertyAt(paths);
    this.properties.set(key, property);
    return property;
  }

  /** A column of the table that the selected events have as well. */
  keep(column: string): string {
    this.kept.add(column);
    return this.stored(column);
  }

  /** A column of the table, for conditions only. */
  stored(column: string): string {
    return column;
  }

  protected get selected(): string {
    const computed = Array.from(this.values, ([value, name]) => `${value} AS ${name}`);
    return [...this.kept, ...computed].join(', ') || '1 AS one_0';
  }
}
