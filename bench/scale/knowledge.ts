import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testsOf } from '../../src/core/knowledge/filter.ts';
import type { KnowledgeStore, SearchPlan } from '../../src/core/knowledge/store.ts';
import { openPostgresKnowledge } from '../../src/storage/knowledge/postgres/store.ts';
import { openKnowledgeStore } from '../../src/storage/knowledge/sqlite/thread.ts';
import { openPostgres } from '../../src/storage/state/postgres/database.ts';
import { startPglite } from '../../tests/support/pglite.ts';
import { startPostgres } from '../../tests/support/postgres.ts';

/*
 * `node bench/scale/knowledge.ts [CHUNKS [VECTORS]]`: search on PostgreSQL against SQLite's, in one run, as ratios of medians. The
 * contenders alternate. Words run on a server; vectors on PGlite (WebAssembly, one session): its times are upper bounds.
 */

const CHUNKS = Number(process.argv[2] ?? 50_000);
/** Fewer: filling PGlite takes minutes. */
const VECTORS = Number(process.argv[3] ?? CHUNKS / 5);
const BATCH = 500;
const DIMENSIONS = 64;
const RUNS = 15;
const TENANT = 'bench';
const HYGIENE = {
  ...{ stripHtml: false, removeUrls: false, dropEmptyValues: false, normalizeWhitespace: false, dedupeUnits: false },
};

const random = numbers(42);
/** As in texts of people: few common words, many rare ones. */
const word = () => `w${Math.floor(30_000 * random() ** 4).toString(36)}`;
const words = (count: number) => Array.from({ length: count }, word).join(' ');

const plan = (members: Partial<SearchPlan>): SearchPlan => ({
  ...{ store: 'bench', text: null, vector: null, vectorWeight: 0, tests: [], limit: 10, ...members },
});

const ends: (() => unknown)[] = [];
const scope = { after: (end: unknown) => ends.push(end as () => unknown) } as never;
const directory = mkdtempSync(join(tmpdir(), 'bench-knowledge-'));
try {
  const sqlite = openKnowledgeStore(directory, { onFault: (error) => console.error(error) });
  ends.push(() => sqlite.close());
  const server = await onPostgres(await (await startPostgres(scope)).database(), CHUNKS);
  await compare('words', sqlite, { PostgreSQL: server }, { embedder: 'none', chunks: CHUNKS }, () => ({
    'three words': plan({ text: words(3) }),
    'eight words': plan({ text: words(8) }),
    'two rare words': plan({ text: `w${(20_000).toString(36)} w${(25_000).toString(36)}` }),
    'filtered, 1 in 20': plan({ text: words(3), tests: testsOf({ part: 3 }) }),
    'a misspelt word': plan({ text: `w${(20_000).toString(36)}x` }),
  }));
  const { url } = await startPglite(scope);
  const exact = await onPostgres(url, Number.MAX_SAFE_INTEGER);
  const indexed = await onPostgres(url, VECTORS / 100);
  await compare('vectors', sqlite, { exact, HNSW: indexed }, { embedder: 'bench', chunks: VECTORS }, () => ({
    'nearest 10': plan({ store: 'vectors', vector: vectorOf() }),
    'nearest 10, filter 1 in 20': plan({ store: 'vectors', vector: vectorOf(), tests: testsOf({ part: 3 }) }),
  }));
} finally {
  for (const end of ends.toReversed()) await end();
  rmSync(directory, { recursive: true, force: true });
}

async function onPostgres(url: string, exactVectors: number) {
  const { pool, close } = await openPostgres({ url, connections: 4 });
  const store = openPostgresKnowledge(pool, { onFault: (error) => console.error(error), exactVectors });
  ends.push(async () => {
    await store.close();
    await close();
  });
  return { ...store, analyze: () => pool.query('VACUUM ANALYZE') };
}

type Server = Awaited<ReturnType<typeof onPostgres>>;
type Corpus = { embedder: string; chunks: number };

/** Both filled with the same; each question asked of all in turn. */
async function compare(
  title: string,
  sqlite: KnowledgeStore,
  servers: Record<string, Server>,
  corpus: Corpus,
  questions: () => Record<string, SearchPlan>,
): Promise<void> {
  const [first] = Object.values(servers) as [Server];
  const filled = await fill([sqlite, first], corpus);
  console.log(
    `${title}: ${corpus.chunks} chunks; filled in ${filled.map((ms) => (ms / 1_000).toFixed(1)).join(' and ')} s`,
  );
  await first.analyze();
  for (const server of Object.values(servers)) await server.upkeep();
  const contenders: [string, KnowledgeStore][] = [['SQLite', sqlite], ...Object.entries(servers)];
  const times = new Map<string, number[]>();
  for (let run = 0; run < RUNS; run += 1) {
    for (const [question, wanted] of Object.entries(questions())) {
      let best: string | undefined;
      for (const [name, store] of contenders) {
        const started = performance.now();
        const answer = await store.search(TENANT, wanted);
        const key = `${question}\t${name}`;
        if (run > 0) times.set(key, [...(times.get(key) ?? []), performance.now() - started]);
        best ??= answer?.hits[0]?.text;
        if (name !== 'HNSW' && answer?.hits[0]?.text !== best)
          throw new Error(`${question}: ${name} found something else`);
      }
    }
  }
  for (const question of Object.keys(questions())) {
    const medians = contenders.map(([name]) => ({ name, ms: median(times.get(`${question}\t${name}`)!) }));
    const shown = medians.map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms (${(ms / medians[0]!.ms).toFixed(1)})`);
    console.log(`  ${question.padEnd(28)} ${shown.join(', ')}`);
  }
}

async function fill(stores: KnowledgeStore[], { embedder, chunks }: Corpus): Promise<number[]> {
  const vectorStore = embedder === 'none' ? 'bench' : 'vectors';
  const spent = stores.map(() => 0);
  const leases = [];
  for (const store of stores) {
    const job = {
      jobId: `job ${embedder}`,
      documentId: `document ${embedder}`,
      vectorStore,
      embedder,
      fingerprint: embedder,
      content: null,
    };
    await store.createJob(
      TENANT,
      {
        ...{ ...job, uploadId: embedder, originalName: 'bench.csv', size: 1, metadata: {}, sourceId: null },
        ...{ agentId: 'bench', now: 1, options: { format: 'csv', hygiene: HYGIENE } },
      },
      { perTenant: 10, total: 10 },
    );
    const claim = await store.claim({ now: 1, leaseMs: 86_400_000 });
    leases.push({ jobId: job.jobId, fence: claim!.fence });
  }
  for (let from = 0; from < chunks; from += BATCH) {
    const count = Math.min(BATCH, chunks - from);
    const texts = Array.from({ length: count }, (_, index) => ({
      ...{ text: words(40 + Math.floor(60 * random())), headings: [], place: {} },
      metadata: { part: (from + index) % 20 },
    }));
    const vectors = new Float32Array(texts.flatMap(() => [...vectorOf()]));
    for (const [index, store] of stores.entries()) {
      const started = performance.now();
      await store.commit(leases[index]!, {
        ...{
          chunks: texts,
          units: null,
          notes: [],
          checkpoint: {},
          progress: (from + count) / chunks,
          leaseMs: 86_400_000,
        },
        embedded: embedder === 'none' ? null : { vectors, dimensions: DIMENSIONS },
      });
      spent[index]! += performance.now() - started;
    }
  }
  for (const [index, store] of stores.entries()) await store.complete(leases[index]!, 2);
  return spent;
}

/** Around 200 centres, as meanings are. */
function vectorOf(): Float32Array {
  const centre = numbers(1 + Math.floor(random() * 200));
  return Float32Array.from({ length: DIMENSIONS }, () => centre() - 0.5 + (random() - 0.5) / 2);
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

/** Park and Miller's generator. */
function numbers(seed: number): () => number {
  let state = (seed * 7_919) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
