import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import { isPresent } from '../../compile/conditions.ts';
import { ABSENT as NO_PROPERTY } from '../../compile/engine.ts';
import { EventScope } from '../../compile/scope.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import type { TenantColumns } from '../columns.ts';
import { columnName, KINDS, type Kind, MAP_OF_KIND } from '../schema.ts';
import { CLICKHOUSE, type ClickhouseProperty, tagged } from './sql.ts';

/** The events that a query may read: a tenant's of all flushes up to one. */
export interface Source {
  /** The quoted name of the table. */
  events: string;
  tenant: number;
  flush: number;
  /** Null if no event of the tenant was ever stored. */
  columns: TenantColumns | null;
}

/** An alias must not have the name of a column of the table, which it would hide. */
export class ClickhouseScope extends EventScope<ClickhouseProperty> {
  readonly engine = CLICKHOUSE;
  private readonly source: Source;

  constructor(source: Source) {
    super();
    this.source = source;
  }

  nested(): ClickhouseScope {
    return new ClickhouseScope(this.source);
  }

  select(bounds: string[], filter: string): string {
    const { events, tenant, flush } = this.source;
    const where = [`tenant = ${tenant}`, `flush <= ${flush}`, ...bounds, ...(filter === 'true' ? [] : [filter])];
    return `SELECT ${this.selected} FROM ${events} WHERE ${where.join(' AND ')}`;
  }

  hasId(ids: string[]): string {
    return ids.length === 0 ? 'false' : CLICKHOUSE.isOneOf(this.stored('id'), ids);
  }

  /** The first path that is present decides, whatever it has. */
  protected propertyAt(paths: PropertyPath[]): ClickhouseProperty {
    const { columns } = this.source;
    if (columns === null) return ABSENT;
    const possible = paths.map((path) => ofPath(path, columns)).filter((one) => one !== ABSENT);
    const [first, ...others] = possible;
    if (first === undefined) return ABSENT;
    return others.reduce((before, next) => combined(alternatives(before, next)), first);
  }
}

const ABSENT: ClickhouseProperty = { ...NO_PROPERTY, value: CLICKHOUSE.noText, elements: null };
const NO_LIST = 'CAST([] AS Array(String))';

function ofPath(path: PropertyPath, columns: TenantColumns): ClickhouseProperty {
  const pointer = CLICKHOUSE.text(jsonPointer(path));
  const place = (kind: Kind): string | null => {
    const found = columns.locate(path, kind);
    if (found.kind === 'absent') return null;
    return found.kind === 'map' || kind === 'container'
      ? `${MAP_OF_KIND[kind]}[${pointer}]`
      : columnName(kind, found.slot);
  };
  const [text, number, boolean, container] = KINDS.map(place) as [Sql, Sql, Sql, Sql];
  const elements = container === null ? null : `lists[${pointer}]`;
  return combined({ text, number, boolean, container, elements });
}

type Sql = string | null;
type Parts = Omit<ClickhouseProperty, 'value' | 'valueType'>;

function alternatives(first: ClickhouseProperty, second: ClickhouseProperty): Parts {
  const isFirst = isPresent(first);
  const either = (kind: keyof Parts, none: string) => {
    const [one, other] = [first[kind], second[kind]];
    return one === null && other === null ? null : `if(${isFirst}, ${one ?? none}, ${other ?? none})`;
  };
  return {
    text: either('text', 'NULL'),
    number: either('number', 'NULL'),
    boolean: either('boolean', 'NULL'),
    container: either('container', 'NULL'),
    elements: either('elements', NO_LIST),
  };
}

function combined(parts: Parts): ClickhouseProperty {
  const present = KINDS.filter((kind) => parts[kind] !== null);
  const [only] = present;
  if (only === undefined) return ABSENT;
  if (present.length === 1 && only !== 'container') return { ...parts, value: parts[only]!, valueType: only };
  const cases = present.map((kind) => `isNotNull(${parts[kind]}), ${tagged(kind, parts[kind]!)}`);
  return { ...parts, value: `multiIf(${cases.join(', ')}, NULL)`, valueType: 'mixed' };
}
