import type { TestContext } from 'node:test';
import type { StoredEvent } from '../../../src/core/analytics/events/store.ts';
import type { Embedded, Embedder } from '../../../src/core/knowledge/embedder.ts';
import { Ingestion } from '../../../src/core/knowledge/ingestion.ts';
import { JobRun } from '../../../src/core/knowledge/job-run.ts';
import type { DocumentReader, Position, ReadTask } from '../../../src/core/knowledge/reader.ts';
import type { Job, KnowledgeStore, NewJob } from '../../../src/core/knowledge/store.ts';
import type { UploadStore } from '../../../src/core/knowledge/uploads.ts';
import { openKnowledgeStore } from '../../../src/storage/knowledge/sqlite/thread.ts';
import { chunk, newJob, plan, ROOM } from '../../contracts/knowledge/backend.ts';
import { passTime } from '../../storage/knowledge/sqlite/backend.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { outboxBefore } from '../../support/outbox.ts';

export const STAYS = new AbortController().signal;
export const FAKE = 'test/fake';
/** Instead of a slice: the reader crashes there, as if out of memory. */
export const CRASH = 'crash';

/** Slices of texts, or what happens instead of reading one. */
export type FakeDocument = (string[] | typeof CRASH | (() => Promise<string[]>))[];

export class FakeReader implements DocumentReader {
  readonly documents = new Map<string, FakeDocument>();
  readonly prepared: string[] = [];
  readonly slicesRead: number[] = [];

  async columns(): Promise<string[]> {
    return [];
  }

  async prepare(path: string) {
    this.prepared.push(path);
    return { path };
  }

  async read(prepared: object, from: Position | null, { signal }: Pick<ReadTask, 'signal'>) {
    signal.throwIfAborted();
    const slices = this.documents.get((prepared as { path: string }).path)!;
    const index = (from as number | null) ?? 0;
    this.slicesRead.push(index);
    const slice = slices[index] ?? [];
    if (slice === CRASH) throw new Error('The thread has ended: out of memory');
    const texts = typeof slice === 'function' ? await slice() : slice;
    const next = index + 1 < slices.length ? index + 1 : null;
    return { chunks: texts.map((text) => chunk(text)), next, done: (index + 1) / slices.length };
  }
}

export const vectorOf = (text: string): [number, number] => {
  const angle = (Number(/\d+/.exec(text)?.[0] ?? 0) % 1_000) / 1_000;
  return [Math.cos(angle), Math.sin(angle)];
};

export class FakeEmbedder implements Embedder {
  readonly name = FAKE;
  readonly dimensions = null;
  readonly semantic = true;
  readonly asked: string[] = [];
  meanwhile: (texts: readonly string[], signal: AbortSignal) => Promise<void> = async () => undefined;

  async embed(texts: readonly string[], _use: string, signal: AbortSignal): Promise<Embedded> {
    this.asked.push(...texts);
    await this.meanwhile(texts, signal);
    return { vectors: Float32Array.from(texts.flatMap(vectorOf)), dimensions: 2 };
  }
}

/**
 * A real store with a fake reader and a fake embedder; jobs run one by one or in an `Ingestion`.
 */
export function workshop(t: TestContext, directory = temporaryDirectory(t)) {
  const store = openKnowledgeStore(directory, {
    onFault: (error) => {
      throw error;
    },
  });
  t.after(() => store.close());
  const reader = new FakeReader();
  const embedder = new FakeEmbedder();
  const events: StoredEvent[] = [];
  const ended: Job[] = [];
  const errors: { error: unknown; jobId: string | null }[] = [];
  const shut = new Set<string>();
  const clock = { now: Date.now() };
  const parts = {
    ...{ store: store as KnowledgeStore, reader },
    uploads: {
      open: async (id: string) => (reader.documents.has(id) ? { path: id, close: async () => undefined } : null),
      remove: async (id: string) => void reader.documents.delete(id),
    } as Partial<UploadStore> as UploadStore,
    embedders: { configured: FAKE, of: (name: string) => (name === FAKE ? embedder : null) },
    effects: { now: () => clock.now, newId: () => 'unused' },
    outbox: outboxBefore(events, { isBlocked: (tenantId) => shut.has(tenantId) }),
    jobsPerTenant: 2,
    onChunks: () => undefined,
    onEnd: (job: Job) => ended.push(job),
    onError: (error: unknown, jobId: string | null) => errors.push({ error, jobId }),
  };
  return {
    ...{ store, reader, embedder, events, ended, errors, shut, clock, parts },
    passTime: (ms: number) => passTime(directory, ms),
    add: async (document: FakeDocument, members: Partial<NewJob> = {}, tenantId = 'one'): Promise<NewJob> => {
      const job = newJob({ embedder: FAKE, ...members });
      reader.documents.set(job.uploadId, document);
      await store.createJob(tenantId, job, ROOM);
      return job;
    },
    /** Runs the next job once. */
    turn: async ({ signal = STAYS, changes = {} }: { signal?: AbortSignal; changes?: Partial<typeof parts> } = {}) => {
      const claimed = await store.claim({ now: clock.now, leaseMs: 60_000 });
      if (!claimed) throw new Error('No job waits.');
      return new JobRun({ ...parts, ...changes }, claimed, signal).run();
    },
    ingestion: (changes: Partial<typeof parts> = {}) => {
      const made = new Ingestion({ ...parts, ...changes });
      t.after(() => made.stop());
      return made;
    },
    /** Texts in document order, and whether each has its own vector. */
    stored: async (vectorStore = 'manuals', tenantId = 'one') => {
      const wanted = plan({ store: vectorStore, vector: Float32Array.of(1, 0), limit: 4_000 });
      const { hits = [] } = (await store.search(tenantId, wanted)) ?? {};
      const wrong = hits.filter(({ text, score }) => Math.abs(score - vectorOf(text)[0]) > 1e-5);
      const texts = hits.sort((one, other) => one.chunkIndex - other.chunkIndex).map(({ text }) => text);
      return { texts, wrong };
    },
    job: async ({ jobId }: NewJob) => (await store.findJob(jobId))!,
  };
}

/** Texts `word <from>` and so on. */
export const words = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `word ${from + index}`);

export const slices = (count: number, each: number): string[][] =>
  Array.from({ length: count }, (_, index) => words(each, index * each));
