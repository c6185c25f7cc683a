import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import { MAX_KEY_LENGTH, MAX_NESTING } from '../../shared/known-names.ts';
import { type ColumnCounts, KINDS, type Kind, MAX_COLUMNS } from '../tables.ts';

/* The properties of each tenant's typed columns (docs/decisions/0008-typed-columns.md). */

/** Paths of a tenant: names may be data (an id as a key). */
const MAX_PATHS = 100_000;
const EVENTS_TO_JUDGE = 20_000;
const FREQUENT = 0.01;
/** A key takes the column of one that is so many times rarer. */
const MUCH_MORE = 10;
/** Each change makes compaction rewrite the runs. */
const RELEARN_INTERVAL_MS = 3_600_000;

export interface LearnedColumn {
  index: number;
  /** Rows of earlier epochs have the path in their JSON alone. */
  since: number;
}

export class PathNode {
  readonly key: string;
  readonly path: PropertyPath;
  children: Map<string, PathNode> | null = null;
  /** Empty: not learned. A kind without a column never occurred on a learned path. */
  columns: Partial<Record<Kind, LearnedColumn>> = {};
  /** Since the tenant last relearned. */
  seen = 0;
  readonly kinds = new Set<Kind>();

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

export class TenantColumns {
  readonly number: number;
  readonly tenantId: string;
  /** Every learnable path ever seen is learned. */
  learnedAll = true;
  /** A top-level key with a dot was seen and not learned. */
  missedDotted = false;
  /** All event names are listed: their counts add up to the count of events. */
  listedAll = true;
  events = 0;
  private relearnedAt = Number.NEGATIVE_INFINITY;
  revision = 1;
  savedRevision = 0;
  private readonly roots = new Map<string, PathNode>();
  private readonly used: ColumnCounts = { text: 0, integer: 0, double: 0, boolean: 0, container: 0 };
  /** Columns of unlearned paths: old rows have values in them, so no new path is complete. */
  private readonly retired: { kind: Kind; column: LearnedColumn }[] = [];
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
  columnFor(node: PathNode, kind: Kind): LearnedColumn | null {
    const known = node.columns[kind];
    if (known) return known;
    if (!isLearnable(node.path)) return null;
    const mayLearn = this.learnedAll || node.isLearned;
    if (!mayLearn || this.used[kind] >= MAX_COLUMNS[kind]) {
      this.forget(node);
      return null;
    }
    const since = Object.values(node.columns)[0]?.since ?? 0;
    const column = { index: this.used[kind]++, since };
    node.columns[kind] = column;
    this.revision += 1;
    return column;
  }

  get mayRelearn(): boolean {
    const isTime = performance.now() - this.relearnedAt >= RELEARN_INTERVAL_MS;
    return !this.learnedAll && this.events >= EVENTS_TO_JUDGE && isTime;
  }

  /** Learns frequent paths in free columns or those of much rarer paths. */
  relearn(epoch: number): boolean {
    const nodes = [...this.nodes()];
    const frequent = nodes
      .filter((node) => !node.isLearned && isLearnable(node.path) && node.seen >= this.events * FREQUENT)
      .sort((one, other) => other.seen - one.seen);
    const learned = frequent.filter((node) => this.learnLate(node, epoch, nodes));
    for (const node of nodes) node.seen = 0;
    this.events = 0;
    if (learned.length === 0) return false;
    this.relearnedAt = performance.now();
    this.revision += 1;
    return true;
  }

  /** A retired column has an empty path. */
  *columns(): Generator<{ path: PropertyPath; kind: Kind; column: LearnedColumn }> {
    for (const { kind, column } of this.retired) yield { path: [], kind, column };
    for (const { path, columns } of this.nodes()) {
      for (const kind of KINDS) if (columns[kind]) yield { path, kind, column: columns[kind] };
    }
  }

  restore(path: PropertyPath, kind: Kind, column: LearnedColumn): void {
    let node: PathNode | null = null;
    for (const key of path) node = this.nodeAt(node, key);
    if (node) node.columns[kind] = column;
    else this.retired.push({ kind, column });
    this.used[kind] = Math.max(this.used[kind], column.index + 1);
  }

  columnsUsed(): Readonly<ColumnCounts> {
    return this.used;
  }

  private *nodes(): Generator<PathNode> {
    const waiting = [...this.roots.values()];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      yield node;
      if (node.children) waiting.push(...node.children.values());
    }
  }

  private learnLate(node: PathNode, epoch: number, nodes: PathNode[]): boolean {
    const columns: PathNode['columns'] = {};
    for (const kind of node.kinds) {
      const index = this.freeColumn(kind, node.seen, nodes);
      if (index !== null) columns[kind] = { index, since: epoch };
    }
    const isWhole = Object.keys(columns).length === node.kinds.size && node.kinds.size > 0;
    if (isWhole) node.columns = columns;
    else for (const kind of KINDS) if (columns[kind]) this.retired.push({ kind, column: columns[kind] });
    return isWhole;
  }

  private freeColumn(kind: Kind, seen: number, nodes: PathNode[]): number | null {
    if (this.used[kind] < MAX_COLUMNS[kind]) return this.used[kind]++;
    if (!this.retired.some((one) => one.kind === kind)) {
      const holders = nodes.filter((node) => node.columns[kind] && node.seen * MUCH_MORE <= seen);
      const rarest = holders.sort((one, other) => one.seen - other.seen)[0];
      if (!rarest) return null;
      this.forget(rarest);
    }
    const at = this.retired.findIndex((one) => one.kind === kind);
    return this.retired.splice(at, 1)[0]!.column.index;
  }

  private forget(node: PathNode): void {
    for (const kind of KINDS) {
      const column = node.columns[kind];
      if (column) this.retired.push({ kind, column });
    }
    if (node.isLearned) this.revision += 1;
    node.columns = {};
    this.miss(node.path);
  }

  missName(): void {
    if (!this.listedAll) return;
    this.listedAll = false;
    this.revision += 1;
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
