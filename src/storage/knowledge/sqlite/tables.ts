import BetterSqlite3, { type Database } from 'better-sqlite3';
import { load as loadVectors } from 'sqlite-vec';
import { markInstallation } from '../../state/sqlite/identity.ts';
import { switchToWal } from '../../state/sqlite/lock.ts';
import { refuseNewer, VERSION } from './version.ts';

/** Word and vector tables exist per store: word frequencies and spellings belong to one store. */
const TABLES = `
  CREATE TABLE stores (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    embedder TEXT NOT NULL,
    dimensions INTEGER,
    created_at INTEGER NOT NULL,
    dropped_at INTEGER
  );
  CREATE UNIQUE INDEX stores_by_name ON stores (tenant_id, name) WHERE dropped_at IS NULL;
  CREATE INDEX stores_dropped ON stores (id) WHERE dropped_at IS NOT NULL;

  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id TEXT NOT NULL UNIQUE,
    store INTEGER NOT NULL,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    size INTEGER NOT NULL,
    source_id TEXT,
    metadata TEXT NOT NULL,
    chunks INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    completed_at INTEGER,
    removed_at INTEGER
  );
  -- With all that is asked to count them, which each search does.
  CREATE INDEX documents_of_store ON documents (store, id, chunks, completed_at, removed_at);
  CREATE INDEX documents_by_source ON documents (store, source_id) WHERE source_id IS NOT NULL;
  CREATE INDEX documents_hidden ON documents (store) WHERE completed_at IS NULL OR removed_at IS NOT NULL;
  CREATE INDEX documents_removed ON documents (id) WHERE removed_at IS NOT NULL;

  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    text TEXT NOT NULL,
    headings TEXT,
    page INTEGER,
    "row" INTEGER,
    line INTEGER,
    metadata TEXT
  );
  CREATE UNIQUE INDEX chunks_of_document ON chunks (document, seq);

  CREATE TABLE jobs (
    job_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    store INTEGER NOT NULL,
    vector_store TEXT NOT NULL,
    document_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    upload_id TEXT NOT NULL,
    original_name TEXT NOT NULL,
    size INTEGER NOT NULL,
    options TEXT NOT NULL,
    metadata TEXT NOT NULL,
    source_id TEXT,
    agent_id TEXT NOT NULL,
    status TEXT NOT NULL,
    processed_chunks INTEGER NOT NULL DEFAULT 0,
    total_chunks INTEGER NOT NULL DEFAULT 0,
    progress REAL NOT NULL DEFAULT 0,
    checkpoint TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    settled INTEGER NOT NULL DEFAULT 0,
    has_units INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    completed_at INTEGER
  );
  CREATE INDEX jobs_open ON jobs (tenant_id, job_id) WHERE status IN ('queued', 'processing');
  CREATE INDEX jobs_at_work ON jobs (tenant_id, lease_until) WHERE status = 'processing';
  CREATE INDEX jobs_by_source ON jobs (store, source_id, job_id)
    WHERE source_id IS NOT NULL AND status IN ('queued', 'processing');
  CREATE INDEX jobs_of_store ON jobs (tenant_id, vector_store, job_id);
  CREATE INDEX jobs_unsettled ON jobs (job_id) WHERE settled = 0 AND status IN ('completed', 'failed');
  CREATE INDEX jobs_with_units ON jobs (status) WHERE has_units = 1;
  CREATE INDEX jobs_done ON jobs (completed_at) WHERE settled = 1;

  CREATE TABLE units (
    job_id TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (job_id, digest)
  ) WITHOUT ROWID;
`;

/** Documents of equal content are known, and jobs have notes. */
const CONTENT = `
  ALTER TABLE documents ADD COLUMN content TEXT;
  ALTER TABLE documents ADD COLUMN repeated INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN notes TEXT;
  CREATE INDEX documents_by_content ON documents (store, content) WHERE content IS NOT NULL;
  CREATE INDEX documents_repeated ON documents (store) WHERE repeated = 1;
`;

/** From each version to the next. */
const STEPS = [TABLES, CONTENT];

/** Large pages suit vectors: five of 384 numbers fit. */
const PAGE_BYTES = 8_192;

export function openKnowledge(path: string, installationId?: string): Database {
  const database = new BetterSqlite3(path, { timeout: 5_000 });
  try {
    loadVectors(database);
    // Both must precede the tables; later they have no effect.
    database.pragma(`page_size = ${PAGE_BYTES}`);
    database.pragma('auto_vacuum = INCREMENTAL');
    switchToWal(database);
    database.pragma('synchronous = FULL');
    // Erased data must not remain in free pages.
    database.pragma('secure_delete = ON');
    database.pragma('cache_size = -65536');
    migrate(database);
    if (installationId !== undefined) markInstallation(database, installationId);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function openForSearch(path: string): Database {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  loadVectors(database);
  database.pragma('cache_size = -16384');
  database.pragma('mmap_size = 1073741824');
  return database;
}

/** Safe in several processes at once. */
function migrate(database: Database): void {
  if (refuseNewer(database) === VERSION) return;
  database
    .transaction(() => {
      for (const step of STEPS.slice(refuseNewer(database))) database.exec(step);
      database.pragma(`user_version = ${VERSION}`);
    })
    .immediate();
}
