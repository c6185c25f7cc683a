import type { PropertyPath } from '../../../core/analytics/events/predicates.ts';
import { MAX_KEY_LENGTH, MAX_NESTING, pointerStep } from './known-names.ts';

/**
 * The numbered columns of a tenant's properties. A path, as a JSON pointer, gets the column of a
 * kind with its first value of that kind, for ever: no value is ever moved.
 */
export class ColumnSlots<Kind extends string> {
  protected readonly slots: Record<Kind, Map<string, number>>;
  private readonly taken: Record<Kind, number>;
  private readonly max: Readonly<Record<Kind, number>>;

  constructor(max: Readonly<Record<Kind, number>>) {
    this.max = max;
    const kinds = Object.keys(max) as Kind[];
    this.slots = Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as typeof this.slots;
    this.taken = Object.fromEntries(kinds.map((kind) => [kind, 0])) as typeof this.taken;
  }

  slot(pointer: string, kind: Kind): number | undefined {
    return this.slots[kind].get(pointer);
  }

  /** The slot of a learnable path, taken if there is a free one; null: there is none. */
  claim(pointer: string, kind: Kind): number | null {
    const known = this.slots[kind].get(pointer);
    if (known !== undefined) return known;
    if (this.isFull(kind)) return null;
    const slot = this.taken[kind]++;
    this.slots[kind].set(pointer, slot);
    return slot;
  }

  /** `pointer` null: the slot is taken, and no path has it any more. */
  restore(pointer: string | null, kind: Kind, slot: number): void {
    if (pointer !== null) this.slots[kind].set(pointer, slot);
    this.taken[kind] = Math.max(this.taken[kind], slot + 1);
  }

  used(kind: Kind): number {
    return this.taken[kind];
  }

  isFull(kind: Kind): boolean {
    return this.taken[kind] >= this.max[kind];
  }
}

/** A key that looks like an index may reach into a list, whose elements have no columns. */
export function isLearnable(path: PropertyPath): boolean {
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
