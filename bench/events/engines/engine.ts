import type { Dialect } from '../dialect.ts';

/** Another engine, loaded with the same events. */
export interface Engine {
  name: string;
  dialect: Dialect;
  /** The rows of each statement, as JavaScript values. */
  rowsOf(statements: string[]): Promise<unknown[][][]>;
  diskBytes: number;
  close(): Promise<void>;
}

/** The events for engines to load, in the order of their arrival, properties as JSON text. */
export interface Texts {
  /** DuckDB file with the table `events`. */
  duckdb: string;
  /** The same without a header line; absent values are empty. */
  csv: string;
  /** Empty directory to work in. */
  scratch: string;
}

export const COLUMNS = ['tenant_id', 'agent_id', 'event_name', 'ts', 'id', 'thread_id', 'execution_id', 'properties'];
