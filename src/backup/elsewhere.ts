import { RuntimeError } from '../core/base/shared/errors.ts';

/**
 * Backups of this program are copies of files. Throws `conflict` where the state is in PostgreSQL.
 */
export function refuseBackups({ databaseUrl }: { databaseUrl?: string | undefined }): void {
  if (databaseUrl !== undefined) throw backedUpElsewhere();
}

export function backedUpElsewhere(): RuntimeError {
  const message = 'What is in PostgreSQL and ClickHouse is backed up with their own tools: see docs/scale.md.';
  return new RuntimeError('conflict', message);
}
