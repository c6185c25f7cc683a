import type { RemovedDocument, RowsEngine } from './engine.ts';

/** Each step is short, since it blocks the thread of SQLite. */
const CHUNKS_PER_STEP = 500;
const UNITS_PER_STEP = 5_000;
const JOBS_KEPT_MS = 90 * 86_400_000;

/** Removes invisible data in small transactions. Nodes pass by what another one is removing. */
export class StoreRemoval {
  /** The time of the last claim, by the caller's clock: times of jobs are by that. */
  now = 0;
  private readonly engine: RowsEngine;

  constructor(engine: RowsEngine) {
    this.engine = engine;
  }

  /** False if nothing is left, or only what other nodes are removing. */
  async step(): Promise<boolean> {
    return (
      (await this.removeDocument()) ||
      (await this.dropStore()) ||
      (await this.forgetUnits()) ||
      (await this.forgetJobs())
    );
  }

  /** True also while another node is removing. */
  async isPending(): Promise<boolean> {
    const { rows } = await this.engine.database.query(
      `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM knowledge_documents WHERE removed_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM knowledge_stores WHERE dropped_at IS NOT NULL)`,
    );
    return rows.length > 0;
  }

  /** A portion of it, or the last one with the document. */
  private removeDocument(): Promise<boolean> {
    const { database, sql } = this.engine;
    return database.transaction(async (client) => {
      const { rows } = await client.query<RemovedDocument>(
        `SELECT documents.id, store, dimensions FROM knowledge_documents documents
          JOIN knowledge_stores stores ON stores.id = documents.store
          WHERE removed_at IS NOT NULL LIMIT 1 ${sql.skipLocked('documents')}`,
      );
      if (!rows[0]) return false;
      const removed = await this.engine.removeChunks(client, rows[0], CHUNKS_PER_STEP);
      if (removed < CHUNKS_PER_STEP) {
        await client.query('DELETE FROM knowledge_documents WHERE id = $1', [rows[0].id]);
      }
      return true;
    });
  }

  /** Only an empty one: dropping a million vectors blocks SQLite for seconds. */
  private dropStore(): Promise<boolean> {
    return this.engine.database.transaction(async (client) => {
      const { rows } = await client.query<{ id: number }>(
        `DELETE FROM knowledge_stores WHERE id = (SELECT id FROM knowledge_stores WHERE dropped_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM knowledge_documents WHERE store = knowledge_stores.id) LIMIT 1) RETURNING id`,
      );
      if (rows[0]) this.engine.dropIndexes?.(rows[0].id);
      return rows.length > 0;
    });
  }

  private forgetUnits(): Promise<boolean> {
    const { database, sql } = this.engine;
    return database.transaction(async (client) => {
      const { rows } = await client.query<{ job_id: string }>(
        `SELECT job_id FROM knowledge_jobs WHERE has_units = 1 AND status IN ('completed', 'failed') LIMIT 1
          ${sql.skipLocked()}`,
      );
      if (!rows[0]) return false;
      const { job_id } = rows[0];
      const { rowCount } = await client.query(
        `DELETE FROM knowledge_units WHERE job_id = $1 AND digest IN
          (SELECT digest FROM knowledge_units WHERE job_id = $1 LIMIT ${UNITS_PER_STEP})`,
        [job_id],
      );
      if (rowCount < UNITS_PER_STEP) {
        await client.query('UPDATE knowledge_jobs SET has_units = 0 WHERE job_id = $1', [job_id]);
      }
      return true;
    });
  }

  private async forgetJobs(): Promise<boolean> {
    const { database, sql } = this.engine;
    const { rowCount } = await database.query(
      `DELETE FROM knowledge_jobs WHERE ${sql.number} IN (SELECT ${sql.number} FROM knowledge_jobs WHERE settled = 1
        AND completed_at < ${sql.notAfterNow('$1')} - ${JOBS_KEPT_MS} LIMIT 100 ${sql.skipLocked()})`,
      [this.now],
    );
    return rowCount > 0;
  }
}
