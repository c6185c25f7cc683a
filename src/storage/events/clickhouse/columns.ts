import type { PropertyPath } from '../../../core/analytics/events/predicates.ts';
import { ColumnSlots, isLearnable } from '../shared/columns.ts';
import { jsonPointer } from '../shared/known-names.ts';
import { KINDS, type Kind, MAX_COLUMNS } from './schema.ts';

/** Where the values of one kind are. `absent` only if that is certain. */
export type ColumnPlace = { kind: 'column'; slot: number } | { kind: 'map' } | { kind: 'absent' };

const ABSENT: ColumnPlace = { kind: 'absent' };
const MAP: ColumnPlace = { kind: 'map' };

/**
 * The columns of a tenant's properties; when all columns of a kind are taken, values of later paths
 * are in the map. Every row reads the same way, whichever node wrote it.
 */
export class TenantColumns extends ColumnSlots<Kind> {
  /** `saved`: from `toString`. */
  constructor(saved: string | null = null) {
    super(MAX_COLUMNS);
    const parsed = saved === null ? {} : (JSON.parse(saved) as Partial<Record<Kind, string[]>>);
    for (const kind of KINDS) for (const pointer of parsed[kind] ?? []) this.claim(pointer, kind);
  }

  override toString(): string {
    return JSON.stringify(Object.fromEntries(KINDS.map((kind) => [kind, [...this.slots[kind].keys()]])));
  }

  /** Columns are only ever added. */
  get size(): number {
    return KINDS.reduce((sum, kind) => sum + this.used(kind), 0);
  }

  locate(path: PropertyPath, kind: Kind): ColumnPlace {
    if (!isLearnable(path)) return MAP;
    const slot = this.slot(jsonPointer(path), kind);
    if (slot === undefined) return this.isFull(kind) ? MAP : ABSENT;
    return kind === 'container' ? MAP : { kind: 'column', slot };
  }
}
