/* Companion files (logs, shared memory) move with their file. */

/** Tenants, keys, executions, reviews and dashboards (SQLite). */
export const STATE_FILE = 'state.sqlite';
/** The write-ahead spool of accepted events, and the ids that callers chose (SQLite). */
export const SPOOL_FILE = 'spool.sqlite';
export const EVENTS_FILE = 'events.duckdb';
export const EVENTS_LOG_FILE = `${EVENTS_FILE}.wal`;
/** Vector stores, documents, chunks and ingestion jobs (SQLite). */
export const KNOWLEDGE_FILE = 'knowledge.sqlite';
export const UPLOADS_DIRECTORY = 'uploads';
/** Copies of the events file while it is compacted; what a crash leaves is removed. */
export const COMPACTING_DIRECTORY = 'compacting';
export const COMPACTED_FILE = `${COMPACTING_DIRECTORY}/compact.duckdb`;
/** Copies of uploads in a bucket, while they are read. */
export const UPLOAD_COPIES_DIRECTORY = 'upload-copies';
export const QUARANTINE_FILE = 'quarantine.ndjson';
/** The keys of portal sessions are derived from it. */
export const SECRET_FILE = 'secret.key';
export const SEALING_KEYS_FILE = 'sealing-keys.json';
/** A backup seals them with a passphrase or omits them. */
export const SECRET_FILES: readonly string[] = [SECRET_FILE, SEALING_KEYS_FILE];
export const INSTALLATION_FILE = 'installation.json';

/** Each carries the installation id. */
export const STORES = [STATE_FILE, SPOOL_FILE, EVENTS_FILE, KNOWLEDGE_FILE] as const;
export type StoreName = (typeof STORES)[number];
