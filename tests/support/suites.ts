import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/*
 * How the test files are divided among processes. Starting a process and importing the app costs more than most files, so
 * the files of a suite share one process, one after the other. All other files run in processes of their own.
 */

const TESTS = resolve(import.meta.dirname, '..');

/** Files that need a process of their own, and why. */
const ALONE: Record<string, RegExp> = {
  'measures the memory of the process':
    /^http\/routes\/chat\/(held|hostile|leaving|stalled|load|faults\/)|memory|scale|large/,
  'limits the files of the process': /^storage\/uploads\/files/,
  'uses more than one processor': /^storage\/events\/duckdb\/read\/(engine|query)|^workers\/(pool|killed)/,
  'starts PostgreSQL': /portuguese-postgres/,
  'sends every database through a proxy': /^storage\/state\/postgres\/pgbouncer/,
};

/**
 * The paths of each suite, by their beginnings, roughly the longest suite first. The suites `fast-…` start neither
 * processes nor servers.
 */
export const SUITES: Record<string, readonly string[]> = {
  portal: ['portal/'],
  'process-chat': ['process/chat/', 'process/connectors/', 'process/knowledge/'],
  'process-kills': ['process/kills/', 'process/ownership/', 'process/users/'],
  process: ['process/'],
  tools: ['tools'],
  'http-records': ['http/routes/dashboards', 'http/routes/executions', 'http/routes/reviews', 'http/routes/users'],
  'http-portal': ['http/routes/portal', 'http/docs', 'core/access/invitations'],
  'single-sign-on': ['http/sso/', 'identity/'],
  'http-knowledge': ['http/routes/knowledge', 'ingest'],
  'http-connectors': ['http/routes/connectors'],
  http: ['http'],
  duckdb: ['storage/events/duckdb/read/', 'storage/events/duckdb/write/', 'storage/events/duckdb/upkeep/'],
  'duckdb-store': ['storage/events/duckdb/'],
  state: ['storage/state/sql/', 'storage/state/schema/'],
  databases: [
    'storage/state/postgres/',
    'storage/knowledge/postgres/',
    'storage/uploads/s3/',
    'transfer/',
    'doctor/postgres',
    'doctor/clickhouse',
  ],
  clickhouse: ['storage/events/clickhouse/'],
  storage: ['storage', 'app/'],
  core: [
    'core/watch/alerts/changes',
    'core/watch/schedules/leavers',
    'core/watch/alerts/service',
    'core/access/auth/keys',
    'core/agents/connectors/credentials/tokens',
    'core/watch/deliveries/limits',
    'core/watch/digests/',
    'core/analytics/events/retention',
    'core/agents/feedback/',
    'core/agents/providers',
    'core/access/users',
  ],
  'fast-connectors': ['core/agents/connectors/', 'core/base/json-schema/'],
  'fast-core': ['core', 'language/', 'reference'],
  'fast-charts': ['charts/'],
  'fast-workers': ['workers', 'importing'],
  outbound: ['outbound', 'senders', 'metrics', 'client', 'app', 'support'],
  providers: ['providers'],
  commands: ['commands/'],
  packaging: ['packaging/', 'conformance/'],
  docs: ['docs', 'demo', 'doctor', 'backup'],
};

/** Suites whose subject is PostgreSQL, ClickHouse or S3: for `test:nodes`. */
export const OF_ENGINES = /^(databases|clickhouse)$/;
/** Files of `ALONE` that are of engines, too. */
export const ENGINES_ALONE = /portuguese-postgres|pgbouncer/;

/** Every test file, below `tests`. */
export function testFiles(ending = '.test.ts'): string[] {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .sort();
}

/** The files of each suite: a file belongs to the first suite that names its folder. */
export function filesOfSuites(): Map<string, string[]> {
  const shared = testFiles().filter((file) => !Object.values(ALONE).some((pattern) => pattern.test(file)));
  const suiteOf = (file: string) =>
    Object.keys(SUITES).find((name) => SUITES[name]!.some((folder) => file.startsWith(folder))) ?? 'none';
  return Map.groupBy(shared, suiteOf);
}

export function pathOf(file: string): string {
  return join(TESTS, file);
}
