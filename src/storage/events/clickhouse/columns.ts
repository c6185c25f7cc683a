import type { PropertyPath } from '../../../core/analytics/events/predicates.ts';
import { jsonPointer, MAX_KEY_LENGTH, MAX_NESTING, pointerStep } from '../shared/known-names.ts';
import { KINDS, type Kind, MAX_COLUMNS } from './schema.ts';

/** Where the values of one kind are. `absent` only if that is certain. */
export type ColumnPlace = { kind: 'column'; slot: number } | { kind: 'map' } | { kind: 'absent' };

const ABSENT: ColumnPlace = { kind: 'absent' };
const MAP: ColumnPlace = { kind: 'map' };

/**
 * The columns of a tenant's properties. A path gets the column of a kind with its first
 * value of that kind, for ever; when all columns of a kind are taken, later paths are in the map.
 * Nothing is ever moved, so that every row reads the same way, whichever node wrote it.
 */
export class TenantColumns {
  /** By JSON pointer and kind. */
  private readonly slots: Record<Kind, Map<string, number>>;

  constructor(saved: string | null = null) {
    const parsed = saved === null ? {} : (JSON.parse(saved) as Partial<Record<Kind, string[]>>);
    this.slots = Object.fromEntries(
      KINDS.map((kind) => [kind, new Map((parsed[kind] ?? []).map((pointer, slot) => [pointer, slot]))]),
    ) as Record<Kind, Map<string, number>>;
  }

  toString(): string {
    return JSON.stringify(Object.fromEntries(KINDS.map((kind) => [kind, [...this.slots[kind].keys()]])));
  }

  locate(path: PropertyPath, kind: Kind): ColumnPlace {
    if (!isLearnable(path)) return MAP;
    const slot = this.slots[kind].get(jsonPointer(path));
    if (slot === undefined) return this.isFull(kind) ? MAP : ABSENT;
    return kind === 'container' ? MAP : { kind: 'column', slot };
  }

  /**
   * The slot of a learnable path, taken if there is a free one. Null: the value goes into the map.
   */
  claim(pointer: string, kind: Kind): number | null {
    const known = this.slots[kind].get(pointer);
    if (known !== undefined) return known;
    if (this.isFull(kind)) return null;
    const slot = this.slots[kind].size;
    this.slots[kind].set(pointer, slot);
    return slot;
  }

  used(kind: Kind): number {
    return this.slots[kind].size;
  }

  private isFull(kind: Kind): boolean {
    return this.slots[kind].size >= MAX_COLUMNS[kind];
  }
}

/** A key that looks like an index may reach into a list, whose elements have no columns. */
function isLearnable(path: PropertyPath): boolean {
  return path.length <= MAX_NESTING && path.every((key, depth) => isLearnableKey(key, depth));
}

function isLearnableKey(key: string, depth: number): boolean {
  return key.length <= MAX_KEY_LENGTH && (depth === 0 || !/^(0|[1-9]\d*)$/.test(key));
}

/** A key of properties, interned: taking events apart looks up one key at a time. */
export class PathNode {
  readonly path: PropertyPath;
  readonly pointer: string;
  readonly isLearnable: boolean;
  /** Among the known properties. */
  readonly isListed: boolean;
  /** By `KINDS`; undefined: not claimed yet, null: in the map. */
  readonly slots: (number | null | undefined)[] = [undefined, undefined, undefined, undefined];
  private children: Map<string, PathNode> | null = null;

  constructor(parent: PathNode | null, key: string) {
    this.path = parent === null ? [] : [...parent.path, key];
    this.pointer = parent === null ? '' : parent.pointer + pointerStep(key);
    const depth = this.path.length;
    const isBelowListed = depth <= 1 || parent!.isListed;
    this.isListed = isBelowListed && depth <= MAX_NESTING && key.length <= MAX_KEY_LENGTH;
    const isBelowLearnable = depth <= 1 || parent!.isLearnable;
    this.isLearnable = isBelowLearnable && depth <= MAX_NESTING && isLearnableKey(key, depth - 1);
  }

  /** Beyond `room` nodes are made again each time: keys may be data. */
  child(key: string, room: { left: number }): PathNode {
    const known = this.children?.get(key);
    if (known) return known;
    const node = new PathNode(this, key);
    if (room.left <= 0) return node;
    room.left -= 1;
    this.children ??= new Map();
    this.children.set(key, node);
    return node;
  }
}
