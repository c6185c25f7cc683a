import type { DuckDBConnection } from '@duckdb/node-api';

export type Transact = <Result>(
  use: (connection: DuckDBConnection) => Promise<Result>,
  onCommit?: OnCommit,
) => Promise<Result>;

/** Gets the number of the commit, before any snapshot that has it. Must not throw. */
export type OnCommit = (commit: number) => void;

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

  async commit(use: () => Promise<unknown>, onCommit?: OnCommit): Promise<void> {
    while (this.committing) await this.committing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.committing = promise;
    try {
      await this.allBegun();
      await use();
      onCommit?.(this.commits + 1);
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
  return async (use, onCommit) => {
    await lock.begin(() => connection.run('BEGIN; SELECT epoch FROM layout'));
    try {
      const result = await use(connection);
      await prepare();
      await lock.commit(() => connection.run('COMMIT'), onCommit);
      return result;
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  };
}
