import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from '../events/engines/install.ts';
import { quantile } from '../events/measure.ts';
import type { Line } from '../events/report.ts';
import { type Bench, LANCE } from './bench.ts';
import { lanceTable } from './lance-table.ts';
import { fillVectors, openVectors, type VectorSearch, type VectorStore } from './vector-store.ts';

const DIMENSIONS = 384;
const NEAREST = 10;
const QUERIES = 60;
const WARM_UP = 10;
const LANCE_BATCH = 20_000;
const STORE = 'vectors';
/** Of the compared size. The larger ones take minutes to fill and up to 2 GB of disk each. */
const OTHERS = [0.1];
const OTHERS_WHEN_NAMED = [0.1, 3, 10];
const SHARE_OF_ROWS = 1 / 100;

/** The nearest of many vectors, looked for in all of them: ours through its store's threads, LanceDB in this process. */
export async function benchVectors({ options, report, directory, isNamed }: Bench): Promise<void> {
  const rows = Math.ceil(options.rows * SHARE_OF_ROWS);
  const at = mkdtempSync(join(directory, 'vectors-'));
  try {
    report.progress(`filling both stores with ${rows} vectors`);
    const ours = await exactStore(join(at, 'ours'), rows);
    const lance = await lanceStore(join(at, 'lance'), rows, options.engines);
    const times = await inTurn({ ours: ours.search, lance: lance.search });
    await Promise.all([ours.close(), lance.close()]);
    report.table('vectors', `the ${NEAREST} nearest of ${rows} x ${DIMENSIONS}, cosine, exact`, compared(times));
    const lines: Line[] = [];
    for (const share of isNamed('vectors') ? OTHERS_WHEN_NAMED : OTHERS) {
      const count = Math.ceil(rows * share);
      report.progress(`filling ours with ${count} vectors`);
      const store = await exactStore(join(at, `ours-${count}`), count);
      const { ours: alone } = await inTurn({ ours: store.search });
      lines.push({ what: `${count} vectors`, values: milliseconds(alone) });
      await store.close();
      rmSync(join(at, `ours-${count}`), { recursive: true });
    }
    report.table('vectors', 'ours at other sizes', lines);
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

/** Milliseconds of each query, the contenders one after the other for each. Both must find the same. */
async function inTurn<Name extends string>(searches: Record<Name, VectorSearch>): Promise<Record<Name, number[]>> {
  const names = Object.keys(searches) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let index = 0; index < WARM_UP + QUERIES; index++) {
    const query = vectorOf(-1 - index);
    const answers = new Set<string>();
    for (const name of names) {
      const started = performance.now();
      const found = await searches[name](query);
      if (index >= WARM_UP) times[name].push(performance.now() - started);
      answers.add(found.join());
    }
    if (answers.size > 1) throw new Error(`Found were ${[...answers].join(' and ')}.`);
  }
  return times;
}

function compared({ ours, lance }: Record<'ours' | 'lance', number[]>): Line[] {
  const ratio = quantile(ours, 0.5) / quantile(lance, 0.5);
  return [
    {
      what: 'ours',
      values: { ...milliseconds(ours), 'x LanceDB': ratio },
      demanded: { of: 'x LanceDB', atMost: 1 },
    },
    { what: 'LanceDB 0.39.0, without an index', values: { ...milliseconds(lance), 'x LanceDB': 1 } },
  ];
}

function milliseconds(times: number[]) {
  return { 'p50 ms': quantile(times, 0.5), 'p95 ms': quantile(times, 0.95) };
}

async function exactStore(directory: string, rows: number): Promise<VectorStore> {
  await fillVectors(directory, { rows, dimensions: DIMENSIONS, of: vectorsOf });
  return openVectors(directory, NEAREST, Number.POSITIVE_INFINITY);
}

async function lanceStore(directory: string, rows: number, engines: string): Promise<VectorStore> {
  const load = await installed(engines, LANCE);
  const lance = load('@lancedb/lancedb');
  const arrow = load('apache-arrow');
  const database = await lance.connect(directory);
  // biome-ignore lint/suspicious/noExplicitAny: installed by the bench alone, and without types here
  let table: any = null;
  for (let first = 0; first < rows; first += LANCE_BATCH) {
    const numbers = Array.from({ length: Math.min(LANCE_BATCH, rows - first) }, (_, index) => first + index);
    const batch = lanceTable(
      arrow,
      { row: numbers, text: numbers.map((row) => `row ${row}`) },
      vectorsOf(numbers),
      DIMENSIONS,
    );
    if (table === null) table = await database.createTable(STORE, batch);
    else await table.add(batch);
  }
  await table.optimize();
  return {
    search: async (vector) => {
      const found = await table.vectorSearch(vector).distanceType('cosine').limit(NEAREST).toArray();
      return found.map(({ row }: { row: number }) => row);
    },
    close: async () => database.close(),
  };
}

function vectorsOf(numbers: number[]): Float32Array {
  const vectors = new Float32Array(numbers.length * DIMENSIONS);
  numbers.forEach((number, index) => {
    vectors.set(vectorOf(number), index * DIMENSIONS);
  });
  return vectors;
}

/** Of length 1, the same for the same number. */
function vectorOf(number: number): Float32Array {
  let state = (number + 0x9e3779b9) | 0;
  const vector = Float32Array.from({ length: DIMENSIONS }, () => {
    // The generator mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32 - 0.5;
  });
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
