import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import { ColumnSlots, isLearnable, type PathNode } from '../../shared/columns.ts';
import { jsonPointer } from '../../shared/known-names.ts';
import { KINDS, type Kind, MAX_COLUMNS } from '../tables.ts';

/** The index of each kind's column. A kind without one never occurred. */
type PathColumns = Partial<Record<Kind, number>>;

export type ColumnLocation = { kind: 'columns'; columns: PathColumns } | { kind: 'json' } | { kind: 'absent' };

export interface LearnedColumn {
  path: PropertyPath;
  kind: Kind;
  slot: number;
}

/**
 * The columns of a tenant's properties. Once a value finds no free column, its path is read from
 * the JSON, and so are all later paths (docs/decisions/0052-columns-are-learned-once.md).
 */
export class TenantColumns extends ColumnSlots<Kind> {
  /** Every learnable path ever seen is learned. */
  learnedAll = true;
  /** A top-level key with a dot was seen and not learned. */
  missedDotted = false;
  /** All event names are listed: their counts add up to the count of events. */
  listedAll = true;
  /** Something is not in the tables yet, as all of a new tenant. */
  isChanged = true;
  /** Not in the tables yet. */
  added: LearnedColumn[] = [];
  /** Paths whose columns in the tables have no path any more. */
  retired: PropertyPath[] = [];

  constructor() {
    super(MAX_COLUMNS);
  }

  /** `absent` only if that is certain. */
  locate(path: PropertyPath): ColumnLocation {
    if (!isLearnable(path)) return { kind: 'json' };
    const columns = this.columnsOf(jsonPointer(path));
    if (columns !== null) return { kind: 'columns', columns };
    if (this.learnedAll) return { kind: 'absent' };
    return isDotted(path) && !this.missedDotted ? { kind: 'absent' } : { kind: 'json' };
  }

  /** Learns a new path. Null: the path is in the JSON alone. */
  columnFor({ path, pointer }: PathNode, kind: Kind): number | null {
    const known = this.slot(pointer, kind);
    if (known !== undefined) return known;
    const mayLearn = this.learnedAll || this.columnsOf(pointer) !== null;
    const slot = mayLearn ? this.claim(pointer, kind) : null;
    if (slot === null) this.unlearn(path, pointer);
    else {
      this.added.push({ path, kind, slot });
      this.isChanged = true;
    }
    return slot;
  }

  missName(): void {
    this.isChanged ||= this.listedAll;
    this.listedAll = false;
  }

  /** All is in the tables. */
  saved(): void {
    this.isChanged = false;
    this.added = [];
    this.retired = [];
  }

  private columnsOf(pointer: string): PathColumns | null {
    const columns: PathColumns = {};
    for (const kind of KINDS) {
      const slot = this.slot(pointer, kind);
      if (slot !== undefined) columns[kind] = slot;
    }
    return Object.keys(columns).length === 0 ? null : columns;
  }

  /** Old rows have values in its columns, so no other path takes them. */
  private unlearn(path: PropertyPath, pointer: string): void {
    if (this.columnsOf(pointer) !== null) {
      for (const kind of KINDS) this.slots[kind].delete(pointer);
      this.retired.push(path);
      this.isChanged = true;
    }
    if (!this.learnedAll && (!isDotted(path) || this.missedDotted)) return;
    this.learnedAll = false;
    this.missedDotted ||= isDotted(path);
    this.isChanged = true;
  }
}

function isDotted(path: PropertyPath): boolean {
  return path.length === 1 && path[0]!.includes('.');
}
