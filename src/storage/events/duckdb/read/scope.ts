import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import { anyOf } from '../../compile/conditions.ts';
import { ABSENT } from '../../compile/engine.ts';
import { EventScope } from '../../compile/scope.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import { columnName, eventsOf, type Kind, type Layout } from '../tables.ts';
import { isUuid } from '../write/insert.ts';
import type { TenantColumns } from '../write/typed-columns.ts';
import { DUCKDB, type DuckdbProperty, isNumber } from './sql.ts';

export interface Source {
  tenant: number;
  /** Null if no event of the tenant was ever stored. */
  paths: TenantColumns | null;
  layout: Layout;
}

/** Properties are in typed columns, or in the JSON text of the event. */
export class DuckdbScope extends EventScope<DuckdbProperty> {
  readonly engine = DUCKDB;
  readonly source: Source;
  /** Alternative paths of each extracted value; the first one present counts. */
  private readonly extracted: PropertyPath[][] = [];
  private readonly read = new Set<string>();

  constructor(source: Source) {
    super();
    this.source = source;
  }

  nested(): DuckdbScope {
    return new DuckdbScope(this.source);
  }

  override stored(column: string): string {
    this.read.add(column);
    return column;
  }

  select(bounds: string[], filter: string): string {
    const where = bounds.length === 0 ? '' : ` WHERE ${bounds.join(' AND ')}`;
    if (this.extracted.length === 0) {
      const all = [...bounds, ...(filter === 'true' ? [] : [filter])].join(' AND ') || 'true';
      return `SELECT ${this.selected} FROM ${this.tenantEvents()} WHERE ${all}`;
    }
    return `SELECT ${this.selected} FROM (${this.extracting(where)}) WHERE ${filter}`;
  }

  tenantEvents(): string {
    return eventsOf(this.source.tenant, this.source.layout.lastRun, this.read);
  }

  /** Compares stored forms: converting each UUID to text takes ten times as long. */
  hasId(ids: string[]): string {
    const others = ids.filter((id) => !isUuid(id));
    const uuids = ids.filter(isUuid).map((uuid) => `${DUCKDB.text(uuid)}::UUID`);
    const branches: string[] = [];
    if (uuids.length > 0) branches.push(`${this.stored('uuid')} IN (${uuids.join(', ')})`);
    if (others.length > 0) branches.push(DUCKDB.isOneOf(this.stored('other_id'), others));
    return anyOf(branches);
  }

  protected propertyAt(paths: PropertyPath[]): DuckdbProperty {
    const located = paths.map((path) => ({ path, location: this.source.paths?.locate(path) ?? { kind: 'absent' } }));
    const possible = located.filter(({ location }) => location.kind !== 'absent');
    const [only] = possible;
    if (only === undefined) return ABSENT;
    if (possible.length === 1 && only.location.kind === 'columns') {
      return this.fromColumns(only.path, only.location.columns);
    }
    const property = this.fromJson(possible.map(({ path }) => path));
    return possible.length === 1 ? { ...property, ...this.straightFromText(only.path) } : property;
  }

  private fromColumns(path: PropertyPath, columns: Partial<Record<Kind, number>>): DuckdbProperty {
    // A column that is newer than the snapshot has no values in it.
    const present = (kind: Kind) => {
      const index = columns[kind];
      const isPresent = index !== undefined && index < this.source.layout.columns[kind];
      return isPresent ? this.stored(columnName(kind, index)) : null;
    };
    const [whole, fraction, mark] = [present('integer'), present('double'), present('container')];
    return combined({
      text: present('text'),
      number: whole && fraction ? `coalesce(${fraction}, ${whole}::DOUBLE)` : (fraction ?? whole),
      boolean: present('boolean'),
      container: mark && `CASE WHEN ${mark} THEN json_extract(${this.stored('properties')}, ${pointerOf(path)}) END`,
    });
  }

  private fromJson(alternatives: PropertyPath[]): DuckdbProperty {
    this.stored('properties');
    const json = `j_${this.extracted.push(alternatives) - 1}`;
    return {
      text: `CASE WHEN starts_with(${json}::VARCHAR, '"') THEN json_extract_string(${json}, '$') END`,
      number: `CASE WHEN ${isNumber(json)} THEN CAST(${json} AS DOUBLE) END`,
      boolean: `CASE WHEN ${json}::VARCHAR IN ('true', 'false') THEN ${json}::VARCHAR = 'true' END`,
      container: `CASE WHEN ascii(${json}::VARCHAR) IN (91, 123) THEN ${json} END`,
      value: json,
      valueType: 'mixed',
      within: 'properties',
    };
  }

  /** For text searches, which need no extracted value. */
  private straightFromText(path: PropertyPath): Pick<DuckdbProperty, 'text' | 'container'> {
    const at = `${this.stored('properties')}, ${pointerOf(path)}`;
    return {
      text: `CASE WHEN json_type(${at}) = 'VARCHAR' THEN json_extract_string(${at}) END`,
      container: `CASE WHEN json_type(${at}) IN ('OBJECT', 'ARRAY') THEN json_extract(${at}) END`,
    };
  }

  private extracting(where: string): string {
    const columns = [...this.read];
    const source = `${this.tenantEvents()}${where}`;
    const paths = this.extracted.flat();
    // A single path is extracted faster without a list.
    if (paths.length === 1) {
      const json = `nullif(json_extract(properties, ${pointerOf(paths[0]!)}), 'null')`;
      return `SELECT ${[...columns, `${json} AS j_0`].join(', ')} FROM ${source}`;
    }
    let at = 0;
    const values = this.extracted.map((alternatives, index) => {
      const found = alternatives.map(() => `nullif(found_0[${++at}], 'null')`);
      return `${found.length === 1 ? found[0] : `coalesce(${found.join(', ')})`} AS j_${index}`;
    });
    const list = `json_extract(properties, [${paths.map(pointerOf).join(', ')}]) AS found_0`;
    return `SELECT ${[...columns, ...values].join(', ')} FROM (SELECT ${[...columns, list].join(', ')} FROM ${source})`;
  }
}

function pointerOf(path: PropertyPath): string {
  return DUCKDB.text(jsonPointer(path));
}

type Typed = Pick<DuckdbProperty, 'text' | 'number' | 'boolean' | 'container'>;

function combined(parts: Typed): DuckdbProperty {
  const scalars = (['text', 'number', 'boolean'] as const).filter((type) => parts[type] !== null);
  const [only] = scalars;
  if (only === undefined && parts.container === null) return ABSENT;
  if (only !== undefined && scalars.length === 1 && parts.container === null) {
    return { ...parts, value: parts[only]!, valueType: only };
  }
  const jsons = [...scalars.map((type) => `to_json(${parts[type]})`), ...(parts.container ? [parts.container] : [])];
  return { ...parts, value: jsons.length === 1 ? jsons[0]! : `coalesce(${jsons.join(', ')})`, valueType: 'mixed' };
}
