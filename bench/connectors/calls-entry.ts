import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { openRuntime } from '../../src/app/runtime.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/logging/log.ts';
import { definitionAt } from './definition.ts';

/*
 * The client process of the connectors bench. It sends the same requests to the same API by plain
 * undici, through a connector of a runtime in this process (SSRF guard, validation, credential, size
 * cap, circuit breaker, events), and through a whole server.
 */

export interface Calls {
  contender: 'undici' | 'connector' | 'server';
  /** Port of the API. */
  port: number;
  /** Port of the server; for `server` only. */
  server?: { url: string; key: string };
  concurrency: number;
  seconds: number;
}

export interface Measured {
  calls: number;
  seconds: number;
  /** Milliseconds of one call. */
  p50: number;
  p99: number;
}

const DATA = { ownerId: 7, limit: 10, tags: ['small', 'brown'] };
const agent = new Agent({ connections: 100 });
const call: Record<Calls['contender'], (asked: Calls) => Promise<() => Promise<unknown>>> = {
  undici: async ({ port }) => {
    const url = `http://127.0.0.1:${port}/v1/owners/7/pets?limit=10&tags=small&tags=brown`;
    const headers = { accept: 'application/json', 'x-pets-key': 'a-key-of-the-bench' };
    return async () => {
      const { statusCode, body } = await request(url, { dispatcher: agent, headers });
      if (statusCode !== 200) throw new Error(`undici: ${statusCode}`);
      return body.json();
    };
  },
  connector: async ({ port }) => {
    const { runtime, caller } = await opened();
    await runtime.credentials.set(
      caller.tenantId,
      { name: 'pets', secret: 'a-key-of-the-bench', hosts: ['127.0.0.1'] },
      null,
    );
    await runtime.connectors.apply(caller.tenantId, definitionAt(port), null);
    return () => {
      const { signal } = new AbortController();
      return runtime.connectorExecution.execute(
        caller,
        { connector: 'pets', resource: 'listPets', data: DATA },
        signal,
      );
    };
  },
  server: async ({ server }) => {
    const { url, key } = server!;
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const body = JSON.stringify({ resource: 'listPets', data: DATA });
    return async () => {
      const path = `${url}/api/v1/runtime/v1/connectors/pets`;
      const answer = await request(path, { dispatcher: agent, method: 'POST', headers, body });
      if (answer.statusCode !== 200) throw new Error(`server: ${answer.statusCode} ${await answer.body.text()}`);
      return answer.body.json();
    };
  },
};

let runtime: Promise<Awaited<ReturnType<typeof open>>> | undefined;

function opened() {
  runtime ??= open();
  return runtime;
}

async function open() {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  const config = loadConfig({ dataDir, logLevel: 'silent' }, {}, {});
  const made = await openRuntime(config, createLog('silent'));
  const tenant = await made.tenants.get('default');
  const { key } = await made.keys.create(tenant.id, { agentId: 'bench', label: 'bench', scopes: ['*'] }, null);
  return { runtime: made, caller: await made.keyAuthenticator.authenticate(key), dataDir };
}

async function run(asked: Calls): Promise<Measured> {
  const ask = await call[asked.contender](asked);
  const times: number[] = [];
  const started = performance.now();
  const end = started + asked.seconds * 1_000;
  await Promise.all(
    Array.from({ length: asked.concurrency }, async () => {
      while (performance.now() < end) {
        const before = performance.now();
        await ask();
        times.push(performance.now() - before);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { calls: times.length, seconds, p50: at(0.5), p99: at(0.99) };
}

process.on('message', async (asked: Calls | 'stop') => {
  if (asked !== 'stop') return process.send?.(await run(asked));
  const made = await runtime;
  await made?.runtime.close();
  if (made) rmSync(made.dataDir, { recursive: true, force: true });
  process.exit(0);
});
