import { agentOf, type Served, serve } from '../support.ts';
import type { Bench } from './bench.ts';
import { PART } from './ingest-part.ts';
import { median } from './measure.ts';
import type { Line } from './report.ts';
import { bodyOf, queryable, type Sender, send } from './traffic.ts';

/** Batch sizes with their connections and requirements. */
const SIZES = [
  { batch: 1, connections: 32, atLeast: 2 },
  { batch: 10, connections: 32, atLeast: 2 },
  { batch: 100, connections: 16, atLeast: 2 },
  { batch: 1_000, connections: 4, atLeast: 1.2 },
];

/** Accepted events a second, against one DuckDB commit per request behind the same HTTP. */
export async function benchAcceptance(bench: Bench, product: Served, sender: Sender): Promise<void> {
  const direct = await serve('direct');
  const directSender = { agent: agentOf(64), url: direct.url };
  const lines: Line[] = [];
  for (const ids of [false, true]) {
    for (const { batch, connections, atLeast } of SIZES) {
      const rates: Record<'product' | 'direct' | 'through', number[]> = { product: [], direct: [], through: [] };
      // One round to warm up.
      for (let round = 0; round <= bench.options.rounds; round++) {
        const load = { batch, ids, connections, seconds: round === 0 ? 1 : bench.options.seconds };
        const ours = await flatOut(sender, product.key, load, true);
        const theirs = await flatOut(directSender, direct.key, load, false);
        if (round === 0) continue;
        rates.product.push(ours.accepted);
        rates.through.push(ours.through);
        rates.direct.push(theirs.accepted);
      }
      const [own, other] = [median(rates.product), median(rates.direct)];
      lines.push({
        what: `batches of ${batch}, ${ids ? 'with' : 'without'} caller ids`,
        values: { 'commit each': other, ours: own, ratio: own / other, 'ours until visible': median(rates.through) },
        demanded: { of: 'ratio', atLeast },
      });
    }
  }
  directSender.agent.destroy();
  await direct.stop();
  bench.report.table(PART, 'accepted events/s, against one DuckDB commit per request', lines);
}

interface Load {
  batch: number;
  ids: boolean;
  connections: number;
  seconds: number;
}

/** Events a second until accepted, and until the last of them can be queried. */
async function flatOut(sender: Sender, key: string, load: Load, wait: boolean) {
  const started = performance.now();
  const until = started + load.seconds * 1_000;
  let events = 0;
  const receipts = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      let receipt = '';
      while (performance.now() < until) {
        receipt = await send(sender, key, bodyOf(load.batch, load.ids));
        events += load.batch;
      }
      return receipt;
    }),
  );
  const accepted = (events / (performance.now() - started)) * 1_000;
  // A running flush must not slow down the other contender, which is next.
  if (wait) for (const receipt of receipts) await queryable(sender, key, receipt);
  return { accepted, through: (events / (performance.now() - started)) * 1_000 };
}
