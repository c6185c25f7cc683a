import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { openState } from '../../src/app/state.ts';
import { loadConfig } from '../../src/config.ts';
import type { IssuedKey } from '../../src/core/access/auth/schema.ts';
import type { Scope } from '../../src/core/base/shared/caller.ts';
import { EVENTS, temporaryDirectory } from './app.ts';
import { COMPILED } from './compile-cache.ts';

/*
 * The real program in processes of its own, over real sockets and files. Whatever a test starts here is ended after
 * it, by process id, and nothing else is.
 */

export const BIN = fileURLToPath(new URL('../../bin/agent-runtime.js', import.meta.url));

/** A machine with two busy cores starts a server well within this. */
const START_TIMEOUT_MS = 60_000;

/** A data directory that does not exist yet, as before a first start. It is gone after the test. */
export function newDataDirectory(t: TestContext, ...below: string[]): string {
  return join(temporaryDirectory(t), ...below, 'data');
}

/** The environment of a program that is started: nothing of the developer's own settings, nor of the test runner's. */
export function cleanEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) =>
      value !== undefined &&
      !/^(AGENT_RUNTIME_.*|PORT|HOST|.*_API_KEY|AWS_.*|NODE_TEST_CONTEXT|NODE_OPTIONS)$/.test(name),
  );
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...extra };
}

export interface Program {
  child: ChildProcess;
  pid: number;
  /** What it wrote so far. */
  output(): { stdout: string; stderr: string };
  /** How it ended, once it has. */
  ended: Promise<Ending>;
  /** Sends a signal, if it still runs, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ending>;
}

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A way to start the program: that of the checkout, or of something packaged. */
export interface Started {
  command: string;
  args: string[];
  /** Instead of that of the tests. */
  environment?: Record<string, string>;
}

export interface ProgramOptions {
  /** By default the checkout's. */
  program?: Started;
  environment?: Record<string, string>;
  /** The Node.js that runs the checkout; by default the one that runs the test. */
  node?: string;
  /** What standard input holds; `open` leaves it to the test. Without it, standard input is empty. */
  input?: string;
  /** The working directory; by default an empty one. */
  cwd?: string;
  /** The user id of the process; only root may name one. */
  uid?: number;
  /** A file that takes standard error; `output` and `ended` do not have it then. */
  logFile?: string;
}

/** Starts the program. It is killed after the test unless it has ended by then. */
export function startProgram(
  t: TestContext,
  args: string[],
  { program, environment = {}, node = process.execPath, input, cwd, uid, logFile }: ProgramOptions = {},
): Program {
  const log = logFile === undefined ? null : openSync(logFile, 'a');
  const { command, args: before } = program ?? { command: node, args: [BIN] };
  const child = spawn(command, [...before, ...args], {
    // Not the checkout: no configuration file, no ./data.
    cwd: cwd ?? temporaryDirectory(t),
    ...(uid === undefined ? {} : { uid, gid: uid }),
    env: program?.environment ? { ...program.environment, ...environment } : cleanEnvironment(environment),
    stdio: ['pipe', 'pipe', log ?? 'pipe'],
  });
  if (log !== null) closeSync(log);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  child.stdin?.on('error', () => undefined);
  if (input !== 'open') child.stdin?.end(input);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...written }) as Ending);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return ended;
  };
  t.after(() => end('SIGKILL'));
  return { child, pid: child.pid ?? 0, output: () => ({ ...written }), ended, end };
}

/** Runs a command to its end. */
export function runProgram(t: TestContext, args: string[], options: ProgramOptions = {}): Promise<Ending> {
  return startProgram(t, args, options).ended;
}

/** What `keys create` makes, bound to the agent `support`, without the half second that a command takes to start. */
export async function createKey(dataDir: string, scopes: Scope | '*' = '*'): Promise<IssuedKey> {
  const state = await openState(loadConfig({ dataDir }, {}, {}));
  try {
    const { id } = await state.tenants.get('default');
    return await state.keys.create(id, { agentId: 'support', label: 'test', scopes: [scopes], expiresAt: null }, null);
  } finally {
    await state.close();
  }
}

export interface Server extends Program {
  url: string;
  /** A request with this key; the body as JSON when given. */
  request(key: string, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Ingests events; answers the receipt. */
  ingest(key: string, events: object[]): Promise<string>;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
}

export interface ServeOptions extends ProgramOptions {
  /** 0 for a free one. */
  port?: number;
}

/** `serve` on a loopback port, ready. */
export async function startServer(
  t: TestContext,
  dataDir: string,
  { port = 0, ...options }: ServeOptions = {},
): Promise<Server> {
  const program = startServe(t, dataDir, port, options);
  const url = await readyUrl(program);
  const request: Server['request'] = async (key, method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const ingest: Server['ingest'] = async (key, events) => {
    const { status, body } = await request(key, 'POST', EVENTS, { events });
    if (status !== 202) throw new Error(`ingest answered ${status}: ${JSON.stringify(body)}`);
    return body.receipt;
  };
  return { ...program, url, request, ingest };
}

/** `serve`, as soon as its process runs: ready or not. */
export function startServe(t: TestContext, dataDir: string, port = 0, options: ProgramOptions = {}): Program {
  const args = ['serve', '--port', String(port), '--data-dir', dataDir, '--log-level', 'error'];
  return startProgram(t, args, options);
}

/** The address in the line that `serve` prints when it is ready. */
export async function readyUrl(program: Program): Promise<string> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const { stdout, stderr } = program.output();
    const url = /ready at (https?:\S+)/.exec(stdout)?.[1];
    if (url !== undefined) return url;
    const { exitCode, signalCode } = program.child;
    if (exitCode !== null || signalCode !== null || Date.now() >= deadline) {
      throw new Error(`serve is not ready (exit ${exitCode ?? signalCode}): ${stderr}`);
    }
    await sleep(10);
  }
}

export interface McpProcess {
  client: Client;
  pid: number;
  stderr(): string;
  /** Sends a signal and waits until the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface McpOptions {
  program?: Started;
  environment?: Record<string, string>;
  args?: string[];
}

/** `mcp` as a client program starts it, with the few variables that one passes on. Connected; gone after the test. */
export async function startMcp(
  t: TestContext,
  dataDir: string,
  key: string,
  { program, environment = {}, args = [] }: McpOptions = {},
): Promise<McpProcess> {
  const { command, args: before } = program ?? { command: process.execPath, args: [BIN] };
  return connectMcp(t, {
    command,
    args: [...before, 'mcp', '--data-dir', dataDir, ...args],
    environment: { ...(program?.environment ?? COMPILED), AGENT_RUNTIME_API_KEY: key, ...environment },
  });
}

/** A client of a server that it starts by itself, as its configuration says. Gone after the test. */
export async function connectMcp(t: TestContext, { command, args, environment = {} }: Started): Promise<McpProcess> {
  // Most tests need none, and pay for what is imported.
  const { Client } = await import('@modelcontextprotocol/client');
  const { getDefaultEnvironment, StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: temporaryDirectory(t),
    env: { ...getDefaultEnvironment(), ...environment },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  t.after(() => client.close());
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  const end = async (signal: NodeJS.Signals) => {
    process.kill(pid, signal);
    await closed;
  };
  return { client, pid, stderr: () => stderr, end };
}

/** The number of events of a name, as an MCP client is told. */
export async function countOverMcp(client: Client, eventName: string, waitFor?: string): Promise<number> {
  const answer = await client.callTool({
    name: 'aggregate_events',
    arguments: { eventName, aggregation: 'count', ...(waitFor === undefined ? {} : { waitFor }) },
  });
  const { value } = (answer.structuredContent ?? {}) as { value?: number };
  if (value === undefined) throw new Error(`aggregate_events answered ${JSON.stringify(answer)}`);
  return value;
}

export interface Owner {
  command: string;
  pid: number;
  url?: string;
}

/** Who owns a data directory, as it says itself on the directory's socket; null when nobody answers. */
export function ownerOf(socketPath: string): Promise<Owner | null> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/-/owner', timeout: 1_000, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(JSON.parse(text) as Owner));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(null));
    asked.end();
  });
}

/** Looks often until there is something to find; fails after `timeoutMs`. Answers what, and how long it took. */
export async function eventually<Found>(
  what: string,
  find: () => Promise<Found | null | false>,
  timeoutMs: number,
): Promise<{ found: Found; ms: number }> {
  const started = performance.now();
  for (;;) {
    const found = await find();
    const ms = performance.now() - started;
    if (found) return { found, ms };
    if (ms > timeoutMs) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(20);
  }
}

/** A port of the loopback interface that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether a server answers at all. */
export async function accepts(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}
