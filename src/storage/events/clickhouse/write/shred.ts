import type { StoredEvent } from '../../../../core/analytics/events/store.ts';
import { checkedProperties } from '../../shared/checked-event.ts';
import type { PathNode } from '../columns.ts';
import { encodedElement } from '../read/literals.ts';
import { type ColumnKind, columnName, KINDS, type Kind, MAP_OF_KIND } from '../schema.ts';
import type { FlushTenant, SeenNames } from './known.ts';
import { integers, MapColumn, type NativeColumn, nativeBlock, Sparse, texts } from './native.ts';

interface Row {
  tenant: number;
  position: number;
  event: StoredEvent;
}

/** Values are added by kind alone: `put` has checked their type. */
const NEW_COLUMN = {
  text: Sparse.texts,
  number: Sparse.numbers,
  boolean: Sparse.booleans,
} as unknown as Record<ColumnKind, () => Sparse<never>>;

const newMaps = () => ({
  texts: MapColumn.texts(),
  numbers: MapColumn.numbers(),
  booleans: MapColumn.booleans(),
  containers: MapColumn.texts(),
  lists: MapColumn.lists(),
});

/**
 * Takes events apart into columns. The same events give the same block, whichever node takes them
 * apart.
 */
export class Shredder {
  private readonly rows: Row[] = [];
  private readonly typed = new Map<string, Sparse<never>>();
  private readonly maps = newMaps();

  get events(): number {
    return this.rows.length;
  }

  /** Throws for an event that the engine would refuse; it leaves no trace. */
  add(tenant: FlushTenant, position: number, event: StoredEvent, seenNames: SeenNames): void {
    const properties = checkedProperties(event);
    const names = seenNames.note(tenant, event);
    this.visit(tenant, tenant.root, properties, (node, value) => names?.note(node, value));
    this.rows.push({ tenant: tenant.number, position, event });
  }

  /** `flush` and its id are the same in every row. */
  block(flush: number, flushId: string): Buffer {
    const { rows } = this;
    const all = <Value>(value: Value) => rows.map(() => value);
    const columns = new Map<string, NativeColumn>([
      ['tenant', integers(rows.map(({ tenant }) => tenant))],
      ['flush', integers(all(flush))],
      ['flush_id', texts(all(flushId))],
      ['position', integers(rows.map(({ position }) => position))],
      ['agent_id', texts(rows.map(({ event }) => event.agentId))],
      ['event_name', texts(rows.map(({ event }) => event.eventName))],
      ['timestamp', integers(rows.map(({ event }) => event.timestamp))],
      ['id', texts(rows.map(({ event }) => event.id))],
      ['thread_id', nullableTexts(rows.map(({ event }) => event.threadId))],
      ['execution_id', nullableTexts(rows.map(({ event }) => event.executionId))],
      ['properties', texts(rows.map(({ event }) => event.properties))],
      ...this.typed,
      ...Object.entries(this.maps).filter(([, map]) => !map.isEmpty),
    ]);
    return nativeBlock(columns, rows.length);
  }

  /** The columns of a block, for the statement that inserts it. */
  get columnNames(): string[] {
    return [
      ...['tenant', 'flush', 'flush_id', 'position', 'agent_id', 'event_name', 'timestamp', 'id'],
      ...['thread_id', 'execution_id', 'properties'],
      ...this.typed.keys(),
      ...Object.entries(this.maps).flatMap(([name, map]) => (map.isEmpty ? [] : [name])),
    ];
  }

  /** JSON null counts as absent. */
  private visit(
    tenant: FlushTenant,
    parent: PathNode,
    container: object,
    note: (node: PathNode, value: unknown) => void,
  ): void {
    for (const key of Object.keys(container)) {
      const value = (container as Record<string, unknown>)[key];
      if (value === null) continue;
      const node = parent.child(key, tenant.room);
      this.store(tenant, node, value);
      note(node, value);
      if (typeof value !== 'object') continue;
      // Elements of lists can be asked for by their index, but are not listed.
      this.visit(tenant, node, value as object, Array.isArray(value) ? () => undefined : note);
    }
  }

  private store(tenant: FlushTenant, node: PathNode, value: unknown): void {
    const row = this.rows.length;
    switch (typeof value) {
      case 'string':
        this.put(tenant, node, 'text', row, value);
        break;
      case 'number':
        // JSON has no -0 for an engine to tell apart.
        this.put(tenant, node, 'number', row, value + 0);
        break;
      case 'boolean':
        this.put(tenant, node, 'boolean', row, value);
        break;
      default:
        this.put(tenant, node, 'container', row, JSON.stringify(value));
        if (Array.isArray(value)) this.putList(node, row, value);
    }
  }

  private put(tenant: FlushTenant, node: PathNode, kind: Kind, row: number, value: unknown): void {
    const slot = slotOf(tenant, node, kind);
    if (slot === null || kind === 'container') this.maps[MAP_OF_KIND[kind]].add(row, node.pointer, value as never);
    else this.column(kind, slot).add(row, value as never);
  }

  private putList(node: PathNode, row: number, list: unknown[]): void {
    const scalars = list.filter(
      (one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean',
    );
    if (scalars.length > 0) this.maps.lists.add(row, node.pointer, [...new Set(scalars.map(encodedElement))]);
  }

  private column(kind: ColumnKind, slot: number): Sparse<never> {
    const name = columnName(kind, slot);
    let column = this.typed.get(name);
    if (!column) {
      column = NEW_COLUMN[kind]();
      this.typed.set(name, column);
    }
    return column;
  }
}

function slotOf(tenant: FlushTenant, node: PathNode, kind: Kind): number | null {
  if (!node.isLearnable) return null;
  const at = KINDS.indexOf(kind);
  const known = node.slots[at];
  if (known !== undefined) return known;
  const slot = tenant.columns.claim(node.pointer, kind);
  node.slots[at] = slot;
  return slot;
}

function nullableTexts(values: (string | null)[]): NativeColumn {
  const column = Sparse.texts();
  for (const [row, value] of values.entries()) if (value !== null) column.add(row, value);
  return column;
}
