import { sql } from 'kysely';
import { siblingModule } from '../../../../threads/call-thread.ts';
import { ThreadPool } from '../../../../threads/thread-pool.ts';
import type { StateDatabase } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import type { WordsTask } from './words-entry.ts';

/** Executions and bytes whose words are found together. */
const AT_ONCE = 50;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** Executions of one transaction: other changes wait for it. */
const WRITTEN_AT_ONCE = 25;
const IDLE_MS = 10_000;

interface Unindexed {
  number: number;
  revision: number;
  tenantId: string;
  body: Uint8Array;
}

/** Writes the words of contents into their index, after the executions themselves. */
export class WordIndex {
  private readonly database: StateDatabase;
  private readonly threads = new ThreadPool<WordsTask, string[][]>({
    entry: siblingModule(import.meta.url, 'words-entry'),
    maxThreads: 1,
    idleMs: IDLE_MS,
  });

  constructor(database: StateDatabase) {
    this.database = database;
  }

  /** The number of executions whose words were written; 0: there are no more. */
  async indexSome(): Promise<number> {
    const found = await this.unindexed();
    if (found.length === 0) return 0;
    const terms = await this.threads.run({ contents: found.map(({ tenantId, body }) => ({ tenantId, body })) });
    for (let start = 0; start < found.length; start += WRITTEN_AT_ONCE) {
      await this.write(found.slice(start, start + WRITTEN_AT_ONCE), terms.slice(start, start + WRITTEN_AT_ONCE));
    }
    return found.length;
  }

  close(): Promise<void> {
    return this.threads.close();
  }

  private async unindexed(): Promise<Unindexed[]> {
    const { rows } = await sql<Unindexed>`
      SELECT first.number, revision, "tenantId", body FROM (
        SELECT number, revision, tenant_id AS "tenantId", sum(content_length) OVER (ORDER BY number) - content_length AS before
        FROM (SELECT number, revision, tenant_id, content_length FROM executions
          WHERE is_indexed = 0 ORDER BY number LIMIT ${AT_ONCE}) AS oldest) AS first
      JOIN execution_bodies ON execution_bodies.number = first.number
      WHERE before < ${BYTES_AT_ONCE} ORDER BY first.number`.execute(this.database);
    return rows;
  }

  /** Executions that were changed meanwhile are left for the next time. */
  private write(found: Unindexed[], terms: string[][]): Promise<void> {
    return this.database.transaction().execute(async (transaction) => {
      const revisions = sql.join(
        found.map(({ number, revision }) => sql`(CAST(${number} AS bigint), CAST(${revision} AS bigint))`),
      );
      const { rows } = await sql<{ number: number }>`UPDATE executions SET is_indexed = 1
        WHERE is_indexed = 0 AND (number, revision) IN (VALUES ${revisions}) RETURNING number`.execute(transaction);
      if (rows.length === 0) return;
      const unchanged = new Set(rows.map(({ number }) => number));
      await sql`DELETE FROM execution_text_index WHERE rowid IN (${sql.join([...unchanged])})`.execute(transaction);
      const indexed = found.map(({ number }, index) => [number, terms[index]!] as const);
      const kept = indexed.filter(([number]) => unchanged.has(number));
      await dialectOf(transaction).terms.insert('execution_text_index', kept).execute(transaction);
    });
  }
}
