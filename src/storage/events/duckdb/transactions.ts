import type { DuckDBConnection } from '@duckdb/node-api';

export type Transact = <Result>(use: (connection: DuckDBConnection) => Promise<Result>) => Promise<Result>;

/** Readers-writer lock of BEGIN and COMMIT: in DuckDB 1.5 a new snapshot sees half a commit. */
export class CommitLock {
  /** Commits that ended, with failed ones. A snapshot of the last one may be read meanwhile. */
  commits = 0;
  private beginning = 0;
  private committing: Promise<void> | null = null;
  private onAllBegun: (() => void) | null = null;

  /** `use` begins a transaction and fixes its snapshot. */
  async begin<Result>(use: () => Promise<Result>): Promise<Result> {
    while (this.committing) await this.committing;
    this.beginning += 1;
    try {
      return await use();
    } finally {
      this.beginning -= 1;
      if (this.beginning === 0) this.onAllBegun?.();
    }
  }

  async commit(use: () => Promise<unknown>): Promise<void> {
    while (this.committing) await this.committing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.committing = promise;
    try {
      await this.allBegun();
      await use();
    } finally {
      this.commits += 1;
      this.committing = null;
      resolve();
    }
  }

  private async allBegun(): Promise<void> {
    if (this.beginning > 0) {
      await new Promise<void>((resolve) => {
        this.onAllBegun = resolve;
      });
    }
    this.onAllBegun = null;
  }
}

/** The transactions must not overlap. `prepare` runs before each commit. */
export function transactionsOn(
  connection: DuckDBConnection,
  lock: CommitLock,
  prepare: () => Promise<void> = async () => undefined,
): Transact {
  return async (use) => {
    await lock.begin(() => connection.run('BEGIN; SELECT epoch FROM layout'));
    try {
      const result = await use(connection);
      await prepare();
      await lock.commit(() => connection.run('COMMIT'));
      return result;
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  };
}
