import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import type { OpenEventStore } from '../../src/app/event-store.ts';
import { openServer } from '../../src/app/server.ts';
import { listen, urlOf } from '../../src/commands/server/listen.ts';
import { type ConfigInput, FIXED, loadConfig } from '../../src/config.ts';
import type { AccessLimits } from '../../src/core/base/filters/limits.ts';
import type { Caller, Scope } from '../../src/core/base/shared/caller.ts';
import { type Effects, realEffects } from '../../src/core/base/shared/effects.ts';
import { createLog, type Log } from '../../src/logging/log.ts';
import { closeServer } from '../../src/ownership/close-server.ts';
import { DuckdbEventStore } from '../../src/storage/events/duckdb/store.ts';
import './at-end.ts';
import { CHEAP_HASHING } from './cheap-hashing.ts';
import { fillDataDirectory } from './data-directory.ts';

const EVERYTHING: '*'[] = ['*'];

export const EVENTS = '/api/v1/runtime/v1/observability/events';

/** A directory that is gone after the test. */
export function temporaryDirectory(t: Pick<TestContext, 'after'>): string {
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-test-'));
  // Ends run in their order: a store that is opened in it later is closed before.
  t.after(() => t.after(() => rmSync(directory, { recursive: true, force: true })));
  return directory;
}

export interface TestApp {
  url: string;
  /** A key with every scope, bound to the agent `support`. */
  key: string;
  tenantId: string;
  /** The caller behind `key`. */
  caller: Caller;
  runtime: Awaited<ReturnType<typeof openServer>>['runtime'];
  newKey(options?: {
    tenant?: string;
    agentId?: string | null;
    scopes?: (Scope | '*')[];
    expiresAt?: number;
    limits?: AccessLimits;
  }): Promise<string>;
  /** A request with the key; the body as JSON when given. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** Ingests events and waits until they are visible. */
  ingest(events: object[], key?: string): Promise<{ accepted: number; duplicates: number; receipt: string }>;
  mcpClient(key?: string, options?: ClientOptions): Promise<Client>;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
}

/**
 * Starting the event thread takes most of the time of a test app; process tests have it. On a busy machine, answers would
 * say that events are late.
 */
const openHere: OpenEventStore = (options, observer) => DuckdbEventStore.open({ ...options, lateMs: 60_000 }, observer);

/** `npm run test:nodes`: tests that have an app run on servers instead of files. */
const backend = process.env.TEST_BACKEND;

/** For a test's `skip`: false but for `npm run test:nodes`. */
export const skipOnServers =
  backend !== undefined && 'looks into files, or needs vectors, which the PostgreSQL of the tests has not';

async function settingsOn(place: string): Promise<ConfigInput> {
  const { serverSettings } = await import('./postgres-state.ts');
  return serverSettings(place);
}

/** Settings, and constants of operation that a test needs otherwise. */
export type AppSettings = ConfigInput & Partial<typeof FIXED>;

/** A whole server over real sockets and files, gone after the test. Its log goes nowhere unless one is given. */
export async function testApp(
  t: TestContext,
  settings: AppSettings = {},
  effects?: Effects,
  log?: Log,
  openStore: OpenEventStore = openHere,
): Promise<TestApp> {
  const dataDir = settings.dataDir ?? temporaryDirectory(t);
  if (settings.dataDir === undefined && backend === undefined) await fillDataDirectory(String(dataDir));
  const shared = backend === undefined ? {} : await settingsOn(String(dataDir));
  const all = { port: 0, logLevel: 'silent', ...shared, ...settings, dataDir };
  const isFixed = ([name]: [string, unknown]) => Object.hasOwn(FIXED, name);
  const [given, fixed] = [false, true].map((is) => Object.entries(all).filter((one) => isFixed(one) === is));
  const config = { ...loadConfig(Object.fromEntries(given!), {}, {}), ...Object.fromEntries(fixed!) };
  const opened = await openServer(
    config,
    log ?? createLog(config.logLevel),
    {
      hashing: CHEAP_HASHING,
      ...(effects ?? realEffects),
    },
    openStore,
  );
  const listening = listen(opened.listener, config);
  t.after(async () => {
    await listening.then((server) => closeServer(server, 200)).finally(() => opened.close());
  });
  const server = await listening;
  // A test stands where the proxy would.
  const url = urlOf(server, { ...config, publicUrl: undefined });
  return appOfTenant(t, { url, runtime: opened.runtime }, 'default');
}

/** What a test needs of a running server, with keys of one tenant (its name or id). */
export async function appOfTenant(
  t: Pick<TestContext, 'after'>,
  { url, runtime }: Pick<TestApp, 'url' | 'runtime'>,
  ownTenant: string,
): Promise<TestApp> {
  const { tenants, keys, keyAuthenticator, eventStore } = runtime;
  const newKey: TestApp['newKey'] = async ({
    tenant = ownTenant,
    agentId = 'support',
    scopes = EVERYTHING,
    expiresAt,
    limits,
  } = {}) => {
    const { id } = await tenants.get(tenant);
    return (await keys.create(id, { agentId, label: 'test', scopes, limits, expiresAt: expiresAt ?? null }, null)).key;
  };
  const key = await newKey();
  const caller = await keyAuthenticator.authenticate(key);

  const request: TestApp['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('application/json');
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
  };

  return {
    url,
    key,
    tenantId: caller.tenantId,
    caller,
    runtime,
    newKey,
    request,
    ingest: async (events, withKey = key) => {
      const { status, body } = await request('POST', EVENTS, { events }, { 'x-api-key': withKey });
      if (status !== 202) throw new Error(`ingest answered ${status}: ${JSON.stringify(body)}`);
      await eventStore.waitFor(body.receipt, 5_000);
      return body;
    },
    mcpClient: async (withKey = key, options) => {
      // Most tests need none, and pay for what is imported.
      const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
      const client = new Client({ name: 'test', version: '1.0.0' }, options);
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
          requestInit: { headers: { 'x-api-key': withKey } },
        }),
      );
      t.after(() => client.close());
      return client;
    },
  };
}
