import type { EventStore, StoredEvent } from '../../src/core/analytics/events/store.ts';
import { DuckdbEventStore } from '../../src/storage/events/duckdb/store.ts';
import { median } from '../events/measure.ts';
import type { Line, Report } from '../events/report.ts';
import type { ScaleEngines } from './engines.ts';

const PROPERTIES = JSON.stringify({
  ...{ plan: 'pro', amount: 129.9, currency: 'BRL', channel: 'whatsapp', region: 'sudeste' },
  ...{ tokens: 1834, latencyMs: 912, tool: 'search_orders', ok: true, note: 'pedido entregue no prazo' },
});

const SHAPES = [
  { size: 1, clients: 64, ids: true, atLeast: 0.5 },
  { size: 100, clients: 8, ids: true, atLeast: 0.8 },
  { size: 500, clients: 8, ids: true, atLeast: 1 },
  { size: 500, clients: 8, ids: false, atLeast: 0.5 },
];

let serial = 0;

function batchOf(size: number, idFromCaller: boolean): StoredEvent[] {
  return Array.from({ length: size }, () => {
    serial += 1;
    return {
      id: `id-${serial}-abcdefgh`,
      idFromCaller,
      agentId: 'support',
      eventName: 'purchase',
      timestamp: 1_700_000_000_000 + serial,
      threadId: `t${serial % 5_000}`,
      executionId: null,
      properties: PROPERTIES,
    };
  });
}

/** Accepted events a second, while both stores make them visible. */
export async function benchAccept(
  report: Report,
  engines: ScaleEngines,
  { directory, rounds, seconds }: { directory: string; rounds: number; seconds: number },
): Promise<void> {
  const limits = { dedupWindowMs: 1e9, queryTimeoutMs: 30_000, memoryLimit: 1e9, backlogLimit: 4e9 };
  const files = await DuckdbEventStore.open({ directory, ...limits });
  const { store, close } = await engines.open();
  const lines: Line[] = [];
  for (const { size, clients, ids, atLeast } of SHAPES) {
    const rates = { files: [] as number[], scale: [] as number[], through: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      const shape = { size, clients, ids, seconds: round === 0 ? 1 : seconds };
      const ofFiles = await flatOut(files, shape);
      const ofScale = await flatOut(store, shape);
      if (round === 0) continue;
      rates.files.push(ofFiles.accepted);
      rates.scale.push(ofScale.accepted);
      rates.through.push(ofScale.through);
    }
    const [own, other] = [median(rates.scale), median(rates.files)];
    lines.push({
      what: `${clients} × ${size}, ${ids ? 'with' : 'without'} caller ids`,
      values: { files: other, PostgreSQL: own, ratio: own / other, 'until visible': median(rates.through) },
      demanded: { of: 'ratio', atLeast },
    });
  }
  await files.close();
  await close();
  report.table('scale', 'accepted events/s, against the store in files', lines);
}

interface Load {
  size: number;
  clients: number;
  ids: boolean;
  seconds: number;
}

/** Events a second until accepted, and until the last of them is visible. */
async function flatOut(store: EventStore, { size, clients, ids, seconds }: Load) {
  const started = performance.now();
  const until = started + seconds * 1_000;
  let events = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) {
        await store.append('t', batchOf(size, ids));
        events += size;
      }
    }),
  );
  const accepted = events / ((performance.now() - started) / 1_000);
  // A backlog of the last shape would slow the next one down.
  for (let tries = 0; tries < 10; tries += 1)
    if (
      await store.settle().then(
        () => true,
        () => false,
      )
    )
      break;
  return { accepted, through: events / ((performance.now() - started) / 1_000) };
}
