import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KeyedLimiter } from '../../../core/base/concurrency/limiter.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import type { KnowledgeStore, SearchResult } from '../../../core/knowledge/store.ts';
import { CallThread, remote, siblingModule, youngGenerationMb } from '../../../threads/call-thread.ts';
import { ThreadPool } from '../../../threads/thread-pool.ts';
import { KNOWLEDGE_FILE } from '../../installation/names.ts';
import { copyDatabase } from '../../state/sqlite/copy.ts';
import { EXACT_VECTORS } from '../rows/recall.ts';
import type { RowsStore } from '../rows/store.ts';
import type { KnowledgeOptions } from './knowledge.ts';
import type { SearchTask } from './search-entry.ts';

const IDLE_MS = 60_000;
const SEARCH_THREADS = 2;
/** Batches are short-lived: a larger young generation only makes the heap grow (bench `memory`). */
const YOUNG_GENERATION_MB = 16;
const MAX_WAITING_SEARCHES = 200;
/** Bits that a search thread keeps: those of two million vectors. */
const KEPT_BITS_BYTES = 160 * 1024 ** 2;

export interface KnowledgeStoreOptions {
  onFault: (error: Error) => void;
  /** Written into a file that carries none. */
  installationId?: string;
  /** The file exists and carries the id, but nothing is stored yet. */
  onMade?: () => void;
  /** Up to so many vectors are compared one by one. */
  exactVectors?: number;
  /** A factor of sizes that are given for a server with plenty of memory; by default 1. */
  memoryShare?: number;
}

export interface SqliteKnowledgeStore extends KnowledgeStore {
  copyTo(directory: string): Promise<void>;
}

/** One thread writes, others search; they start with the first call. */
export function openKnowledgeStore(directory: string, options: KnowledgeStoreOptions): SqliteKnowledgeStore {
  const path = join(directory, KNOWLEDGE_FILE);
  const { exactVectors = EXACT_VECTORS, memoryShare = 1 } = options;
  const writer = new Writer(path, { ...options, exactVectors });
  const searches = new ThreadPool<SearchTask, SearchResult | null>({
    entry: siblingModule(import.meta.url, 'search-entry'),
    maxThreads: SEARCH_THREADS,
    idleMs: IDLE_MS,
    workerData: { path, exactVectors, memoryShare, keptBitsBytes: Math.floor(KEPT_BITS_BYTES * memoryShare) },
  });
  const searchesOfTenants = new KeyedLimiter({
    concurrency: SEARCH_THREADS,
    maxQueue: MAX_WAITING_SEARCHES,
    rejection: 'Too many searches are waiting. Try again.',
  });
  return remote<SqliteKnowledgeStore, RowsStore>(async (method, args) => (await writer.opened()).call(method, args), {
    search: async (tenantId, plan) => {
      // The writer creates the tables of a new directory.
      await writer.opened();
      return searchesOfTenants.run(tenantId, () => searches.run({ tenantId, plan }));
    },
    copyTo: async (target) => {
      if (existsSync(path)) await copyDatabase(path, join(target, KNOWLEDGE_FILE));
    },
    close: async () => {
      await searches.close();
      await writer.close();
    },
  });
}

type WriterOptions = KnowledgeStoreOptions & Pick<KnowledgeOptions, 'exactVectors'>;

class Writer {
  private readonly path: string;
  private readonly options: WriterOptions;
  private thread: Promise<CallThread<RowsStore>> | null = null;
  private closed = false;

  constructor(path: string, options: WriterOptions) {
    this.path = path;
    this.options = options;
  }

  opened(): Promise<CallThread<RowsStore>> {
    if (this.closed) throw new Error('The knowledge store is closed.');
    this.thread ??= this.open().catch((error: unknown) => {
      this.thread = null;
      const message = 'The database of knowledge cannot be opened; `agent-runtime doctor` on the server says why.';
      throw new RuntimeError('unavailable', message, { cause: error });
    });
    return this.thread;
  }

  async close(): Promise<void> {
    this.closed = true;
    await (await this.thread)?.close();
  }

  private async open(): Promise<CallThread<RowsStore>> {
    const { onFault, installationId, onMade, exactVectors, memoryShare } = this.options;
    const thread = new CallThread<RowsStore>({
      entry: siblingModule(import.meta.url, 'thread-entry'),
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb(YOUNG_GENERATION_MB, memoryShare) },
      workerData: { path: this.path, installationId, exactVectors, memoryShare },
      onFault,
    });
    await thread.ready;
    try {
      onMade?.();
      return thread;
    } catch (error) {
      await thread.close();
      throw error;
    }
  }
}
