import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { SqliteError } from 'better-sqlite3';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import type { KnowledgeStore } from '../../../core/knowledge/store.ts';
import type { Answered } from '../../../threads/remote.ts';
import { refuseForeignLinks } from '../../installation/data-directory.ts';
import { FileLock } from '../../state/sqlite/lock.ts';
import { Statements } from '../../state/sqlite/prepared.ts';
import { Batches } from './batches.ts';
import { Claims } from './claims.ts';
import { Documents } from './documents.ts';
import { Jobs } from './jobs.ts';
import { Removal } from './removal.ts';
import { openKnowledge } from './tables.ts';

/** Searches need other connections. */
export type WriterMethods = Omit<KnowledgeStore, 'search'>;

const USERS_TIMEOUT_MS = 5_000;

export interface KnowledgeOptions {
  path: string;
  installationId?: string | undefined;
}

/** The single writer. Each method is a transaction. */
export class Knowledge {
  private readonly database: Database;
  /**
   * Shared by every store that has the file open; the operating system ends it with the process.
   */
  private readonly users: FileLock;
  private readonly removal: Removal;
  private readonly onFault: (error: unknown) => void;
  private readonly settling: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  private removing: NodeJS.Immediate | null = null;
  private hasRemoved = false;
  private closed = false;
  /** Of the last claim: job times come from the caller's clock. */
  private now = 0;

  constructor({ path, installationId }: KnowledgeOptions, onFault: (error: unknown) => void) {
    refuseForeignLinks(dirname(path));
    this.database = openKnowledge(path, installationId);
    this.users = new FileLock(`${path}.users.lock`);
    this.removal = new Removal(this.database, new Statements(this.database));
    this.onFault = onFault;
  }

  methods(): Answered<WriterMethods> {
    const statements = new Statements(this.database);
    const jobs = new Jobs(this.database, statements);
    const claims = new Claims(statements, jobs, Date.now);
    const documents = new Documents(statements, jobs);
    const batches = new Batches(this.database, statements, jobs, Date.now);
    this.joinUsers(claims);
    this.removeSoon();
    const removing = <Result>(result: Result): Result => {
      this.removeSoon();
      return result;
    };
    return withUnavailable({
      createJob: (tenantId, job, limits) => jobs.create(tenantId, job, limits),
      openJobs: (tenantId) => jobs.countOpen(tenantId),
      storedBytes: (tenantId) => jobs.storedBytes(tenantId),
      findJob: (jobId) => jobs.find(jobId),
      listJobs: (tenantId, query) => jobs.list(tenantId, query),
      cancelJob: (tenantId, jobId, error, now) => removing(documents.cancel(tenantId, jobId, error, now)),
      listStores: (tenantId) => documents.listStores(tenantId),
      findStore: (tenantId, name) => documents.findStore(tenantId, name),
      dropStore: (tenantId, name, now) => removing(documents.dropStore(tenantId, name, now)),
      listDocuments: (tenantId, query) => documents.list(tenantId, query),
      findDocument: (documentId) => documents.find(documentId),
      deleteDocument: (tenantId, vectorStore, documentId, now) =>
        removing(documents.delete(tenantId, vectorStore, documentId, now)),
      readChunks: (tenantId, documentId, from, limit) => documents.readChunks(tenantId, documentId, from, limit),
      erase: (tenantId, now) => removing(documents.erase(tenantId, now)),
      claim: (request) => {
        this.now = request.now;
        return claims.claim(request);
      },
      hasOtherWaiting: (tenantId) => claims.hasOtherWaiting(tenantId),
      renew: (lease, leaseMs) => claims.renew(lease, leaseMs),
      release: (lease, hasFailed) => claims.release(lease, hasFailed),
      restart: (lease) => removing(documents.restart(lease)),
      knownUnits: (lease, units) => batches.knownUnits(lease, units),
      commit: (lease, batch) => batches.commit(lease, batch),
      complete: (lease, now) => removing(documents.complete(lease, now)),
      fail: (lease, error, now) => removing(documents.fail(lease, error, now)),
      neededUploads: () => jobs.neededUploads(),
      unreportedJobs: (limit) => jobs.unreportedJobs(limit),
      markReported: (jobIds) => removing(jobs.markReported(jobIds)),
      stats: () => jobs.stats(),
      settle: () => this.settle(),
      close: () => this.close(),
    });
  }

  /**
   * Alone, it knows that the leases in the file are of processes that ended without releasing them.
   */
  private joinUsers(claims: Claims): void {
    if (this.users.tryAcquire()) {
      claims.releaseAll();
      // Another store may be alone before this one shares the lock: we have no lease yet that it
      // could release.
      this.users.release();
    }
    if (!this.users.shareSync(USERS_TIMEOUT_MS)) {
      throw new Error('Another process holds the lock of the database of knowledge for too long.');
    }
  }

  private settle(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.settling.push({ resolve, reject });
      this.removeSoon();
    });
  }

  private close(): void {
    this.closed = true;
    if (this.removing) clearImmediate(this.removing);
    for (const { resolve } of this.settling.splice(0)) resolve();
    this.database.close();
    this.users.close();
  }

  /** One step per iteration of the event loop, so that waiting calls run in between. */
  private removeSoon(): void {
    this.removing ??= setImmediate(() => this.remove());
  }

  private remove(): void {
    this.removing = null;
    if (this.closed) return;
    try {
      if (this.removal.step(this.now)) {
        this.hasRemoved = true;
        this.removeSoon();
        return;
      }
      if (this.hasRemoved) this.removal.purge();
      this.hasRemoved = false;
      for (const { resolve } of this.settling.splice(0)) resolve();
    } catch (error) {
      // Most likely a full disk. The next removal retries.
      this.onFault(error);
      for (const { reject } of this.settling.splice(0)) reject(unavailable(error) ?? error);
    }
  }
}

/** Converts disk errors to `unavailable`: nothing was changed. */
function withUnavailable<Methods extends object>(methods: Methods): Methods {
  return Object.fromEntries(
    Object.entries(methods as Record<string, (...args: unknown[]) => unknown>).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        try {
          return method(...args);
        } catch (error) {
          throw unavailable(error) ?? error;
        }
      },
    ]),
  ) as Methods;
}

function unavailable(error: unknown): RuntimeError | null {
  if (!(error instanceof SqliteError) || !/^SQLITE_(FULL|IOERR|BUSY|READONLY)/.test(error.code)) return null;
  const message =
    'The vector stores cannot be changed at the moment: the disk is full or fails. Nothing was changed. Try again.';
  return new RuntimeError('unavailable', message, { cause: error, retryAfter: 5 });
}
