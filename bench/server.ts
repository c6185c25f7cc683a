import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import BetterSqlite3 from 'better-sqlite3';
import express, { type Express } from 'express';
import { z } from 'zod';
import { openRuntime, type Runtime } from '../src/app/runtime.ts';
import { createServerApp } from '../src/app/server.ts';
import { listen, urlOf } from '../src/commands/server/listen.ts';
import { loadConfig } from '../src/config.ts';
import { EventService } from '../src/core/analytics/events/service.ts';
import type { EventStore, StoredEvent } from '../src/core/analytics/events/store.ts';
import { realEffects } from '../src/core/base/shared/effects.ts';
import { mcpHandlers } from '../src/http/mcp/endpoint.ts';
import { createLog } from '../src/logging/log.ts';
import { boundHeaps } from '../src/memory/heap.ts';
import { defineTool, READ_ONLY, type ToolDefinition } from '../src/tools/define.ts';
import { toolServerFactory, tools } from '../src/tools/server.ts';
import { definitionAt } from './connectors/definition.ts';
import { diskOf } from './events/own-store.ts';
import { ACCESS_TOKEN, fillOAuth } from './oauth-content.ts';

/*
 * The server under test, in its own process. The first argument chooses the variant: `product`;
 * `direct`, with one DuckDB commit per ingest request; `noop`, with an empty tool and a bare Express
 * POST; `ping`, with that tool beside the others; `reviews`, with a bare insert as well; `chat` and `chat-unrecorded`, with a local provider;
 * `oauth`, without rate limits;
 * `knowledge`, without an embedder; `knowledge-hash`, with the built-in one. The second argument
 * names the data directory.
 */

const noop = defineTool({
  name: 'noop',
  title: 'No-op',
  description: 'Does nothing.',
  instruction: 'Echoes.',
  scopes: ['mcp:read'],
  input: z.strictObject({ text: z.string() }),
  output: z.object({ text: z.string() }),
  annotations: READ_ONLY,
  run: async ({ text }) => ({ text }),
});

const kind = process.argv[2] ?? 'product';
const dataDir = process.argv[3] ?? mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
// A rate limit that is on but never reached, since its cost counts. No result cache.
const settings = loadConfig(
  {
    dataDir,
    port: 0,
    logLevel: 'silent',
    rateLimit: kind === 'oauth' ? 0 : 60_000_000,
    chatRecording: kind === 'chat-unrecorded' ? 'off' : 'full',
    ...(kind === 'knowledge-hash' && { embedder: 'hash' }),
  },
  {},
  {},
);
const config = { ...settings, rateLimitBurst: 60_000_000, resultCache: 0, chatStreams: 10_000 };
boundHeaps(config.memory.share);
const runtime = await openRuntime(config, createLog(config.logLevel));
const listeners: Record<string, () => Promise<Express> | Express> = {
  noop: () => noopListener(runtime),
  ping: () => {
    (tools as ToolDefinition[]).push(noop);
    return createServerApp(runtime);
  },
  reviews: () => besideBareInsert(createServerApp(runtime)),
};
const listener = await (listeners[kind]?.() ?? createServerApp(await product(runtime)));
const server = await listen(listener, config);
const tenant = await runtime.tenants.get('default');
const { key } = await runtime.keys.create(tenant.id, { agentId: 'bench', label: 'bench', scopes: ['*'] }, null);

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

/** Requests of the bench: a name and at most one number. */
const answers: Record<string, (count: number) => unknown> = {
  loop: () => {
    const measured = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
    delay.reset();
    return measured;
  },
  keys: () => check(() => runtime.keyAuthenticator.authenticate(key)),
  oauth: (count) => fillOAuth(runtime, tenant.id, count),
  'token check': () => tokenCheck(runtime, key),
  memory: () => ({ now: process.memoryUsage.rss() / 1e6, peak: process.resourceUsage().maxRSS / 1e3 }),
  pid: () => process.pid,
  provider: (port) =>
    runtime.providers.apply(tenant.id, {
      name: 'bench',
      provider: 'custom',
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: 'sk-bench',
      allowPrivateNetwork: true,
    }),
  connector: async (port) => {
    await runtime.credentials.set(
      tenant.id,
      { name: 'pets', secret: 'a-key-of-the-bench', hosts: ['127.0.0.1'] },
      null,
    );
    return runtime.connectors.apply(tenant.id, definitionAt(port), null);
  },
  disk: () => diskOf(dataDir),
  backlog: async () => (await runtime.eventStore.stats()).backlog.bytes,
  tenants: (count) => keysOfTenants(runtime, count),
  stop: async () => {
    server.close();
    server.closeAllConnections();
    await runtime.close();
    if (process.argv[3] === undefined) rmSync(dataDir, { recursive: true, force: true });
    process.exit(0);
  },
};

process.on('message', async (question: string) => {
  const [, name = '', count] = /^(.*?)(?: (\d+))?$/.exec(question) ?? [];
  process.send?.(await answers[name]?.(Number(count)));
});
process.send?.({ url: urlOf(server, config), key });

/** A key each for so many tenants that have nothing yet; each time others. */
async function keysOfTenants({ tenants, keys: keyService }: Runtime, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let number = 0; number < count; number++) {
    const { id } = await tenants.create({ name: `bench-${randomUUID()}` });
    const issued = await keyService.create(id, { agentId: 'bench', label: 'bench', scopes: ['*'] }, null);
    keys.push(issued.key);
  }
  return keys;
}

async function product(base: Runtime): Promise<Runtime> {
  if (kind !== 'direct') return base;
  const store = await directStore(join(dataDir, 'direct.duckdb'), base.eventStore);
  const { agents, dashboardStore, reviewStore, metricCatalog, annotations, segments, executionStore } = base;
  const events = new EventService({
    store,
    agents,
    dashboards: dashboardStore,
    reviews: reviewStore,
    metrics: metricCatalog,
    segments,
    executions: executionStore,
    annotations,
    effects: realEffects,
    onIngest: () => undefined,
    quota: { admit: async () => ({ end: () => undefined }) },
    audit: { record: async () => undefined },
  });
  return { ...base, events };
}

/** The baseline: each request is its own DuckDB transaction, in sequence. */
async function directStore(path: string, queries: EventStore): Promise<EventStore> {
  const connection: DuckDBConnection = await (await DuckDBInstance.create(path)).connect();
  await connection.run(`CREATE TABLE events (tenant_id VARCHAR, agent_id VARCHAR, event_name VARCHAR, timestamp BIGINT,
    id VARCHAR, thread_id VARCHAR, execution_id VARCHAR, properties VARCHAR); CREATE TABLE ids (id VARCHAR PRIMARY KEY)`);
  const insert =
    await connection.prepare(`INSERT INTO events SELECT $1, e.agentId, e.eventName, e.timestamp, e.id, e.threadId, e.executionId, e.properties
    FROM (SELECT unnest(from_json($2, '[{"agentId":"VARCHAR","eventName":"VARCHAR","timestamp":"BIGINT","id":"VARCHAR","threadId":"VARCHAR","executionId":"VARCHAR","properties":"VARCHAR"}]')) AS e)`);
  const remember = await connection.prepare(
    `INSERT INTO ids SELECT unnest(from_json($1, '["VARCHAR"]')) ON CONFLICT DO NOTHING`,
  );
  let last: Promise<unknown> = Promise.resolve();
  const commit = async (tenantId: string, events: StoredEvent[]) => {
    await connection.run('BEGIN');
    const named = events.filter((event) => event.idFromCaller).map((event) => event.id);
    if (named.length > 0) {
      remember.bindVarchar(1, JSON.stringify(named));
      await remember.run();
    }
    insert.bindVarchar(1, tenantId);
    insert.bindVarchar(2, JSON.stringify(events));
    await insert.run();
    await connection.run('COMMIT');
    return { duplicates: 0, receipt: '' };
  };
  return {
    ...queries,
    append: (tenantId, events) => {
      const result = last.then(() => commit(tenantId, events));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

function noopListener(base: Runtime) {
  const app = express();
  app.post('/bare', express.json(), (request, response) => {
    response.json({ text: request.body.text });
  });
  const handlers = mcpHandlers({
    services: base,
    log: base.log,
    factory: (requests) =>
      toolServerFactory({ services: base, watch: base, ...requests, cardApp: async () => '', offered: [noop] }),
    allowedHosts: [],
    allowedOrigins: [],
    scopesOfTool: async () => null,
    baseOf: () => null,
  });
  app.all('/mcp', ...handlers);
  return app;
}

/** The baseline of a review: parse its JSON, insert a row durably, send a short response. */
function besideBareInsert(product: Express): Express {
  const database = new BetterSqlite3(join(dataDir, 'bare.sqlite'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    'CREATE TABLE IF NOT EXISTS reviews (id TEXT PRIMARY KEY, rating TEXT, comment TEXT, priority TEXT, tags TEXT)',
  );
  const insert = database.prepare('INSERT INTO reviews VALUES (?, ?, ?, ?, ?)');
  const app = express();
  app.post('/bare', express.json(), (request, response) => {
    const { rating, comment, priority, tags } = request.body as Record<string, unknown>;
    const id = randomUUID();
    insert.run(id, rating, comment, priority, JSON.stringify(tags));
    response.status(201).json({ id, rating, comment, priority, tags });
  });
  app.use(product);
  return app;
}

/** Microseconds for one check of a credential, over the real state database. */
async function check(authenticate: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    const started = performance.now();
    for (let count = 0; count < 2_000; count++) await authenticate();
    best = Math.min(best, ((performance.now() - started) / 2_000) * 1_000);
  }
  return best;
}

/** Microseconds of the check of a key and of an access token, alternately. */
async function tokenCheck({ keyAuthenticator, tokenAuthenticator }: Runtime, credential: string) {
  const audience = 'https://bench.example.com/mcp';
  const best = { key: Number.POSITIVE_INFINITY, token: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 5; round++) {
    best.key = Math.min(best.key, await check(() => keyAuthenticator.authenticate(credential)));
    best.token = Math.min(best.token, await check(() => tokenAuthenticator.authenticate(ACCESS_TOKEN, audience)));
  }
  return best;
}
