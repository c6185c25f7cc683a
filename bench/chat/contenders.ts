import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { installed } from '../events/engines/install.ts';
import { serve } from '../support.ts';

/** A server between clients and the upstream. */
export interface Contender {
  url: string;
  headers: Record<string, string>;
  /** The request body for a model. */
  bodyOf(model: string): object;
  /** Null for the upstream itself. */
  pid: number | null;
  stop(): Promise<void>;
}

const MESSAGES = [{ role: 'user', content: 'hello '.repeat(50) }];
const completion = (model: string) => ({
  model,
  messages: MESSAGES,
  stream: true,
  stream_options: { include_usage: true },
});

/** The upstream itself, called directly. */
export async function startUpstream(): Promise<Contender & { baseUrl: string }> {
  const { child, port } = await started(new URL('./upstream-entry.ts', import.meta.url), []);
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const stop = () => ended(child);
  return { baseUrl, url: `${baseUrl}/chat/completions`, headers: {}, bodyOf: completion, pid: null, stop };
}

export async function startPipe(upstream: string): Promise<Contender> {
  const { child, port } = await started(new URL('./pipe-entry.ts', import.meta.url), [upstream]);
  const url = `http://127.0.0.1:${port}/`;
  return { url, headers: {}, bodyOf: completion, pid: child.pid!, stop: () => ended(child) };
}

/** The product; `kind` as `bench/server.ts` knows it. */
export async function startProduct(
  upstream: string,
  kind: 'chat' | 'chat-unrecorded',
  accept: string,
): Promise<Contender> {
  const served = await serve(kind);
  await served.ask(`provider ${new URL(upstream).port}`);
  return {
    url: `${served.url}/api/v1/runtime/v1/chat/stream`,
    headers: { 'x-api-key': served.key, accept },
    bodyOf: (model) => ({
      projectId: 'bench',
      provider: 'custom',
      providerName: 'bench',
      model,
      messages: MESSAGES,
    }),
    pid: await served.ask<number>('pid'),
    stop: () => served.stop(),
  };
}

const PORTKEY = '@portkey-ai/gateway';
const HONO = '@hono/node-server';

/** With the newest server library it answers every stream with 500; with this one it works. */
const PACKAGES = { [PORTKEY]: '1.15.2', [HONO]: '1.13.8' };

export async function startPortkey(upstream: string, directory: string): Promise<Contender> {
  const require = await installed(join(directory, 'portkey'), PACKAGES);
  const home = dirname(require.resolve(`${PORTKEY}/package.json`));
  rmSync(join(home, 'node_modules', HONO), { recursive: true, force: true });
  const port = await freePort();
  const child = spawn(process.execPath, ['build/start-server.js', `--port=${port}`, '--headless'], {
    cwd: home,
    stdio: 'ignore',
    env: { ...process.env, TRUSTED_CUSTOM_HOSTS: '127.0.0.1', NODE_ENV: 'production' },
  });
  await answering(`http://127.0.0.1:${port}/`);
  return {
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    headers: { authorization: 'Bearer sk', 'x-portkey-provider': 'openai', 'x-portkey-custom-host': upstream },
    bodyOf: completion,
    pid: child.pid!,
    stop: () => ended(child),
  };
}

/** Processor time of a process and its threads so far, in seconds. */
export function processorSeconds(pid: number): number {
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(user) + Number(system)) / TICKS;
}

const TICKS = 100;

async function started(entry: URL, args: string[]): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(entry, args);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answering(url: string): Promise<void> {
  const end = performance.now() + 30_000;
  for (;;) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    if (performance.now() > end) throw new Error(`Nothing answers at ${url}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
