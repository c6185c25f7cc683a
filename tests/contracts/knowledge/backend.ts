import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Embedded } from '../../../src/core/knowledge/embedder.ts';
import type { Chunk } from '../../../src/core/knowledge/reader.ts';
import type {
  ChunkBatch,
  ClaimedJob,
  Job,
  KnowledgeStore,
  Lease,
  NewJob,
  SearchPlan,
} from '../../../src/core/knowledge/store.ts';

export interface KnowledgeBackend {
  name: string;
  isShared: boolean;
  /** An engine without vectors, and one for vectors that is too slow for the rest, share the suite. */
  covers: 'everything' | 'without vectors' | 'vectors only';
  /** Where nothing is stored yet. */
  place(t: TestContext): Promise<string>;
  open(place: string): Promise<KnowledgeStore>;
  /** For leases: as if so many milliseconds had passed. */
  passTime(place: string, ms: number): Promise<void>;
  /** Its size on disk; null where an engine returns space in its own time. */
  bytes: ((place: string) => number) | null;
}

/** `vectorTest` is for tests that store vectors. */
export function suiteOf({ covers }: KnowledgeBackend): { test: typeof test; vectorTest: typeof test } {
  const leftOut = (() => undefined) as unknown as typeof test;
  return {
    test: covers === 'vectors only' ? leftOut : test,
    vectorTest: covers === 'without vectors' ? leftOut : test,
  };
}

export const ROOM = { perTenant: 100_000, total: 100_000 };
export const EMBEDDER = 'test/planted';
export const HOSTILE = 'q"\\\'; DROP TABLE chunks --\u2028😀\u202e%_*';
export const LONG_MS = 315_360_000_000;

let counter = 0;

/** Like ids of the application, they sort in the order of creation. */
export function nextId(what: string): string {
  counter += 1;
  return `${what}-${String(counter).padStart(8, '0')}`;
}

export function newJob(members: Partial<NewJob> = {}): NewJob {
  const jobId = members.jobId ?? nextId('job');
  return {
    jobId,
    documentId: `document of ${jobId}`,
    vectorStore: 'manuals',
    embedder: 'none',
    fingerprint: jobId,
    content: null,
    uploadId: `upload-of-${jobId}`,
    originalName: 'a.csv',
    size: 10,
    options: { format: 'csv', hygiene: HYGIENE },
    metadata: {},
    sourceId: null,
    agentId: 'support',
    now: counter,
    ...members,
  };
}

export const HYGIENE = {
  ...{ stripHtml: false, removeUrls: false, dropEmptyValues: false, normalizeWhitespace: false, dedupeUnits: false },
};

export function chunk(text: string, members: Partial<Chunk> = {}): Chunk {
  return { text, headings: [], place: {}, metadata: null, ...members };
}

export function planted(...vectors: number[][]): Embedded {
  return { vectors: Float32Array.from(vectors.flat()), dimensions: vectors[0]?.length ?? 0 };
}

export function batch(chunks: Chunk[], members: Partial<ChunkBatch> = {}): ChunkBatch {
  return { chunks, embedded: null, units: null, checkpoint: {}, progress: 1, notes: [], leaseMs: LONG_MS, ...members };
}

export const leaseOf = ({ job, fence }: ClaimedJob): Lease => ({ jobId: job.jobId, fence });

export function plan(members: Partial<SearchPlan> = {}): SearchPlan {
  return { store: 'manuals', text: null, vector: null, vectorWeight: 1, tests: [], limit: 10, ...members };
}

export interface Filled extends Partial<NewJob> {
  tenantId?: string;
  chunks?: Chunk[];
  vectors?: number[][];
}

/** Opens a store with helpers for most tests. */
export async function openStore(t: TestContext, backend: KnowledgeBackend, known?: string) {
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= store.close();
    return closing;
  };
  // Before the files go: hooks run in their order.
  t.after(close);
  const at = known ?? (await backend.place(t));
  const store = await backend.open(at);
  const created = async (members: Partial<NewJob> = {}, tenantId = 'one'): Promise<NewJob> => {
    const job = newJob(members);
    assert.equal((await store.createJob(tenantId, job, ROOM)).outcome, 'created');
    return job;
  };
  const claimed = async (now = 1, leaseMs = LONG_MS): Promise<ClaimedJob> => {
    const found = await store.claim({ now, leaseMs });
    assert.ok(found, 'a job waits');
    return found;
  };
  return {
    store,
    at,
    close,
    created,
    claimed,
    /** A job that is claimed; no other may be waiting. */
    begun: async (members: Partial<NewJob> = {}, tenantId = 'one') => {
      const job = await created(members, tenantId);
      const claim = await claimed();
      assert.equal(claim.job.jobId, job.jobId);
      return { job, claim, lease: leaseOf(claim) };
    },
    /** A completed document; no other job may be waiting. */
    filled: async ({ tenantId = 'one', chunks = [chunk('text')], vectors, ...members }: Filled = {}) => {
      const job = await created({ ...(vectors && { embedder: EMBEDDER }), ...members }, tenantId);
      const lease = leaseOf(await claimed());
      assert.equal(lease.jobId, job.jobId);
      const embedded = vectors ? planted(...vectors) : null;
      assert.equal(await store.commit(lease, batch(chunks, { embedded })), chunks.length);
      assert.equal(await store.complete(lease, job.now + 1), true);
      return job;
    },
    job: async (jobId: string): Promise<Job> => {
      const found = await store.findJob(jobId);
      assert.ok(found, jobId);
      return found;
    },
    /** The texts found, best first. */
    texts: async (wanted: Partial<SearchPlan>, tenantId = 'one') =>
      (await store.search(tenantId, plan(wanted)))?.hits.map(({ text }) => text),
  };
}
