import type { DuckDBConnection } from '@duckdb/node-api';

/** Runs `use` in a transaction of its own: all or nothing. */
export type Transact = <Result>(use: (connection: DuckDBConnection) => Promise<Result>) => Promise<Result>;

/**
 * A readers-writer lock: transactions begin together, and commit alone. DuckDB 1.5 publishes a
 * commit piece by piece, so a transaction that begins meanwhile sees part of it, an event in both
 * tables for example. A transaction that began before the commit stays consistent throughout.
 */
export class CommitLock {
  /** Number of commits, failed ones included: what was read since the last one is still valid. */
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
      this.commits += 1;
      await use();
    } finally {
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

/** Transactions on one connection. They must not overlap. */
export function transactionsOn(connection: DuckDBConnection, lock: CommitLock): Transact {
  return async (use) => {
    await lock.begin(() => connection.run('BEGIN; SELECT epoch FROM layout'));
    try {
      const result = await use(connection);
      await lock.commit(() => connection.run('COMMIT'));
      return result;
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  };
}
