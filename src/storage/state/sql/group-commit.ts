import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { sql } from 'kysely';
import type { StateDatabase, StateTransaction } from './database.ts';
import { dialectOf } from './dialect.ts';

interface Task {
  run(transaction: StateTransaction): Promise<void>;
  reject(error: unknown): void;
  committed(): void;
}

const MAX_TOGETHER = 100;

/** Group commit: concurrent changes share one fsync. With savepoints, each fails alone. */
export class GroupCommit {
  private readonly database: StateDatabase;
  private readonly waiting: Task[] = [];
  private isRunning = false;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  /** Durable when it resolves. */
  run<Result>(work: (transaction: StateTransaction) => Promise<Result>): Promise<Result> {
    if (!dialectOf(this.database).sharesCommits) return this.database.transaction().execute(work);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let result: Result;
    this.waiting.push({
      run: async (transaction) => {
        result = await work(transaction);
      },
      committed: () => resolve(result),
      reject,
    });
    if (!this.isRunning) void this.commitAll();
    return promise;
  }

  private async commitAll(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      await yieldToOthers();
      const tasks = this.waiting.splice(0, MAX_TOGETHER);
      try {
        const done = await this.database.transaction().execute((transaction) => runEach(transaction, tasks));
        for (const task of done) task.committed();
      } catch (error) {
        for (const task of tasks) task.reject(error);
      }
    }
    this.isRunning = false;
  }
}

async function runEach(transaction: StateTransaction, tasks: Task[]): Promise<Task[]> {
  const done: Task[] = [];
  for (const task of tasks) {
    await sql`SAVEPOINT task`.execute(transaction);
    try {
      await task.run(transaction);
      done.push(task);
    } catch (error) {
      await sql`ROLLBACK TO task`.execute(transaction);
      task.reject(error);
    }
    await sql`RELEASE task`.execute(transaction);
  }
  return done;
}
