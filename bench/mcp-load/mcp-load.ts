import { spawnSync } from 'node:child_process';
import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median, quantile } from '../events/measure.ts';
import type { Options } from '../events/options.ts';
import { Report } from '../events/report.ts';
import { cpuSeconds } from '../served.ts';
import { agentOf, post, type Served, serve } from '../support.ts';

const CLIENTS = 50;
/** Calls a second of all clients together, where they are paced. */
const PACE = 900;
/** Milliseconds between the turns of a client, as the public load script of tmdevlab.com has it. */
const PAUSE_MS = 100;
const BARE = fileURLToPath(new URL('./bare-entry.ts', import.meta.url));

const ACCEPT = 'application/json, text/event-stream';
const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Send = (method: string, params?: Record<string, unknown>) => Promise<void>;

interface Load {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  /** Of the server, for a request: what other load of the machine changes least. */
  cpu: number;
}

/**
 * 50 clients of a tool that does nothing, against a server on one processor: ours with all its tools,
 * and a bare one of the same MCP library. Each kind of load in turns. Linux only.
 */
export async function benchMcpLoad({ rounds, seconds, json }: Options): Promise<void> {
  const report = new Report(json);
  const servers = { ours: await serve('ping'), bare: await serve(BARE) };
  try {
    await measureAll(servers, report, { rounds, seconds });
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

async function measureAll(
  servers: Record<'ours' | 'bare', Served>,
  report: Report,
  { rounds, seconds }: Pick<Options, 'rounds' | 'seconds'>,
): Promise<void> {
  const pids = { ours: await pin(servers.ours), bare: await pin(servers.bare) };
  const loads = {
    [`tools/call, ${LEGACY}`]: { era: LEGACY, run: callsInARow },
    [`tools/call, ${MODERN}`]: { era: MODERN, run: callsInARow },
    [`tools/call, ${PACE} a second in all`]: { era: LEGACY, run: pacedCalls },
    'sessions of the public script': { era: LEGACY, run: sessions },
  };
  for (const [name, { era, run }] of Object.entries(loads)) {
    const found = { ours: [] as Load[], bare: [] as Load[] };
    for (let round = 0; round <= rounds; round++) {
      for (const contender of ['ours', 'bare'] as const) {
        // Connections of their own: those of the last round may be closed while they are used again.
        const agent = agentOf(CLIENTS);
        const measured = await measure(pids[contender], senderTo(agent, servers[contender], era), run, seconds);
        agent.destroy();
        // Round 0 warms up.
        if (round > 0) found[contender].push(measured);
      }
    }
    const of = (contender: 'ours' | 'bare', key: keyof Load) => median(found[contender].map((load) => load[key]));
    report.table(
      'mcp-load',
      `${name}: ${CLIENTS} clients`,
      (['ours', 'bare'] as const).map((contender) => ({
        what: contender,
        values: {
          'requests/s': of(contender, 'perSecond'),
          'p50 ms': of(contender, 'p50'),
          'p95 ms': of(contender, 'p95'),
          'CPU ms': of(contender, 'cpu'),
          'CPU x bare': of(contender, 'cpu') / of('bare', 'cpu'),
        },
      })),
    );
  }
}

/** To one processor, with all its threads, where the machine has `taskset`. Returns the process. */
async function pin(server: Served): Promise<number> {
  const pid = await server.ask<number>('pid');
  const { status } = spawnSync('taskset', ['-acp', '0', String(pid)], { stdio: 'ignore' });
  if (status !== 0) console.log('taskset is not there: the servers may use all processors');
  return pid;
}

function senderTo(agent: Agent, { url, key }: Served, era: string): Send {
  const isModern = era === MODERN;
  return async (method, params = {}) => {
    const headers: Record<string, string> = { accept: ACCEPT, 'x-api-key': key, 'mcp-protocol-version': era };
    if (isModern) headers['mcp-method'] = method;
    if (isModern && typeof params.name === 'string') headers['mcp-name'] = params.name;
    const id = method.startsWith('notifications/') ? {} : { id: 1 };
    const body = { jsonrpc: '2.0', ...id, method, params: { ...params, ...(isModern && { _meta: META }) } };
    const answer = await post(agent, `${url}/mcp`, JSON.stringify(body), headers);
    if (answer.includes('"error"') || answer.includes('"isError":true')) throw new Error(answer);
  };
}

type Client = (send: Send, isOver: () => boolean) => Promise<void>;

async function measure(pid: number, send: Send, client: Client, seconds: number): Promise<Load> {
  const times: number[] = [];
  const timed: Send = async (method, params) => {
    const started = performance.now();
    await send(method, params);
    times.push(performance.now() - started);
  };
  const cpu = cpuSeconds({ pid });
  const started = performance.now();
  const isOver = () => performance.now() - started > seconds * 1_000;
  await Promise.all(Array.from({ length: CLIENTS }, () => client(timed, isOver)));
  const took = (performance.now() - started) / 1_000;
  return {
    perSecond: times.length / took,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    cpu: ((cpuSeconds({ pid }) - cpu) * 1_000) / times.length,
  };
}

const callTool = (send: Send) => send('tools/call', { name: 'noop', arguments: { text: 'x' } });

const callsInARow: Client = async (send, isOver) => {
  while (!isOver()) await callTool(send);
};

/** Each client at times of its own, so that they do not come all at once. */
const pacedCalls: Client = async (send, isOver) => {
  const everyMs = (CLIENTS / PACE) * 1_000;
  for (let next = performance.now() + Math.random() * everyMs; !isOver(); next += everyMs) {
    await sleep(Math.max(0, next - performance.now()));
    await callTool(send);
  }
};

/** Four tools in a session each, then the list of tools in one, then a pause. */
const sessions: Client = async (send, isOver) => {
  const clientInfo = { name: 'bench', version: '1.0.0' };
  const open = async () => {
    await send('initialize', { protocolVersion: LEGACY, capabilities: {}, clientInfo });
    await send('notifications/initialized');
  };
  while (!isOver()) {
    for (let tool = 0; tool < 4; tool++) {
      await open();
      await callTool(send);
    }
    await open();
    await send('tools/list');
    await sleep(PAUSE_MS);
  }
};
