import { join } from 'node:path';
import { openStateDatabase } from '../../src/storage/sqlite/database.ts';
import { SqliteExecutionStore } from '../../src/storage/sqlite/executions.ts';
import { openStateReader } from '../../src/storage/sqlite/reader.ts';
import { SqliteReviewStore } from '../../src/storage/sqlite/reviews.ts';
import { SqliteTenantStore } from '../../src/storage/sqlite/tenants.ts';

/** The stores of executions and reviews in a directory, whose tenants are `one` and `two`. */
export async function openReviews(directory: string) {
  const path = join(directory, 'state.sqlite');
  const database = await openStateDatabase(path);
  const reader = openStateReader(path);
  const tenants = new SqliteTenantStore(database);
  for (const id of ['one', 'two'])
    await tenants.create({ id, name: id, timezone: 'UTC', createdAt: 0, retentionDays: null });
  return {
    path,
    database,
    reader,
    executions: new SqliteExecutionStore(database),
    reviews: new SqliteReviewStore(database, reader),
    close: async () => {
      await reader.destroy();
      await database.destroy();
    },
  };
}
