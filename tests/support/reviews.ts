import { join } from 'node:path';
import { sql } from 'kysely';
import { STATE_FILE } from '../../src/storage/installation/names.ts';
import { SqlExecutionStore } from '../../src/storage/state/sql/executions/store.ts';
import { SqlReviewStore } from '../../src/storage/state/sql/reviews/store.ts';
import { openStateDatabase } from '../../src/storage/state/sqlite/database.ts';
import { openStateReader } from '../../src/storage/state/sqlite/reader.ts';
import type { ReviewBackend } from '../contracts/reviews.ts';
import { temporaryDirectory } from './app.ts';
import { addTenants, stateBackends } from './state.ts';

/** The stores of executions and reviews in a data directory. */
async function openStores(directory: string) {
  const path = join(directory, STATE_FILE);
  const database = await openStateDatabase(path);
  const reader = openStateReader(path);
  return {
    path,
    database,
    reader,
    executions: new SqlExecutionStore(database),
    reviews: new SqlReviewStore(database, reader),
    close: async () => {
      await reader.destroy();
      await database.destroy();
    },
  };
}

/** The same, with the tenants `one` and `two`. */
export async function openReviews(directory: string) {
  const stores = await openStores(directory);
  await addTenants(stores.database);
  return stores;
}

/** What the contracts of reviews and executions are held against. */
export function reviewBackends(): ReviewBackend[] {
  const sqlite = { name: 'SQLite', directory: temporaryDirectory, open: openReviews };
  const [, postgres] = stateBackends((database) => ({
    executions: new SqlExecutionStore(database),
    reviews: new SqlReviewStore(database, database),
  }));
  return postgres ? [sqlite, postgres] : [sqlite];
}

type Stores = Awaited<ReturnType<typeof openStores>>;

/** Writes so much that waiting for the disk each time would take minutes, also beside a server. */
export async function writeMuch(directory: string, write: (stores: Stores) => Promise<void>): Promise<void> {
  const stores = await openStores(directory);
  try {
    await sql`PRAGMA synchronous = OFF`.execute(stores.database);
    await write(stores);
  } finally {
    await stores.close();
  }
}
