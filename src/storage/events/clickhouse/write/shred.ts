import type { JsonType } from '../../../../core/analytics/events/store.ts';
import type { PathNode } from '../../shared/columns.ts';
import { EventShredder } from '../../shared/shred.ts';
import type { KnownTenant } from '../../shared/tenants.ts';
import type { TenantColumns } from '../columns.ts';
import { encodedElement } from '../read/literals.ts';
import { type ColumnKind, columnName, type Kind, MAP_OF_KIND } from '../schema.ts';
import { integers, MapColumn, type NativeColumn, nativeBlock, Sparse, texts } from './native.ts';

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

/** Every node makes an equal block of equal events. */
export class Shredder extends EventShredder<TenantColumns> {
  protected readonly visitsAll = true;
  private readonly typed = new Map<string, Sparse<never>>();
  private readonly maps = newMaps();

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

  protected store({ columns }: KnownTenant<TenantColumns>, node: PathNode, value: unknown, type: JsonType): void {
    switch (type) {
      case 'string':
        this.put(columns, node, 'text', value);
        break;
      case 'number':
        // JSON has no -0 for an engine to tell apart.
        this.put(columns, node, 'number', (value as number) + 0);
        break;
      case 'boolean':
        this.put(columns, node, 'boolean', value);
        break;
      default:
        this.put(columns, node, 'container', JSON.stringify(value));
        if (type === 'array') this.putList(node, value as unknown[]);
    }
  }

  private put(columns: TenantColumns, { isLearnable, pointer }: PathNode, kind: Kind, value: unknown): void {
    const row = this.rows.length;
    const slot = isLearnable ? columns.claim(pointer, kind) : null;
    if (slot === null || kind === 'container') this.maps[MAP_OF_KIND[kind]].add(row, pointer, value as never);
    else this.column(kind, slot).add(row, value as never);
  }

  private putList(node: PathNode, list: unknown[]): void {
    const scalars = list.filter(
      (one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean',
    );
    if (scalars.length > 0)
      this.maps.lists.add(this.rows.length, node.pointer, [...new Set(scalars.map(encodedElement))]);
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

function nullableTexts(values: (string | null)[]): NativeColumn {
  const column = Sparse.texts();
  for (const [row, value] of values.entries()) if (value !== null) column.add(row, value);
  return column;
}
