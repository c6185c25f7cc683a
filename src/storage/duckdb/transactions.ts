import type { DuckDBConnection } from '@duckdb/node-api';

/** Runs `use` in a transaction of its own: all or nothing. */
export type Transact = <Result>(use: (connection: DuckDBConnection) => Promise<Result>) => Promise<Result>;

/**
 * Keeps the beginning of transactions and commits apart. DuckDB 1.5 publishes a commit piece by piece: whoever begins
 * meanwhile sees some of it, an event in both of two tables for example. Who has begun before stays right throughout.
 */
export class CommitGate {
  /** How many commits there were, those that failed included: what was read since the last one still holds. */
  commits = 0;
  private beginning = 0;
  private committing: Promise<void> | null = null;
  private onNobodyBeginning: (() => void) | null = null;

  /** `use` begins a transaction and fixes its snapshot. */
  async begin<Result>(use: () => Promise<Result>): Promise<Result> {
    while (this.committing) await this.committing;
    this.beginning += 1;
    try {
      return await use();
    } finally {
      this.beginning -= 1;
      if (this.beginning === 0) this.onNobodyBeginning?.();
    }
  }

  async commit(use: () => Promise<unknown>): Promise<void> {
    while (this.committing) await this.committing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.committing = promise;
    try {
      await this.nobodyBeginning();
      this.commits += 1;
      await use();
    } finally {
      this.committing = null;
      resolve();
    }
  }

  private async nobodyBeginning(): Promise<void> {
    if (this.beginning > 0) {
      await new Promise<void>((resolve) => {
        this.onNobodyBeginning = resolve;
      });
    }
    this.onNobodyBeginning = null;
  }
}

/** Transactions on one connection. They must not overlap. */
export function transactionsOn(connection: DuckDBConnection, gate: CommitGate): Transact {
  return async (use) => {
    await gate.begin(() => connection.run('BEGIN; SELECT epoch FROM layout'));
    try {
      const result = await use(connection);
      await gate.commit(() => connection.run('COMMIT'));
      return result;
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  };
}
