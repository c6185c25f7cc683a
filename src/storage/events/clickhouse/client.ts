import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { queryFault } from './faults.ts';

export interface ClickhouseOptions {
  /** `https://user:password@host:8443/database`; the database must exist. */
  url: string;
  /** Longer queries are interrupted. */
  queryTimeoutMs: number;
}

const CONNECTIONS = 32;
/** Mutations wait for the merges of terabytes. */
const COMMAND_MS = 600_000;
/** The client ends its request a little after the engine ends the query. */
const GRACE_MS = 2_000;

const NO_LOG = 127;

/** Formulas and lists of values are long and deep. */
const LONG_STATEMENTS = {
  max_query_size: 64 * 1024 * 1024,
  max_ast_depth: 10_000,
  max_ast_elements: 2_000_000,
  max_expanded_ast_elements: 2_000_000,
  max_parser_depth: 10_000,
  max_parser_backtracks: 10_000_000,
};

/** Answers are compact JSON. */
const OF_QUERIES = {
  ...LONG_STATEMENTS,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
  join_use_nulls: 0,
  transform_null_in: 0,
  precise_float_parsing: 1,
  group_by_use_nulls: 0,
  // Months before 1970 and after 2149.
  enable_extended_results_for_datetime_functions: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  // A node finds what another one wrote, on any replica.
  select_sequential_consistency: 1,
};

/** ClickHouse over HTTP. Credentials, TLS and database are those of the URL. */
export class Clickhouse {
  /** Quoted, for statements: they name tables with their database. */
  readonly database: string;
  private readonly client: ClickHouseClient;
  private readonly options: ClickhouseOptions;
  private readonly closing: AbortController;

  private constructor(client: ClickHouseClient, options: ClickhouseOptions, closing = new AbortController()) {
    const name = decodeURIComponent(new URL(options.url).pathname.slice(1)) || 'default';
    if (/[`\\]/.test(name)) throw new Error('The database of AGENT_RUNTIME_CLICKHOUSE_URL has a name with ` or \\.');
    this.database = `\`${name}\``;
    this.client = client;
    this.options = options;
    this.closing = closing;
  }

  /** Connects with the first statement. */
  static async open(options: ClickhouseOptions): Promise<Clickhouse> {
    const { createClient } = await import('@clickhouse/client');
    const client = createClient({
      url: options.url,
      request_timeout: COMMAND_MS,
      max_open_connections: CONNECTIONS,
      compression: { response: false, request: false },
      log: { level: NO_LOG },
      application: 'agent-runtime',
    });
    return new Clickhouse(client, options);
  }

  /** On the same connections; closed with the other one. */
  withTimeout(queryTimeoutMs: number): Clickhouse {
    return new Clickhouse(this.client, { ...this.options, queryTimeoutMs }, this.closing);
  }

  /** Each row as the list of its columns. Throws `timeout`, `unprocessable` and `unavailable`. */
  async rows<Row extends unknown[]>(query: string, signal?: AbortSignal): Promise<Row[]> {
    const timeout = AbortSignal.timeout(this.options.queryTimeoutMs + GRACE_MS);
    try {
      const result = await this.client.query({
        query,
        format: 'JSONCompactEachRow',
        abort_signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        clickhouse_settings: {
          ...OF_QUERIES,
          max_execution_time: Math.ceil(this.options.queryTimeoutMs / 1_000),
        } as never,
      });
      return parsed<Row>(await result.text());
    } catch (error) {
      signal?.throwIfAborted();
      throw queryFault(error, this.options.queryTimeoutMs);
    }
  }

  /**
   * Without settings, which an older server may refuse: integers of 64 bits may be texts. Throws
   * the client's errors.
   */
  async examine<Row extends unknown[]>(query: string): Promise<Row[]> {
    const abort_signal = AbortSignal.timeout(this.options.queryTimeoutMs);
    const result = await this.client.query({ query, format: 'JSONCompactEachRow', abort_signal });
    return parsed<Row>(await result.text());
  }

  /** Throws as `rows` does. */
  async command(query: string): Promise<void> {
    try {
      await this.client.command({ query, clickhouse_settings: LONG_STATEMENTS as never });
    } catch (error) {
      throw queryFault(error, COMMAND_MS);
    }
  }

  /** One block of rows, atomically. The engine drops a block whose token it knows. */
  async insert(into: string, block: Buffer, token: string | null): Promise<void> {
    const result = await this.client.exec({
      query: `INSERT INTO ${into} FORMAT Native`,
      values: Readable.from([block], { objectMode: false }),
      clickhouse_settings: {
        async_insert: 0,
        ...(token === null ? {} : { insert_deduplicate: 1, insert_deduplication_token: token }),
      } as never,
    });
    result.stream.resume();
  }

  get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Ends requests that wait for their answer. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.client.close();
  }
}

function parsed<Row>(text: string): Row[] {
  return text === '' ? [] : (JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Row[]);
}
