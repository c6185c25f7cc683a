/** The name of the part of the report that ingestion fills. */
export const PART = 'ingest';
