import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const ROOT = join(import.meta.dirname, '..');
const RUNTIME = '/api/v1/runtime';
export const BATCH = 5_000;

export interface Server {
  child: ChildProcess;
  url: string;
  key: string;
  password: string;
  dataDir: string;
  /** A POST below /api/v1/runtime. */
  // biome-ignore lint/suspicious/noExplicitAny: a bench looks into answers of every shape
  send(path: string, body: unknown): Promise<any>;
}

/** Measures with a server of its own, in a process of its own, on a new data directory. `root` is its checkout. */
export async function withServer(measure: (server: Server) => Promise<void>, root = ROOT): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  try {
    const server = await startServer(join(directory, 'data'), root);
    try {
      await measure(server);
    } finally {
      await stop(server);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function stop({ child }: Server): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Stops the server and measures with another process on its data directory. */
export async function withRestarted(server: Server, measure: (server: Server) => Promise<void>): Promise<void> {
  await stop(server);
  const again = await startServer(server.dataDir, ROOT);
  try {
    await measure(again);
  } finally {
    await stop(again);
  }
}

async function startServer(dataDir: string, root: string): Promise<Server> {
  const args = [
    join(root, 'bin/agent-runtime.js'),
    'serve',
    '--port',
    '0',
    '--data-dir',
    dataDir,
    '--log-level',
    'error',
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, AGENT_RUNTIME_RATE_LIMIT: '0' },
  });
  const [first] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /ready at (\S+)/.exec(first.toString())?.[1];
  if (url === undefined) throw new Error(`The server wrote ${first}`);
  const shown = readFileSync(join(dataDir, 'first-run.txt'), 'utf8');
  const key = wordAfter(shown, 'Full access key');
  const send: Server['send'] = async (path, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${url}${RUNTIME}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  return { child, url, key, dataDir, password: wordAfter(shown, 'Portal password'), send };
}

function wordAfter(text: string, label: string): string {
  return new RegExp(`${label} +(\\S+)`).exec(text)![1]!;
}

/** Waits until the number of events stays the same. */
export async function allVisible(ask: () => Promise<{ total: number }>): Promise<void> {
  for (let before = -1; ; ) {
    const { total } = await ask();
    if (total === before) return;
    before = total;
    await sleep(3_000);
  }
}

/** Of the process so far; Linux only. */
export function cpuSeconds({ pid }: Pick<ChildProcess, 'pid'>): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
