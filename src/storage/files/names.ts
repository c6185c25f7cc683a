/* The files of a data directory. Companions (a log, shared memory) move with their file. */

/** Tenants, keys, executions, reviews and dashboards (SQLite). */
export const STATE_FILE = 'state.sqlite';
/** The write-ahead spool of accepted events, and the ids that callers chose (SQLite). */
export const SPOOL_FILE = 'spool.sqlite';
/** The events as they are queried (DuckDB). */
export const EVENTS_FILE = 'events.duckdb';
/** DuckDB's write-ahead log. */
export const EVENTS_LOG_FILE = `${EVENTS_FILE}.wal`;
/** Vector stores, their documents and chunks, and ingestion jobs (SQLite). */
export const KNOWLEDGE_FILE = 'knowledge.sqlite';
/** Files of unfinished ingestion jobs (a directory). */
export const UPLOADS_DIRECTORY = 'uploads';
/** Events that the engine refused, as lines of JSON. */
export const QUARANTINE_FILE = 'quarantine.ndjson';
/** The keys of portal sessions are derived from it. */
export const SECRET_FILE = 'secret.key';
/** The key ring that stored secrets are sealed with. */
export const SEALING_KEYS_FILE = 'sealing-keys.json';
/** Files with keys of this installation. A backup seals each with a passphrase or omits it. */
export const SECRET_FILES: readonly string[] = [SECRET_FILE, SEALING_KEYS_FILE];
/** The manifest: which files must exist, and the installation id (JSON). See `installation.ts`. */
export const INSTALLATION_FILE = 'installation.json';

/** The databases. Each carries the installation id. */
export const STORES = [STATE_FILE, SPOOL_FILE, EVENTS_FILE, KNOWLEDGE_FILE] as const;
export type StoreName = (typeof STORES)[number];
