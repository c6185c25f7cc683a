import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { refuseForeignLinks } from '../../installation/data-directory.ts';
import { FileLock } from '../../state/sqlite/lock.ts';
import { openRows, type RowsStore } from '../rows/store.ts';
import { BitsUpkeep } from './bits/upkeep.ts';
import { openKnowledge, SqliteClient } from './client.ts';
import { sqliteEngine } from './engine.ts';

const USERS_TIMEOUT_MS = 5_000;
const PAGES_PER_STEP = 500;

export interface KnowledgeOptions {
  path: string;
  installationId?: string | undefined;
  /** A store with more vectors gets bits. */
  exactVectors: number;
  memoryShare?: number | undefined;
}

/** The single writer. Searches need other connections. */
export function openWriter(options: KnowledgeOptions, onFault: (error: unknown) => void): RowsStore {
  const { path, installationId, exactVectors, memoryShare } = options;
  refuseForeignLinks(dirname(path));
  const database = openKnowledge(path, installationId, memoryShare);
  const users = joinUsers(path, database);
  const client = new SqliteClient(database);
  const bits = new BitsUpkeep(client, exactVectors);
  const { store, upkeep } = openRows(
    sqliteEngine(database, client, (grown) => bits.grew(grown)),
    {
      onFault,
      others: [() => bits.step()],
      removal: (rows) => {
        let hasRemoved = false;
        return async () => {
          const more = (await rows()) || (await client.alone(() => shrink(database), 'unsynced'));
          // Removed data remains in the log and in the file until a checkpoint.
          if (!more && hasRemoved) await client.writer.truncate();
          hasRemoved = more;
          return more;
        };
      },
    },
  );
  return {
    ...store,
    complete: async (lease, now) => {
      const isCompleted = await store.complete(lease, now);
      upkeep.lookSoon();
      return isCompleted;
    },
    close: async () => {
      await store.close();
      await client.writer.close();
      database.close();
      users.close();
    },
  };
}

/**
 * The lock is shared by every store that has the file open; the operating system ends it with the
 * process. Who is alone knows that the leases in the file are of processes that ended without
 * releasing them.
 */
function joinUsers(path: string, database: Database): FileLock {
  const users = new FileLock(`${path}.users.lock`);
  if (users.tryAcquire()) {
    database.exec("UPDATE jobs SET lease_until = 0 WHERE status = 'processing' AND lease_until > 0");
    // Another store may be alone before this one shares the lock: we have no lease yet that it
    // could release.
    users.release();
  }
  if (!users.shareSync(USERS_TIMEOUT_MS)) {
    throw new Error('Another process holds the lock of the database of knowledge for too long.');
  }
  return users;
}

/** Returns free pages to the disk, in portions. */
function shrink(database: Database): boolean {
  const freePages = () => database.pragma('freelist_count', { simple: true }) as number;
  const before = freePages();
  if (before === 0) return false;
  database.pragma(`incremental_vacuum(${PAGES_PER_STEP})`);
  return freePages() < before;
}
