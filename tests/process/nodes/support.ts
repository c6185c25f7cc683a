import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openState, type State } from '../../../src/app/state.ts';
import { type Config, type ConfigInput, describeSettings, loadConfig } from '../../../src/config.ts';
import type { PostgresPool } from '../../../src/storage/state/postgres/pool.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { type Balancer, startBalancer } from '../../support/balancer.ts';
import {
  clickhouseOf,
  newPlace,
  openTestPostgres,
  serverSettings,
  sharedClickhouse,
} from '../../support/postgres-state.ts';
import { eventually, type Server, type Started, startServer } from '../../support/process.ts';

/** From the moment on that something was ended until it was ready again, in milliseconds of `performance.now()`. */
export interface Outage {
  from: number;
  to: number;
}

export interface NodeOutage extends Outage {
  /** When its process was seen to be gone: until then it still accepts connections, and answers none. */
  gone: number;
}

export interface ClusterNode {
  name: string;
  url: string;
  dataDir: string;
  server: Server;
  outages: NodeOutage[];
}

export interface Cluster {
  url: string;
  balancer: Balancer<ClusterNode>;
  nodes: ClusterNode[];
  environment: Record<string, string>;
  config: Config;
  pool: PostgresPool;
  /** The rows of a statement on ClickHouse; `{database}` is that of the cluster. */
  eventRows(statement: string): Promise<unknown[][]>;
  /** With every scope, bound to the agent `support`; of a tenant that is made if there is none. */
  newKey(tenant?: string, expiresAt?: number): Promise<string>;
  useState<Result>(use: (state: State) => Promise<Result>): Promise<Result>;
  kill(node: ClusterNode): Promise<void>;
  restart(node: ClusterNode): Promise<void>;
}

export interface ClusterOptions {
  count?: number;
  /** By default the checkout's. */
  program?: Started | undefined;
  settings?: ConfigInput;
  environmentOf?: (index: number) => Record<string, string>;
}

export async function startCluster(
  t: TestContext,
  { count = 3, program, settings = {}, environmentOf = () => ({}) }: ClusterOptions = {},
): Promise<Cluster> {
  const place = newPlace();
  const shared = { rateLimit: 0, ...(await serverSettings(place)), ...settings };
  const environment = variablesOf(shared);
  const start = async (index: number, port = 0) => {
    const dataDir = join(temporaryDirectory(t), 'data');
    const options = { port, environment: { ...environment, ...environmentOf(index) }, ...(program && { program }) };
    return { dataDir, server: await startServer(t, dataDir, options) };
  };
  // The first one makes the tables and the first tenant.
  const started = [await start(0)];
  started.push(...(await Promise.all(Array.from({ length: count - 1 }, (_, index) => start(index + 1)))));
  const nodes = started.map(
    (one, index): ClusterNode => ({ name: `node ${index}`, url: one.server.url, ...one, outages: [] }),
  );
  const balancer = await startBalancer(t, nodes);

  const config = loadConfig({ ...shared, dataDir: temporaryDirectory(t) }, {}, {});
  const { pool, close } = await openTestPostgres(String(shared.databaseUrl), 4);
  t.after(close);
  const clickhouse = await sharedClickhouse();
  const clickhouseUrl = await clickhouseOf(place);
  const useState: Cluster['useState'] = async (use) => {
    const state = await openState(config);
    try {
      return await use(state);
    } finally {
      await state.close();
    }
  };
  return {
    ...{ url: balancer.url, balancer, nodes, environment, config, pool, useState },
    eventRows: (statement) => clickhouse.rows(clickhouseUrl, statement),
    newKey: (tenant = 'default', expiresAt) =>
      useState(async ({ tenants, keys }) => {
        const known = (await tenants.list()).find(({ name }) => name === tenant);
        const { id } = known ?? (await tenants.create({ name: tenant }));
        const issued = { agentId: 'support', label: 'test', scopes: ['*' as const], expiresAt: expiresAt ?? null };
        return (await keys.create(id, issued, null)).key;
      }),
    kill: async (node) => {
      const outage = { ...newOutage(), gone: Number.POSITIVE_INFINITY };
      node.outages.push(outage);
      await node.server.end('SIGKILL');
      outage.gone = performance.now();
    },
    restart: async (node) => {
      Object.assign(node, await start(nodes.indexOf(node), Number(new URL(node.url).port)));
      node.outages.at(-1)!.to = performance.now();
    },
  };
}

/** Begins now and has no end yet. */
export function newOutage(): Outage {
  return { from: performance.now(), to: Number.POSITIVE_INFINITY };
}

function variablesOf(settings: ConfigInput): Record<string, string> {
  const given = new Map(Object.entries(settings));
  return Object.fromEntries(
    describeSettings().flatMap(({ name, variable }) => (given.has(name) ? [[variable, String(given.get(name))]] : [])),
  );
}

/** Until every node says that it may be sent requests, with every dependency. */
export async function allReady({ nodes }: Cluster): Promise<void> {
  const isReady = async ({ url }: ClusterNode) => {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    const text = await response?.text();
    return response?.status === 200 && !text?.includes('unavailable');
  };
  const areReady = async () => (await Promise.all(nodes.map(isReady))).every(Boolean);
  await eventually('all nodes are ready', areReady, 60_000);
}

/** Until ClickHouse has every accepted event. */
export async function allVisible({ pool }: Cluster): Promise<void> {
  const isEmpty = async () => {
    const { rows } = await pool.query('SELECT 1 FROM event_spool UNION ALL SELECT 1 FROM event_flushes LIMIT 1');
    return rows.length === 0;
  };
  await eventually('all events are visible', isEmpty, 60_000);
}
