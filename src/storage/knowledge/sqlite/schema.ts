import type { Database } from 'better-sqlite3';
import { ofNewerVersion } from '../../installation/unusable.ts';

const VERSION = 3;
export const VERSION_OF_BITS = 3;

/**
 * The tables of version 2. Word and vector tables exist per store: word frequencies and spellings
 * belong to one store.
 */
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
    content TEXT,
    repeated INTEGER NOT NULL DEFAULT 0,
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
  CREATE INDEX documents_by_content ON documents (store, content) WHERE content IS NOT NULL;
  CREATE INDEX documents_repeated ON documents (store) WHERE repeated = 1;

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
    notes TEXT,
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

/** Changes to files of 0.2. */
const SINCE_VERSION_1 = `
  ALTER TABLE documents ADD COLUMN content TEXT;
  ALTER TABLE documents ADD COLUMN repeated INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE jobs ADD COLUMN notes TEXT;
  CREATE INDEX documents_by_content ON documents (store, content) WHERE content IS NOT NULL;
  CREATE INDEX documents_repeated ON documents (store) WHERE repeated = 1;
`;

/**
 * Columns of stores tell how large ones are searched (bits/upkeep.ts). A block holds consecutive
 * vectors of a store; one that changes is replaced under another id.
 */
const SINCE_VERSION_2 = `
  ALTER TABLE stores ADD COLUMN bits INTEGER;
  ALTER TABLE stores ADD COLUMN candidates INTEGER;
  ALTER TABLE stores ADD COLUMN recall REAL;
  ALTER TABLE stores ADD COLUMN measured INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE bits (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    store INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    vectors INTEGER NOT NULL,
    chunks BLOB NOT NULL,
    documents BLOB NOT NULL,
    bits BLOB NOT NULL
  );
  CREATE INDEX bits_of_store ON bits (store, last, first, vectors);
`;

/** Safe in several processes. Throws as `versionOf` does. */
export function migrate(database: Database): void {
  if (versionOf(database) === VERSION) return;
  database
    .transaction(() => {
      const version = versionOf(database);
      if (version < 2) database.exec(version === 0 ? TABLES : SINCE_VERSION_1);
      if (version < VERSION) database.exec(SINCE_VERSION_2);
      database.pragma(`user_version = ${VERSION}`);
    })
    .immediate();
}

/** 0 without tables. Throws UnusableFile for a newer version. */
export function versionOf(database: Database): number {
  const version = database.pragma('user_version', { simple: true }) as number;
  if (version <= VERSION) return version;
  throw ofNewerVersion(database.name, `schema ${version}, this program knows ${VERSION}`);
}

/** Vectors per block. A store allocates a whole first block, so large ones waste space. */
const BLOCK_VECTORS = 64;

/* Row ids of these tables are chunk ids. */

export const wordsTable = (store: number) => `words_${store}`;
export const vocabularyTable = (store: number) => `vocabulary_${store}`;
export const vectorsTable = (store: number) => `vectors_${store}`;
/** A table of vec0, which reads a range of row ids only here. */
export const rowIdsTable = (store: number) => `${vectorsTable(store)}_rowids`;

export function createWords(database: Database, store: number): void {
  const words = wordsTable(store);
  database.exec(`CREATE VIRTUAL TABLE ${words} USING fts5(headings, text,
    content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'")`);
  database.exec(`CREATE VIRTUAL TABLE ${vocabularyTable(store)} USING fts5vocab(${words}, 'row')`);
}

/** With the document, so that a search can skip hidden ones. */
export function createVectors(database: Database, store: number, dimensions: number): void {
  database.exec(`CREATE VIRTUAL TABLE ${vectorsTable(store)} USING vec0(
    embedding float[${dimensions}] distance_metric=cosine, document integer, chunk_size=${BLOCK_VECTORS})`);
}

export function dropIndexes(database: Database, store: number): void {
  for (const table of [vocabularyTable(store), wordsTable(store), vectorsTable(store)]) {
    database.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}
