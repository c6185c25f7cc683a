import type { Database } from 'better-sqlite3';

/* The installation id is written before any migration, so that every copy carries it. */

export function installationInState(database: Database): string | null {
  if (!database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'installation_id'").get()) return null;
  return database.prepare<[], { id: string }>('SELECT id FROM installation_id').get()?.id ?? null;
}

/** Safe in several processes at once. */
export function markInstallation(database: Database, installationId: string): void {
  if (installationInState(database) !== null) return;
  database
    .transaction(() => {
      database.exec('CREATE TABLE IF NOT EXISTS installation_id (id TEXT NOT NULL)');
      if (installationInState(database) !== null) return;
      database.prepare('INSERT INTO installation_id (id) VALUES (?)').run(installationId);
    })
    .immediate();
}
