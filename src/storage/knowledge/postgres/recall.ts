import type { Ranked } from '../../../core/knowledge/selection.ts';
import type { PostgresPool } from '../../state/postgres/pool.ts';
import {
  CANDIDATES_TRIED,
  decided,
  type MeasuredRecall,
  NEAREST,
  recallOf,
  SAMPLED,
  WANTED_RECALL,
} from '../rows/recall.ts';
import { Values } from './values.ts';
import { nearestExact, nearestIndexed } from './vectors.ts';

/**
 * Looks for vectors of a store among all others, exactly and by its index, and finds how many
 * candidates are needed.
 */
export async function measureRecall(
  pool: PostgresPool,
  { id: store, vectors }: { id: number; vectors: number },
  signal: AbortSignal,
): Promise<MeasuredRecall> {
  const { rows: samples } = await pool.query<{ chunk: number; embedding: string }>(
    `SELECT chunk, embedding::text AS embedding FROM knowledge_vectors WHERE chunk IN
        (SELECT chunk FROM knowledge_vectors WHERE store = $1 ORDER BY hashint8(chunk) LIMIT ${SAMPLED})`,
    [store],
  );
  const each = async (search: (asked: Parameters<typeof nearestExact>[1]) => Promise<Ranked[]>) => {
    const found: number[][] = [];
    for (const { chunk, embedding } of samples) {
      signal.throwIfAborted();
      const vector = Float32Array.from(JSON.parse(embedding) as number[]);
      const near = await search({ store, vector, limit: NEAREST + 1, condition: null, values: new Values() });
      found.push(near.map(({ id }) => id).filter((id) => id !== chunk));
    }
    return found.map((ids) => ids.slice(0, NEAREST));
  };
  const exact = await each((asked) => nearestExact(pool, asked));
  let measured = decided(0, 0, vectors);
  for (const candidates of CANDIDATES_TRIED) {
    if (measured.recall >= WANTED_RECALL) break;
    const found = await each((asked) => pool.transaction((client) => nearestIndexed(client, asked, candidates)));
    measured = decided(candidates, recallOf(exact, found), vectors);
  }
  return measured;
}
