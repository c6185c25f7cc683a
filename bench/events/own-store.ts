import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openRuntime, type Runtime } from '../../src/app/runtime.ts';
import { loadConfig } from '../../src/config.ts';
import { MAX_BATCH_EVENTS } from '../../src/core/analytics/events/ingest-schema.ts';
import type { EventStore, StoredEvent } from '../../src/core/analytics/events/store.ts';
import type { Caller } from '../../src/core/base/shared/caller.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { createLog } from '../../src/logging/log.ts';
import { pause } from './measure.ts';
import type { SourceEvent } from './source-rows.ts';

/** The product, opened over a data directory. */
export interface OwnStore {
  directory: string;
  runtime: Runtime;
  /** The caller of each tenant, by name. */
  callers: Map<string, Caller>;
}

const TENANTS_AT_ONCE = 200;

/** `openStore`: another store of events than the one in files. */
export async function openOwnStore(
  directory: string,
  tenants: string[],
  openStore?: Parameters<typeof openRuntime>[3],
): Promise<OwnStore> {
  // Slow queries are measured, not interrupted; the cache is off.
  const settings = loadConfig({ dataDir: directory, logLevel: 'error', queryTimeout: 300 }, {}, {});
  const config = { ...settings, resultCache: 0 };
  const runtime = await openRuntime(config, createLog(config.logLevel), undefined, openStore);
  const callers = new Map<string, Caller>();
  for (let start = 0; start < tenants.length; start += TENANTS_AT_ONCE) {
    const some = tenants.slice(start, start + TENANTS_AT_ONCE);
    await Promise.all(some.map(async (name) => callers.set(name, await callerOf(runtime, name))));
  }
  return { directory, runtime, callers };
}

async function callerOf({ tenants }: Runtime, name: string): Promise<Caller> {
  const tenant = (await tenants.find(name)) ?? (await tenants.create({ name }));
  const credential = { kind: 'key', id: 'bench' } as const;
  return {
    tenantId: tenant.id,
    agentId: null,
    label: 'bench',
    scopes: ['*'],
    timezone: 'UTC',
    credential,
    userId: null,
    role: null,
  };
}

export function caller({ callers }: OwnStore, tenant: string): Caller {
  const found = callers.get(tenant);
  if (!found) throw new Error(`The bench has no tenant ${tenant}.`);
  return found;
}

/** Batches in flight: enough for continuous flushes without a growing backlog. */
const BATCHES_UNDER_WAY = 8;
const VISIBLE_WITHIN_MS = 120_000;

/**
 * Appends the events in batches of one tenant, as large as the API allows, until all are visible.
 */
export async function load(store: OwnStore, events: AsyncIterable<SourceEvent[]>): Promise<number> {
  const started = performance.now();
  const pending = new Map<string, StoredEvent[]>();
  const receipts: string[] = [];
  const send = async (tenant: string, batch: StoredEvent[]) => {
    receipts.push(await appendWithRetries(store.runtime.eventStore, caller(store, tenant).tenantId, batch));
    const oldest = receipts.length > BATCHES_UNDER_WAY ? receipts.shift() : undefined;
    if (oldest !== undefined) await visible(store.runtime.eventStore, oldest);
  };
  for await (const some of events) {
    for (const { tenant, event } of some) {
      const batch = pending.get(tenant) ?? [];
      pending.set(tenant, batch);
      batch.push(event);
      if (batch.length < MAX_BATCH_EVENTS) continue;
      pending.delete(tenant);
      await send(tenant, batch);
    }
  }
  for (const [tenant, batch] of pending) await send(tenant, batch);
  for (const receipt of receipts) await visible(store.runtime.eventStore, receipt);
  return (performance.now() - started) / 1_000;
}

/** Returns the receipt. Retries after the time that a store with a full backlog asks for. */
export async function appendWithRetries(store: EventStore, tenantId: string, batch: StoredEvent[]): Promise<string> {
  for (;;) {
    try {
      return (await store.append(tenantId, batch)).receipt;
    } catch (error) {
      if (!(error instanceof RuntimeError && error.code === 'unavailable')) throw error;
      await pause(200);
    }
  }
}

export async function visible(store: EventStore, receipt: string): Promise<void> {
  if (await store.waitFor(receipt, VISIBLE_WITHIN_MS)) return;
  throw new Error(`Events have not become visible within ${VISIBLE_WITHIN_MS / 1_000} s.`);
}

/** Maintenance runs every five seconds, and parts of it after five without arrivals. */
const QUIET_SECONDS = 12;
const QUIET_CPU_MICROSECONDS = 100_000;
const SETTLED_WITHIN_SECONDS = 180;

/** Waits for the end of background work: no processor time, no file that changes. */
export async function settle(directory: string): Promise<void> {
  let quiet = 0;
  for (let second = 0; second < SETTLED_WITHIN_SECONDS && quiet < QUIET_SECONDS; second++) {
    const cpu = process.cpuUsage();
    const before = JSON.stringify(filesOf(directory));
    await pause(1_000);
    const { user, system } = process.cpuUsage(cpu);
    const isQuiet = user + system < QUIET_CPU_MICROSECONDS && JSON.stringify(filesOf(directory)) === before;
    quiet = isQuiet ? quiet + 1 : 0;
  }
}

/** Bytes of each file of a data directory. */
export function filesOf(directory: string): Record<string, number> {
  const files = readdirSync(directory, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name)).filter(existsSync);
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length + 1), statSync(path).size]));
}

/** Bytes of the tables, of the spool with its ids, and of all files. */
export function diskOf(directory: string): { tables: number; spool: number; all: number } {
  const files = Object.entries(filesOf(directory));
  const sum = (some: [string, number][]) => some.reduce((total, [, bytes]) => total + bytes, 0);
  const spool = sum(files.filter(([name]) => name.startsWith('spool.')));
  const state = sum(files.filter(([name]) => name.startsWith('state.')));
  const all = sum(files);
  return { tables: all - spool - state, spool, all };
}
