import type { JsonType } from '../../../../core/analytics/events/store.ts';
import { typeOf } from '../../shared/checked-event.ts';
import type { PathNode } from '../../shared/columns.ts';
import type { SeenNames } from '../../shared/seen-names.ts';
import { EventShredder, type ShreddedRow } from '../../shared/shred.ts';
import type { KnownTenant } from '../../shared/tenants.ts';
import { columnName, type Kind } from '../tables.ts';
import type { TenantColumns } from './typed-columns.ts';

/** The values of one path; `at` has the indexes of rows. */
class Values {
  readonly at: number[] = [];
  readonly values: unknown[] = [];

  add(at: number, value: unknown): void {
    this.at.push(at);
    this.values.push(value);
  }
}

export interface Shredded {
  rows: ShreddedRow[];
  /** By column name: the value of each row, or undefined. */
  typed: Map<string, unknown[]>;
  seenNames: SeenNames;
}

interface Found {
  columns: TenantColumns;
  byType: Partial<Record<JsonType, Values>>;
}

/** Assigns columns once it has seen all values of a path. */
export class Shredder extends EventShredder<TenantColumns> {
  protected readonly visitsAll = false;
  private readonly found = new Map<PathNode, Found>();

  finish(): Shredded {
    const typed: Shredded['typed'] = new Map();
    for (const [node, { columns, byType }] of this.found) {
      for (const type of Object.keys(byType) as JsonType[]) this.assign(columns, node, type, byType[type]!, typed);
    }
    return { rows: this.rows, typed, seenNames: this.seenNames };
  }

  protected override missedName({ columns }: KnownTenant<TenantColumns>): void {
    columns.missName();
  }

  protected store({ columns }: KnownTenant<TenantColumns>, node: PathNode, value: unknown): void {
    if (!node.isLearnable) return;
    let found = this.found.get(node);
    if (!found) {
      found = { columns, byType: {} };
      this.found.set(node, found);
    }
    const type = typeOf(value);
    const values = found.byType[type] ?? new Values();
    found.byType[type] = values;
    values.add(this.rows.length, value);
  }

  private assign(
    columns: TenantColumns,
    node: PathNode,
    type: JsonType,
    { at, values }: Values,
    typed: Shredded['typed'],
  ): void {
    const kind = kindOf(columns.slot(node.pointer, 'double') !== undefined, type, values);
    const column = columns.columnFor(node, kind);
    if (column === null) return;
    const name = columnName(kind, column);
    let stored = typed.get(name);
    if (!stored) {
      stored = new Array(this.rows.length);
      typed.set(name, stored);
    }
    const isContainer = kind === 'container';
    for (let index = 0; index < at.length; index++) stored[at[index]!] = isContainer ? true : values[index];
  }
}

/** Integers have smaller, faster columns, until the path has a fraction. */
function kindOf(hasFractions: boolean, type: JsonType, values: unknown[]): Kind {
  switch (type) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'boolean';
    case 'number':
      return hasFractions || !values.every(Number.isSafeInteger) ? 'double' : 'integer';
    default:
      return 'container';
  }
}
