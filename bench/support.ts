import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';

type Headers = Record<string, string>;

/** One POST over a keep-alive connection; resolves with the body. */
export function post(agent: Agent, url: string, body: string, headers: Headers = {}): Promise<string> {
  const length = String(Buffer.byteLength(body));
  return call(agent, 'POST', url, { 'content-type': 'application/json', 'content-length': length, ...headers }, body);
}

export function get(agent: Agent, url: string, headers: Headers = {}): Promise<string> {
  return call(agent, 'GET', url, headers);
}

function call(agent: Agent, method: string, url: string, headers: Headers, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 500) >= 300) reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
        else resolve(text);
      });
    });
    outgoing.end(body);
  });
}

/** Milliseconds of each call, `concurrency` at a time. */
export async function timeCalls(count: number, concurrency: number, call: () => Promise<unknown>): Promise<number> {
  let left = count;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await call();
    }),
  );
  return (performance.now() - started) / count;
}

/**
 * Times several contenders alternately and returns the best round of each: on a noisy machine the
 * best round has the least noise of other processes.
 */
export async function alternate<Name extends string>(
  rounds: number,
  contenders: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const best = {} as Record<Name, number>;
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(contenders) as Name[]) {
      const time = await contenders[name]();
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, time);
    }
  }
  return best;
}

export interface Served {
  url: string;
  key: string;
  /** Fetches the measurements of the server process and resets them. */
  ask<Answer>(question: string): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * Starts `bench/server.ts`, or the entry of that path, in its own process, so that load and server
 * do not share an event loop. A data directory that the caller passes is not deleted.
 */
export async function serve(kind: string, dataDir?: string, environment: Record<string, string> = {}): Promise<Served> {
  const entry = kind.endsWith('.ts') ? kind : new URL('./server.ts', import.meta.url);
  const child = fork(entry, dataDir === undefined ? [kind] : [kind, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // As bin/agent-runtime.js does.
    env: { ...process.env, UV_THREADPOOL_SIZE: '12', ...environment },
  });
  const next = <Answer>() =>
    new Promise<Answer>((resolve) => child.once('message', (message) => resolve(message as Answer)));
  const { url, key } = await next<{ url: string; key: string }>();
  return {
    url,
    key,
    ask: <Answer>(question: string) => {
      const answer = next<Answer>();
      child.send(question);
      return answer;
    },
    stop: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.send('stop');
      await exited;
    },
  };
}

export function row(what: string, measured: string, demanded: string): void {
  console.log(`${what.padEnd(64)} ${measured.padStart(16)}   ${demanded}`);
}

export const agentOf = (connections: number) => new Agent({ keepAlive: true, maxSockets: connections });
