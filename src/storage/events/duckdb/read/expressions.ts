import type { FieldRef, PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import { columnName, eventsOf, type Kind, type Layout } from '../tables.ts';
import type { TenantColumns } from '../write/typed-columns.ts';
import { ABSENT, combined, fromJson, type PropertySql } from './property-sql.ts';

export type Bindable = string | number;

export interface CompiledQuery {
  sql: string;
  params: Bindable[];
}

/** Without an exponent it would be a decimal of fewer digits. */
function numberLiteral(value: number): string {
  if (Number.isSafeInteger(value)) return `(${value})::BIGINT`;
  return `(${String(value).includes('e') ? value : `${value}e0`})`;
}

/**
 * Binds strings. Numbers are SQL text, because DuckDB plans by their values. No identifier comes
 * from input (docs/decisions/0026-bound-values.md).
 */
export class Bindings {
  protected readonly params: Bindable[];

  constructor(params: Bindable[] = []) {
    this.params = params;
  }

  bind(value: Bindable): string {
    if (Number.isFinite(value)) return numberLiteral(value as number);
    this.params.push(value);
    return `$${this.params.length}`;
  }

  bindAll(values: Bindable[]): string {
    return values.map((value) => this.bind(value)).join(', ');
  }

  /** Binds only the values that `sql` uses: some built expressions are unused. */
  statement(sql: string): CompiledQuery {
    const params: Bindable[] = [];
    const numbers = new Map<string, number>();
    const numbered = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
      const known = numbers.get(number) ?? params.push(this.params[Number(number) - 1]!);
      numbers.set(number, known);
      return `$${known}`;
    });
    return { sql: numbered, params };
  }
}

const COLUMN_OF_FIELD = {
  id: 'id',
  eventName: 'event_name',
  threadId: 'thread_id',
  executionId: 'execution_id',
  agentId: 'agent_id',
  timestamp: 'timestamp',
} as const;

export interface Source {
  tenant: number;
  /** Null if no event of the tenant was ever stored. */
  paths: TenantColumns | null;
  layout: Layout;
}

/** In the compiler, only this class knows where a property is stored. */
export class StatementBuilder extends Bindings {
  readonly source: Source;
  private readonly properties = new Map<string, PropertySql>();
  /** Alternative paths of each value; the first one present counts. */
  private readonly extracted: PropertyPath[][] = [];
  private readonly values: string[] = [];
  private readonly readColumns = new Set<string>();
  private readonly columns = new Set<string>();

  constructor(source: Source, params?: Bindable[]) {
    super(params);
    this.source = source;
  }

  /** For a subquery: with its own columns and the same bound values. */
  nested(): StatementBuilder {
    return new StatementBuilder(this.source, this.params);
  }

  column(field: FieldRef): string {
    if (field.kind === 'event') return this.keepColumn(COLUMN_OF_FIELD[field.name]);
    return this.valueColumn(this.property(field.paths).value);
  }

  /** NULL for values that are not numbers; computed once, however often it is aggregated. */
  numberColumn(field: FieldRef): { number: string; isInteger: boolean } {
    const property = field.kind === 'event' ? ABSENT : this.property(field.paths);
    const number = this.valueColumn(property.number ?? 'NULL::DOUBLE');
    return { number, isInteger: property.isInteger === true };
  }

  /** Like `column`, for conditions. */
  value(field: FieldRef): string {
    return field.kind === 'event' ? this.column(field) : this.property(field.paths).value;
  }

  private valueColumn(value: string): string {
    let index = this.values.indexOf(value);
    if (index === -1) index = this.values.push(value) - 1;
    return `p${index}`;
  }

  valueType(field: FieldRef): PropertySql['valueType'] {
    if (field.kind === 'property') return this.property(field.paths).valueType;
    return field.name === 'timestamp' ? 'number' : 'text';
  }

  property(paths: PropertyPath[]): PropertySql {
    const key = JSON.stringify(paths);
    const known = this.properties.get(key);
    if (known) return known;
    const property = this.resolve(paths);
    this.properties.set(key, property);
    return property;
  }

  keepColumn(column: string): string {
    this.columns.add(column);
    return this.readColumn(column);
  }

  /** For the bounds only: the selected events do not have the column. */
  readColumn(column: string): string {
    this.readColumns.add(column);
    return column;
  }

  events(bounds: string, filter: string): string {
    const columns = [...this.columns];
    const made = [
      ...this.extracted.map((_, index) => `j${index}`),
      ...this.values.map((value, index) => `${value} AS p${index}`),
    ];
    const values = [...columns, ...made].join(', ');
    const source = `${this.tenantEvents()} WHERE ${bounds}`;
    if (this.extracted.length === 0) return `SELECT ${values} FROM ${source} AND ${filter}`;
    return `SELECT ${values} FROM (${this.extracting(columns, source)}) WHERE ${filter}`;
  }

  private extracting(columns: string[], source: string): string {
    const paths = this.extracted.flat();
    // A single path is extracted faster without a list.
    if (paths.length === 1)
      return `SELECT ${[...columns, `${this.presentJson(paths[0]!)} AS j0`].join(', ')} FROM ${source}`;
    let at = 0;
    const values = this.extracted.map((alternatives, index) => {
      const found = alternatives.map(() => `nullif(found[${++at}], 'null')`);
      return `${found.length === 1 ? found[0] : `coalesce(${found.join(', ')})`} AS j${index}`;
    });
    const list = `json_extract(properties, [${this.bindAll(paths.map(jsonPointer))}]) AS found`;
    return `SELECT ${[...columns, ...values].join(', ')} FROM (SELECT ${[...columns, list].join(', ')} FROM ${source})`;
  }

  tenantEvents(): string {
    return eventsOf(this.source.tenant, this.source.layout.lastRun, this.readColumns);
  }

  listOf(paths: PropertyPath[]): string {
    return `json_extract(${this.keepColumn('properties')}, [${this.bindAll(paths.map(jsonPointer))}])`;
  }

  private resolve(paths: PropertyPath[]): PropertySql {
    const located = paths.map((path) => ({ path, location: this.source.paths?.locate(path) ?? { kind: 'absent' } }));
    const possible = located.filter(({ location }) => location.kind !== 'absent');
    const [only] = possible;
    if (only === undefined) return ABSENT;
    if (possible.length === 1 && only.location.kind === 'columns')
      return this.fromColumns(only.path, only.location.columns);
    const extracted = fromJson(this.extract(possible.map(({ path }) => path)));
    const property = { ...extracted, within: 'properties' };
    return possible.length === 1 ? { ...property, ...this.straightFromText(only.path) } : property;
  }

  private fromColumns(path: PropertyPath, columns: Partial<Record<Kind, number>>): PropertySql {
    // A column that is newer than the snapshot has no values in it.
    const present = (kind: Kind) => {
      const index = columns[kind];
      return index !== undefined && index < this.source.layout.columns[kind]
        ? this.keepColumn(columnName(kind, index))
        : null;
    };
    const whole = present('integer');
    const fraction = present('double');
    const mark = present('container');
    const typed = {
      text: present('text'),
      number: whole && fraction ? `coalesce(${fraction}, ${whole}::DOUBLE)` : (fraction ?? whole),
      boolean: present('boolean'),
      container:
        mark &&
        `CASE WHEN ${mark} THEN json_extract(${this.keepColumn('properties')}, ${this.bind(jsonPointer(path))}) END`,
    };
    return { ...combined(typed), isInteger: whole !== null && fraction === null };
  }

  private presentJson(path: PropertyPath): string {
    return `nullif(json_extract(${this.keepColumn('properties')}, ${this.bind(jsonPointer(path))}), 'null')`;
  }

  /** For text searches, which need no extracted value. */
  private straightFromText(path: PropertyPath): Pick<PropertySql, 'text' | 'container'> {
    const at = `${this.keepColumn('properties')}, ${this.bind(jsonPointer(path))}`;
    return {
      text: `CASE WHEN json_type(${at}) = 'VARCHAR' THEN json_extract_string(${at}) END`,
      container: `CASE WHEN json_type(${at}) IN ('OBJECT', 'ARRAY') THEN json_extract(${at}) END`,
    };
  }

  private extract(alternatives: PropertyPath[]): string {
    this.keepColumn('properties');
    return `j${this.extracted.push(alternatives) - 1}`;
  }
}
