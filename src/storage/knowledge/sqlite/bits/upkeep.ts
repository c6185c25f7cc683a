import type { Statements } from '../../../state/sqlite/prepared.ts';
import { type MeasuredRecall, WANTED_RECALL } from '../../rows/recall.ts';
import type { SqliteClient } from '../client.ts';
import { addBlock, type IndexedStore } from './blocks.ts';
import { BitsIndex } from './index.ts';
import { measureBits } from './recall.ts';

/** Bits of a vector: more where fewer find too little. */
const BITS = [512, 1_024, 2_048];

type StoreRow = IndexedStore & { measured: number };

/** Makes the bits of stores that have grown large, in portions, and measures what they find. */
export class BitsUpkeep {
  private readonly client: SqliteClient;
  private readonly statements: Statements;
  private readonly exactVectors: number;
  private readonly index: BitsIndex;
  /** Stores to be looked at; null: not known yet. */
  private waiting: Set<number> | null = null;
  private measuring: { store: number; portions: Generator<void, MeasuredRecall, void> } | null = null;

  constructor(client: SqliteClient, exactVectors: number) {
    this.client = client;
    this.statements = client.statements;
    this.exactVectors = exactVectors;
    this.index = new BitsIndex(this.statements, 0);
  }

  /** Chunks were added to a store. */
  grew(store: number): void {
    this.waiting?.add(store);
  }

  /** Does a portion. Returns false if nothing is left. */
  step(): Promise<boolean> {
    return this.client.transaction(async () => {
      this.waiting ??= this.largeStores();
      const [store] = this.waiting;
      if (store !== undefined && !this.advance(store)) this.waiting.delete(store);
      return this.waiting.size > 0;
    }, 'unsynced');
  }

  private largeStores(): Set<number> {
    const rows = this.statements.of('SELECT store FROM documents GROUP BY store HAVING sum(chunks) > ?');
    return new Set((rows.all(this.exactVectors) as { store: number }[]).map(({ store }) => store));
  }

  private advance(id: number): boolean {
    const store = this.statements
      .of(
        `SELECT id, dimensions, coalesce(bits, ${BITS[0]}) AS bits, measured FROM stores
          WHERE id = ? AND dropped_at IS NULL AND dimensions IS NOT NULL
          AND (SELECT sum(chunks) FROM documents WHERE store = stores.id) > ?`,
      )
      .get(id, this.exactVectors) as StoreRow | undefined;
    if (!store) return false;
    return addBlock(this.statements, store) || this.measure(store);
  }

  /** The first time, and whenever the store has doubled. */
  private measure(store: StoreRow): boolean {
    const { vectors } = this.statements
      .of('SELECT coalesce(sum(vectors), 0) AS vectors FROM bits WHERE store = ?')
      .get(store.id) as { vectors: number };
    if (vectors === 0 || vectors < 2 * store.measured) return false;
    if (this.measuring?.store !== store.id) {
      this.measuring = { store: store.id, portions: measureBits(this.statements, this.index, store) };
    }
    const { done, value } = this.measuring.portions.next();
    if (!done) return true;
    this.measuring = null;
    const more = BITS[BITS.indexOf(store.bits) + 1];
    if (value.recall < WANTED_RECALL && more !== undefined) this.startAgain(store.id, more);
    else this.note(store, value);
    return true;
  }

  private startAgain(store: number, bits: number): void {
    this.statements.of('DELETE FROM bits WHERE store = ?').run(store);
    this.statements.of('UPDATE stores SET bits = ?, candidates = NULL, measured = 0 WHERE id = ?').run(bits, store);
  }

  private note({ id, bits }: StoreRow, { candidates, recall, vectors }: MeasuredRecall): void {
    this.statements
      .of('UPDATE stores SET bits = ?, candidates = ?, recall = ?, measured = ? WHERE id = ?')
      .run(bits, candidates, recall, vectors, id);
  }
}
