import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chdbPath } from './engines.ts';

export interface Clickhouse {
  /** A new empty database, as AGENT_RUNTIME_CLICKHOUSE_URL names it. */
  database(): Promise<string>;
  /** As a server that is away: requests are refused until `start`. What is stored stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The rows of a statement, each as the list of its columns. */
  rows(url: string, statement: string): Promise<unknown[][]>;
}

/** Why no ClickHouse can be started here, for a test's `skip`; false where one can. */
export function whyNoClickhouse(): string | false {
  return chdbPath() === null ? 'ClickHouse is not installed: npm run engines' : false;
}

/** ClickHouse in a process of its own, behind HTTP on a free port of the loopback interface; gone after the scope. */
export async function startClickhouse(scope: Pick<TestContext, 'after'>): Promise<Clickhouse> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-test-clickhouse-'));
  let server = await startServer(directory);
  const { port } = server;
  scope.after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  const request = async (statement: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: statement });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  let databases = 0;
  return {
    database: async () => {
      const name = `test_${++databases}`;
      await request(`CREATE DATABASE ${name}`);
      return `http://127.0.0.1:${port}/${name}`;
    },
    stop: () => server.stop(),
    start: async () => {
      server = await startServer(directory, port);
    },
    rows: async (url, statement) => {
      const named = statement.replaceAll('{database}', new URL(url).pathname.slice(1));
      const text = await request(`${named} FORMAT JSONCompactEachRow`);
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown[]);
    },
  };
}

async function startServer(directory: string, port = 0) {
  const path = fileURLToPath(new URL('chdb-http.cjs', import.meta.url));
  const child = fork(path, [directory, String(port), chdbPath()!], { execArgv: [] });
  const ended = once(child, 'exit');
  const [listening] = await Promise.race([
    once(child, 'message') as Promise<[number]>,
    ended.then(([code]) => Promise.reject(new Error(`chdb ended with ${code}`))),
  ]);
  return {
    port: listening,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
