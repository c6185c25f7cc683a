import type { Database } from 'better-sqlite3';
import type { Statements } from '../../state/sqlite/prepared.ts';
import { dropIndexes, vectorsTable, wordsTable } from './index-tables.ts';

/** Each step blocks the thread for some milliseconds. */
const CHUNKS_PER_STEP = 500;
const UNITS_PER_STEP = 5_000;
const PAGES_PER_STEP = 500;
const DAY_MS = 86_400_000;
const JOBS_KEPT_MS = 90 * DAY_MS;

/** Removes invisible data in small transactions, so that other calls run in between. */
export class Removal {
  private readonly database: Database;
  private readonly statements: Statements;

  constructor(database: Database, statements: Statements) {
    this.database = database;
    this.statements = statements;
  }

  step(now: number): boolean {
    return this.removeDocument() || this.dropStore() || this.forgetUnits() || this.forgetJobs(now) || this.shrink();
  }

  /** Removed data remains in the log and in the file until a checkpoint. */
  purge(): void {
    this.database.pragma('wal_checkpoint(TRUNCATE)');
  }

  /** Only an empty store: dropping a million vectors blocks the thread for seconds. */
  private dropStore(): boolean {
    const store = this.statements
      .of(
        `SELECT id FROM stores WHERE dropped_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.store = stores.id) LIMIT 1`,
      )
      .get() as { id: number } | undefined;
    if (!store) return false;
    return this.statements.atomically(() => {
      dropIndexes(this.database, store.id);
      this.statements.of('DELETE FROM stores WHERE id = ?').run(store.id);
      return true;
    });
  }

  private removeDocument(): boolean {
    const document = this.statements.of('SELECT id, store FROM documents WHERE removed_at IS NOT NULL LIMIT 1').get() as
      | { id: number; store: number }
      | undefined;
    if (!document) return false;
    return this.statements.atomically(() => {
      const chunks = this.statements
        .of('SELECT id FROM chunks WHERE document = ? LIMIT ?')
        .all(document.id, CHUNKS_PER_STEP) as { id: number }[];
      if (chunks.length < CHUNKS_PER_STEP) this.statements.of('DELETE FROM documents WHERE id = ?').run(document.id);
      this.removeChunks(document.store, chunks);
      return true;
    });
  }

  private removeChunks(store: number, chunks: { id: number }[]): void {
    // Another process may have removed the document and its store meanwhile.
    if (chunks.length === 0) return;
    const { dimensions } = this.statements.of('SELECT dimensions FROM stores WHERE id = ?').get(store) as {
      dimensions: number | null;
    };
    const chunk = this.statements.of('DELETE FROM chunks WHERE id = ?');
    const word = this.statements.of(`DELETE FROM ${wordsTable(store)} WHERE rowid = ?`);
    const vector = dimensions !== null && this.statements.of(`DELETE FROM ${vectorsTable(store)} WHERE rowid = ?`);
    for (const { id } of chunks) {
      chunk.run(id);
      word.run(id);
      if (vector) vector.run(BigInt(id));
    }
  }

  private forgetUnits(): boolean {
    const job = this.statements
      .of("SELECT job_id FROM jobs WHERE has_units = 1 AND status IN ('completed', 'failed') LIMIT 1")
      .get() as { job_id: string } | undefined;
    if (!job) return false;
    return this.statements.atomically(() => {
      const { changes } = this.statements
        .of(
          `DELETE FROM units WHERE job_id = :jobId AND digest IN
            (SELECT digest FROM units WHERE job_id = :jobId LIMIT ${UNITS_PER_STEP})`,
        )
        .run({ jobId: job.job_id });
      if (changes < UNITS_PER_STEP)
        this.statements.of('UPDATE jobs SET has_units = 0 WHERE job_id = ?').run(job.job_id);
      return true;
    });
  }

  private forgetJobs(now: number): boolean {
    const { changes } = this.statements
      .of(`DELETE FROM jobs WHERE job_id IN (SELECT job_id FROM jobs WHERE settled = 1 AND completed_at < ? LIMIT 100)`)
      .run(now - JOBS_KEPT_MS);
    return changes > 0;
  }

  private shrink(): boolean {
    const free = this.database.pragma('freelist_count', { simple: true }) as number;
    if (free === 0) return false;
    this.database.pragma(`incremental_vacuum(${PAGES_PER_STEP})`);
    return (this.database.pragma('freelist_count', { simple: true }) as number) < free;
  }
}
