import type { Kysely } from 'kysely';
import { createAccess, protectAuditLog } from './access.ts';
import { createLogins } from './logins.ts';
import { countReviews, createRecords } from './records.ts';
import { createSending } from './sending.ts';
import { createWorkspace } from './workspace.ts';

/** The tables of src/storage/state/sql/schema.ts. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await createAccess(database);
  await protectAuditLog(database);
  await createLogins(database);
  await createRecords(database);
  await countReviews(database);
  await createWorkspace(database);
  await createSending(database);
}
