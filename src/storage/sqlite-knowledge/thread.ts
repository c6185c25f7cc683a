import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Piscina } from 'piscina';
import type { KnowledgeStore, SearchPlan, SearchResult } from '../../core/knowledge/store.ts';
import { RuntimeError } from '../../core/shared/errors.ts';
import { KeyedLimiter } from '../../core/shared/limiter.ts';
import { KNOWLEDGE_FILE } from '../files/names.ts';
import { copyDatabase } from '../sqlite/copy.ts';
import { CallThread, entryBeside } from '../threads/call-thread.ts';
import type { WriterMethods } from './knowledge.ts';
import type { SearchRequest } from './search-entry.ts';

type Method = keyof WriterMethods;
type Pool = Piscina<SearchRequest, SearchResult | null>;

/** Threads come with the first search and go when nobody searches. */
const IDLE_MS = 60_000;
const SEARCH_THREADS = 2;
/** Of the writer: batches are stored and forgotten, and with more room for new objects its heap only grows (bench `memory`). */
const YOUNG_GENERATION_MB = 16;
/** Of one tenant. */
const WAITING_SEARCHES = 200;

const METHODS: readonly Exclude<Method, 'close'>[] = [
  'createJob',
  'hasRoom',
  'storedBytes',
  'findJob',
  'listJobs',
  'cancelJob',
  'listStores',
  'findStore',
  'dropStore',
  'listDocuments',
  'findDocument',
  'deleteDocument',
  'erase',
  'claim',
  'hasOtherWaiting',
  'renew',
  'release',
  'restart',
  'knownUnits',
  'commit',
  'complete',
  'fail',
  'neededUploads',
  'unreportedJobs',
  'markReported',
  'stats',
  'settle',
];

export interface KnowledgeStoreOptions {
  onFault: (error: Error) => void;
  /** Written into a file that carries none. */
  installationId?: string;
  /** The file is made and carries the id; nothing has been stored in it since. */
  onMade?: () => void;
}

/**
 * Knowledge in SQLite: one thread writes, others search, and none of it holds up the event loop. The threads come with the
 * first call: an installation without knowledge pays for none.
 */
export function openKnowledgeStore(directory: string, options: KnowledgeStoreOptions): KnowledgeStore {
  const path = join(directory, KNOWLEDGE_FILE);
  const writer = new Writer(path, options);
  const searcher = new Searcher(path);
  const called = Object.fromEntries(
    METHODS.map((method) => [method, (...args: unknown[]) => writer.call(method, args)]),
  ) as unknown as Omit<WriterMethods, 'close'>;
  return {
    ...called,
    search: async (tenantId, plan) => {
      // Makes the tables of a directory that is new.
      await writer.opened();
      return searcher.search(tenantId, plan);
    },
    copyTo: async (target) => {
      if (existsSync(path)) await copyDatabase(path, join(target, KNOWLEDGE_FILE));
    },
    close: async () => {
      await searcher.close();
      await writer.close();
    },
  };
}

class Writer {
  private readonly path: string;
  private readonly options: KnowledgeStoreOptions;
  private thread: Promise<CallThread<Method>> | null = null;
  private closed = false;

  constructor(path: string, options: KnowledgeStoreOptions) {
    this.path = path;
    this.options = options;
  }

  async call<Result>(method: Method, args: unknown[]): Promise<Result> {
    const thread = await this.opened();
    return thread.call<Result>(method, args);
  }

  opened(): Promise<CallThread<Method>> {
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

  private async open(): Promise<CallThread<Method>> {
    const { onFault, installationId, onMade } = this.options;
    const thread = new CallThread<Method>({
      entry: entryBeside(import.meta.url, 'thread-entry'),
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
      workerData: { path: this.path, installationId },
      onFault,
      onNotice: () => undefined,
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

class Searcher {
  private readonly path: string;
  /** Who searches much waits for themselves: no tenant has more than its share of those that wait for a thread. */
  private readonly ofTenants = new KeyedLimiter({
    concurrency: SEARCH_THREADS,
    maxQueue: WAITING_SEARCHES,
    rejection: 'Too many searches are waiting. Try again.',
  });
  private pool: Promise<Pool> | null = null;

  constructor(path: string) {
    this.path = path;
  }

  search(tenantId: string, plan: SearchPlan): Promise<SearchResult | null> {
    return this.ofTenants.run(tenantId, async () => {
      this.pool ??= this.open();
      return (await this.pool).run({ tenantId, plan });
    });
  }

  async close(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  /** Where a thread cannot even begin, questions would wait for it for ever: they fail, and the next one has new threads. */
  private async open(): Promise<Pool> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina<SearchRequest, SearchResult | null>({
      filename: entryBeside(import.meta.url, 'search-entry').href,
      minThreads: 0,
      maxThreads: SEARCH_THREADS,
      idleTimeout: IDLE_MS,
      workerData: { path: this.path },
    });
    pool.on('error', () => {
      this.pool = null;
      pool.destroy().catch(() => undefined);
    });
    return pool;
  }
}
