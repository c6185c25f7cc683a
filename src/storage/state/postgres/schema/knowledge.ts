/*
 * Ids that the program chooses are texts, those of the database numbers. Vectors have a table of
 * their own, made by the first that is stored: a database without pgvector has none
 * (storage/knowledge/postgres/vectors.ts).
 */

export const KNOWLEDGE = [
  // A row to lock: limits, names of stores and erasures of a tenant exclude each other.
  `CREATE TABLE knowledge_tenants (tenant_id text PRIMARY KEY)`,

  `CREATE TABLE knowledge_stores (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id text NOT NULL,
    name text NOT NULL,
    embedder text NOT NULL,
    dimensions integer,
    created_at bigint NOT NULL,
    dropped_at bigint
  )`,
  `CREATE UNIQUE INDEX knowledge_stores_by_name ON knowledge_stores (tenant_id, name) WHERE dropped_at IS NULL`,
  `CREATE INDEX knowledge_stores_dropped ON knowledge_stores (id) WHERE dropped_at IS NOT NULL`,

  `CREATE TABLE knowledge_documents (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id text NOT NULL UNIQUE,
    store integer NOT NULL,
    name text NOT NULL,
    format text NOT NULL,
    size bigint NOT NULL,
    source_id text,
    metadata text NOT NULL,
    tested jsonb,
    chunks integer NOT NULL DEFAULT 0,
    words bigint NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    completed_at bigint,
    removed_at bigint,
    content text,
    repeated integer NOT NULL DEFAULT 0
  )`,
  // With all that is asked to count them, which each search does.
  `CREATE INDEX knowledge_documents_of_store ON knowledge_documents (store, id)
    INCLUDE (chunks, words, completed_at, removed_at)`,
  `CREATE INDEX knowledge_documents_by_source ON knowledge_documents (store, source_id) WHERE source_id IS NOT NULL`,
  `CREATE INDEX knowledge_documents_hidden ON knowledge_documents (store)
    WHERE completed_at IS NULL OR removed_at IS NOT NULL`,
  `CREATE INDEX knowledge_documents_removed ON knowledge_documents (id) WHERE removed_at IS NOT NULL`,
  `CREATE INDEX knowledge_documents_by_content ON knowledge_documents (store, content) WHERE content IS NOT NULL`,
  `CREATE INDEX knowledge_documents_repeated ON knowledge_documents (store) WHERE repeated = 1`,

  `CREATE TABLE knowledge_chunks (
    id bigint GENERATED ALWAYS AS IDENTITY,
    document bigint NOT NULL,
    store integer NOT NULL,
    seq integer NOT NULL,
    index_version integer NOT NULL,
    page integer,
    "row" bigint,
    line bigint,
    headings text,
    metadata text,
    tested jsonb,
    text text NOT NULL,
    PRIMARY KEY (id) INCLUDE (document)
  )`,
  `CREATE UNIQUE INDEX knowledge_chunks_of_document ON knowledge_chunks (document, seq)`,
  `CREATE INDEX knowledge_chunks_by_index_version ON knowledge_chunks (index_version)`,

  // How many times a chunk has a word, beside the number of all its words: BM25 reads the index
  // alone.
  `CREATE TABLE knowledge_postings (
    chunk bigint NOT NULL,
    store integer NOT NULL,
    times integer NOT NULL,
    of_words integer NOT NULL,
    word text NOT NULL,
    PRIMARY KEY (store, word, chunk) INCLUDE (times, of_words)
  )`,
  `CREATE INDEX knowledge_postings_of_chunk ON knowledge_postings (chunk)`,

  `CREATE TABLE knowledge_jobs (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job_id text NOT NULL UNIQUE,
    tenant_id text NOT NULL,
    store integer NOT NULL,
    vector_store text NOT NULL,
    document_id text NOT NULL,
    fingerprint text NOT NULL,
    upload_id text NOT NULL,
    original_name text NOT NULL,
    size bigint NOT NULL,
    options text NOT NULL,
    metadata text NOT NULL,
    source_id text,
    agent_id text NOT NULL,
    status text NOT NULL,
    processed_chunks integer NOT NULL DEFAULT 0,
    total_chunks integer NOT NULL DEFAULT 0,
    progress float8 NOT NULL DEFAULT 0,
    checkpoint text,
    fence integer NOT NULL DEFAULT 0,
    lease_until timestamptz NOT NULL DEFAULT '-infinity',
    claimed_at timestamptz NOT NULL DEFAULT '-infinity',
    attempts integer NOT NULL DEFAULT 0,
    error text,
    settled integer NOT NULL DEFAULT 0,
    has_units integer NOT NULL DEFAULT 0,
    created_at bigint NOT NULL,
    started_at bigint,
    completed_at bigint,
    notes text
  )`,
  `CREATE INDEX knowledge_jobs_open ON knowledge_jobs (tenant_id, number) WHERE status IN ('queued', 'processing')`,
  `CREATE INDEX knowledge_jobs_by_source ON knowledge_jobs (store, source_id, number)
    WHERE source_id IS NOT NULL AND status IN ('queued', 'processing')`,
  `CREATE INDEX knowledge_jobs_by_turn ON knowledge_jobs (tenant_id, claimed_at)`,
  `CREATE INDEX knowledge_jobs_of_store ON knowledge_jobs (tenant_id, vector_store, job_id)`,
  `CREATE INDEX knowledge_jobs_unsettled ON knowledge_jobs (job_id) WHERE settled = 0`,
  `CREATE INDEX knowledge_jobs_with_units ON knowledge_jobs (status) WHERE has_units = 1`,
  `CREATE INDEX knowledge_jobs_done ON knowledge_jobs (completed_at) WHERE settled = 1`,

  `CREATE TABLE knowledge_units (
    job_id text NOT NULL,
    digest bytea NOT NULL,
    PRIMARY KEY (job_id, digest)
  )`,
];
