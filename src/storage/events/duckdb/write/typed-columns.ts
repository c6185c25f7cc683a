import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import { MAX_KEY_LENGTH, MAX_NESTING } from '../../shared/known-names.ts';
import { type ColumnCounts, KINDS, type Kind, MAX_COLUMNS } from '../tables.ts';

/** Paths of a tenant: names may be data (an id as a key). */
const MAX_PATHS = 100_000;

export class PathNode {
  readonly key: string;
  readonly path: PropertyPath;
  children: Map<string, PathNode> | null = null;
  /** The index of each kind's column. A kind without one never occurred on a learned path. */
  columns: Partial<Record<Kind, number>> = {};

  constructor(path: PropertyPath) {
    this.path = path;
    this.key = path.at(-1)!;
  }

  get isLearned(): boolean {
    for (const _ in this.columns) return true;
    return false;
  }
}

export type ColumnLocation = { kind: 'columns'; columns: PathNode['columns'] } | { kind: 'json' } | { kind: 'absent' };

/**
 * The columns of a tenant's properties. A path gets the column of a kind with its first value of
 * that kind, for ever. Once a value finds no free column, its path is read from the JSON, and so
 * are all later paths (docs/decisions/0052-columns-are-learned-once.md).
 */
export class TenantColumns {
  readonly number: number;
  readonly tenantId: string;
  /** Every learnable path ever seen is learned. */
  learnedAll = true;
  /** A top-level key with a dot was seen and not learned. */
  missedDotted = false;
  /** All event names are listed: their counts add up to the count of events. */
  listedAll = true;
  revision = 1;
  savedRevision = 0;
  private readonly roots = new Map<string, PathNode>();
  private readonly used: ColumnCounts = { text: 0, integer: 0, double: 0, boolean: 0, container: 0 };
  /** Columns of unlearned paths: old rows have values in them, so no other path takes them. */
  private readonly retired: { kind: Kind; index: number }[] = [];
  private paths = 0;

  constructor(number: number, tenantId: string) {
    this.number = number;
    this.tenantId = tenantId;
  }

  /** `absent` only if that is certain. */
  locate(path: PropertyPath): ColumnLocation {
    if (!isLearnable(path)) return { kind: 'json' };
    const node = this.find(path);
    if (node?.isLearned) return { kind: 'columns', columns: node.columns };
    if (this.learnedAll) return { kind: 'absent' };
    const isDotted = path.length === 1 && path[0]!.includes('.');
    return isDotted && !this.missedDotted ? { kind: 'absent' } : { kind: 'json' };
  }

  /** `parent` null: the properties object. Returns null beyond the limits. */
  nodeAt(parent: PathNode | null, key: string): PathNode | null {
    const known = (parent === null ? this.roots : parent.children)?.get(key);
    if (known) return known;
    const path = parent === null ? [key] : [...parent.path, key];
    if (key.length > MAX_KEY_LENGTH) return null;
    if (this.paths >= MAX_PATHS) {
      this.miss(path);
      return null;
    }
    const node = new PathNode(path);
    const siblings = parent === null ? this.roots : (parent.children ?? new Map<string, PathNode>());
    siblings.set(key, node);
    if (parent !== null) parent.children = siblings;
    this.paths += 1;
    return node;
  }

  /** Learns a new path. Null: the path is in the JSON alone. */
  columnFor(node: PathNode, kind: Kind): number | null {
    const known = node.columns[kind];
    if (known !== undefined) return known;
    if (!isLearnable(node.path)) return null;
    const mayLearn = this.learnedAll || node.isLearned;
    if (!mayLearn || this.used[kind] >= MAX_COLUMNS[kind]) {
      this.unlearn(node);
      return null;
    }
    const index = this.used[kind]++;
    node.columns[kind] = index;
    this.revision += 1;
    return index;
  }

  /** A retired column has an empty path. */
  *columns(): Generator<{ path: PropertyPath; kind: Kind; index: number }> {
    for (const { kind, index } of this.retired) yield { path: [], kind, index };
    for (const { path, columns } of this.nodes()) {
      for (const kind of KINDS) {
        const index = columns[kind];
        if (index !== undefined) yield { path, kind, index };
      }
    }
  }

  restore(path: PropertyPath, kind: Kind, index: number): void {
    let node: PathNode | null = null;
    for (const key of path) node = this.nodeAt(node, key);
    if (node) node.columns[kind] = index;
    else this.retired.push({ kind, index });
    this.used[kind] = Math.max(this.used[kind], index + 1);
  }

  columnsUsed(): Readonly<ColumnCounts> {
    return this.used;
  }

  missName(): void {
    if (!this.listedAll) return;
    this.listedAll = false;
    this.revision += 1;
  }

  private *nodes(): Generator<PathNode> {
    const waiting = [...this.roots.values()];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      yield node;
      if (node.children) waiting.push(...node.children.values());
    }
  }

  private unlearn(node: PathNode): void {
    for (const kind of KINDS) {
      const index = node.columns[kind];
      if (index !== undefined) this.retired.push({ kind, index });
    }
    if (node.isLearned) this.revision += 1;
    node.columns = {};
    this.miss(node.path);
  }

  private miss(path: PropertyPath): void {
    const isDotted = path.length === 1 && path[0]!.includes('.');
    if (!this.learnedAll && (!isDotted || this.missedDotted)) return;
    this.learnedAll = false;
    this.missedDotted ||= isDotted;
    this.revision += 1;
  }

  private find(path: PropertyPath): PathNode | undefined {
    let siblings: Map<string, PathNode> | undefined = this.roots;
    let node: PathNode | undefined;
    for (const key of path) {
      node = siblings?.get(key);
      siblings = node?.children ?? undefined;
    }
    return node;
  }
}

/** A key that looks like an index may reach into an array, whose elements have no columns. */
function isLearnable(path: PropertyPath): boolean {
  if (path.length > MAX_NESTING) return false;
  return path.every((key, depth) => key.length <= MAX_KEY_LENGTH && (depth === 0 || !/^(0|[1-9]\d*)$/.test(key)));
}
