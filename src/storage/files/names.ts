/*
 * What a data directory holds. Each name may have companions (a log, shared memory) that belong to it and move with it.
 */

/** Tenants, keys, executions, reviews and dashboards (SQLite). */
export const STATE_FILE = 'state.sqlite';
/** Accepted events on their way to the tables, and the ids that callers gave (SQLite). */
export const SPOOL_FILE = 'spool.sqlite';
/** The events as they are queried (DuckDB). */
export const EVENTS_FILE = 'events.duckdb';
/** What DuckDB has committed and not written into the file yet. */
export const EVENTS_LOG_FILE = `${EVENTS_FILE}.wal`;
/** Vector stores, their documents and chunks, and the jobs that fill them (SQLite). */
export const KNOWLEDGE_FILE = 'knowledge.sqlite';
/** Files that wait to be ingested, or are (a directory). */
export const UPLOADS_DIRECTORY = 'uploads';
/** Events that the engine refused, one JSON object a line. */
export const QUARANTINE_FILE = 'quarantine.ndjson';
/** What the keys of portal sessions are derived from. */
export const SECRET_FILE = 'secret.key';
/** The key ring: the keys that stored secrets are sealed with. */
export const SEALING_KEYS_FILE = 'sealing-keys.json';
/** The files that hold keys of this installation. A backup seals each of them with a passphrase, or leaves it out. */
export const SECRET_FILES: readonly string[] = [SECRET_FILE, SEALING_KEYS_FILE];
/** Which of these files must exist, and the id that each store carries (JSON). See `installation.ts`. */
export const INSTALLATION_FILE = 'installation.json';

/** The databases. Each carries the id of the installation that it belongs to. */
export const STORES = [STATE_FILE, SPOOL_FILE, EVENTS_FILE, KNOWLEDGE_FILE] as const;
export type StoreName = (typeof STORES)[number];
