import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { KNOWLEDGE_FILE } from '../../../../src/storage/installation/names.ts';
import { openKnowledgeStore } from '../../../../src/storage/knowledge/sqlite/thread.ts';
import type { KnowledgeBackend } from '../../../contracts/knowledge/backend.ts';
import { temporaryDirectory } from '../../../support/app.ts';

export const sqliteKnowledge: KnowledgeBackend = {
  name: 'SQLite',
  isShared: false,
  covers: 'everything',
  place: async (t) => temporaryDirectory(t),
  open: async (directory) => openKnowledgeStore(directory, { onFault: (error) => assert.fail(error) }),
  passTime: async (directory, ms) => passTime(directory, ms),
  bytes: (directory) => readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0),
};

/** For leases: as if so many milliseconds had passed. */
export function passTime(directory: string, ms: number): void {
  const database = new BetterSqlite3(join(directory, KNOWLEDGE_FILE), { timeout: 5_000 });
  database.pragma('synchronous = OFF');
  const hasJobs = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'jobs'").get() !== undefined;
  if (hasJobs) database.prepare('UPDATE jobs SET lease_until = lease_until - ?').run(ms);
  database.close();
}
