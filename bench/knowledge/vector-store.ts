import { mkdirSync } from 'node:fs';
import type { KnowledgeStore, Lease } from '../../src/core/knowledge/store.ts';
import { openKnowledgeStore } from '../../src/storage/knowledge/sqlite/thread.ts';
import { CSV_OPTIONS } from './bench.ts';

const TENANT = 'bench';
const STORE = 'vectors';
const BATCH = 500;

/** Rows of the nearest vectors, nearest first. */
export type VectorSearch = (query: Float32Array) => Promise<number[]>;

export interface VectorStore {
  search: VectorSearch;
  close(): Promise<void>;
}

export interface Vectors {
  rows: number;
  dimensions: number;
  /** The vectors of rows, one after the other. */
  of(rows: number[]): Float32Array;
}

/** Our store, through its threads. With more vectors than `exactVectors` it is searched by bits. */
export function openVectors(directory: string, nearest: number, exactVectors?: number): VectorStore {
  const store = openKnowledgeStore(directory, { onFault: (error) => console.error(error), exactVectors });
  return {
    search: async (vector) => {
      const plan = { store: STORE, text: null, vector, vectorWeight: 1, tests: [], limit: nearest };
      const answer = await store.search(TENANT, plan);
      return answer!.hits.map(({ place }) => place.row!);
    },
    close: () => store.close(),
  };
}

/** Fills a store of a new directory as a job of a CSV stores its rows. */
export async function fillVectors(directory: string, vectors: Vectors): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const store = openKnowledgeStore(directory, {
    onFault: (error) => console.error(error),
    exactVectors: Number.POSITIVE_INFINITY,
  });
  await fill(store, vectors);
  await store.close();
}

async function fill(store: KnowledgeStore, { rows, dimensions, of }: Vectors): Promise<void> {
  const now = Date.now();
  const leaseMs = 3_600_000;
  await store.createJob(
    TENANT,
    {
      ...{
        jobId: 'job',
        documentId: 'document',
        vectorStore: STORE,
        embedder: 'bench',
        fingerprint: 'bench',
        content: null,
      },
      ...{ uploadId: 'upload', originalName: 'bench.csv', size: rows, options: CSV_OPTIONS },
      ...{ metadata: {}, sourceId: null, agentId: 'bench', now },
    },
    { perTenant: 1, total: 1 },
  );
  const { fence } = (await store.claim({ now, leaseMs }))!;
  const lease: Lease = { jobId: 'job', fence };
  for (let first = 0; first < rows; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, rows - first) }, (_, index) => first + index);
    await store.commit(lease, {
      chunks: numbers.map((row) => ({ text: `row ${row}`, headings: [], place: { row }, metadata: null })),
      embedded: { vectors: of(numbers), dimensions },
      units: null,
      notes: [],
      checkpoint: {},
      progress: (first + numbers.length) / rows,
      leaseMs,
    });
  }
  await store.complete(lease, now);
}
