import { MAX_BATCH_EVENTS } from '../../src/core/analytics/events/ingest-schema.ts';
import { rowObjects } from '../../src/core/analytics/events/questions/ask.ts';
import { eventsQuerySchema } from '../../src/core/analytics/events/schema.ts';
import type { StoredEvent } from '../../src/core/analytics/events/store.ts';
import { median, medianTimes, pause } from './measure.ts';
import { measureNewTenants } from './new-tenants.ts';
import { appendWithRetries, caller, diskOf, load, type OwnStore, openOwnStore, settle, visible } from './own-store.ts';
import type { SourceEvent } from './source-rows.ts';
import { makeStored } from './stored-events.ts';

export interface TenantsMeasured {
  eventsPerSecond: number;
  oneTenantMs: number;
  manyTenantsMs: number;
  unhurriedMs: number;
  queryMs: number;
  newTenantsMs: number;
  memoryMb: number;
  diskMb: number;
  openMs: number;
  reopenedMemoryMb: number;
}

interface Input {
  directory: string;
  tenants: number;
  events: number;
  rounds: number;
}

/** The tenant and event of the queries: their number is the same at every number of tenants. */
const WATCHED = 'tenant-0';
const WATCHED_SHARE = 50;
const MOST_AT_ONCE = 200;
const EVENTS_AT_ONCE = 10;

const question = eventsQuerySchema.parse({ eventName: 'watched', mode: 'aggregate', groupBy: 'country' });

/** The measurements of a store with so many tenants. */
export async function measureTenants({ directory, tenants, events, rounds }: Input): Promise<TenantsMeasured> {
  const names = Array.from({ length: tenants }, (_, number) => `tenant-${number}`);
  const store = await openOwnStore(directory, names);
  const seconds = await load(store, spread(names, events));
  const some = names.slice(-MOST_AT_ONCE);
  const oneTenantMs = await medianOf(rounds, () => appendAndWait(store, [WATCHED]));
  const manyTenantsMs = await medianOf(rounds, () => appendAndWait(store, some));
  const unhurriedMs = await medianOf(rounds, () => appendAndLook(store, some));
  const { query: queryMs } = await medianTimes({ query: () => ask(store) }, rounds);
  const newTenantsMs = await measureNewTenants(store.runtime.eventStore);
  await settle(directory);
  const memoryMb = residentMb();
  await store.runtime.close();
  const diskMb = diskOf(directory).all / 1e6;

  const started = performance.now();
  const reopened = await openOwnStore(directory, [WATCHED]);
  await ask(reopened);
  const openMs = performance.now() - started;
  const reopenedMemoryMb = residentMb();
  await reopened.runtime.close();
  const eventsPerSecond = events / seconds;
  return {
    eventsPerSecond,
    oneTenantMs,
    manyTenantsMs,
    unhurriedMs,
    queryMs,
    newTenantsMs,
    memoryMb,
    diskMb,
    openMs,
    reopenedMemoryMb,
  };
}

function ask(store: OwnStore) {
  return store.runtime.events.query(caller(store, WATCHED), question);
}

/** A batch of each tenant, all of the same size; the watched events first. */
async function* spread(names: string[], events: number): AsyncGenerator<SourceEvent[]> {
  const watched = Math.floor(events / WATCHED_SHARE);
  yield* batches(WATCHED, watched, 'watched');
  const each = Math.max(1, Math.floor((events - watched) / names.length));
  const size = Math.min(each, MAX_BATCH_EVENTS);
  for (let done = 0; done < each; done += size) {
    for (const tenant of names) yield* batches(tenant, Math.min(size, each - done));
  }
}

function* batches(tenant: string, count: number, eventName?: string): Generator<SourceEvent[]> {
  for (let done = 0; done < count; done += MAX_BATCH_EVENTS) {
    const length = Math.min(MAX_BATCH_EVENTS, count - done);
    yield Array.from({ length }, () => ({ tenant, event: makeStored(eventName) }));
  }
}

/** Milliseconds until events of each tenant can be queried, for a client that waits for them. */
async function appendAndWait(store: OwnStore, tenants: string[]): Promise<number> {
  const started = performance.now();
  const receipts = await appendToEach(store, tenants, 'waited_for');
  await Promise.all(receipts.map((receipt) => visible(store.runtime.eventStore, receipt)));
  return performance.now() - started;
}

const POLL_MS = 5;

/** The same for a client that polls for the last tenant's events, without speeding up the flush. */
async function appendAndLook(store: OwnStore, tenants: string[]): Promise<number> {
  const started = performance.now();
  const eventName = `looked_for_${started}`;
  await appendToEach(store, tenants, eventName);
  const last = caller(store, tenants.at(-1) ?? WATCHED);
  const looking = eventsQuerySchema.parse({ eventName, mode: 'aggregate' });
  const isThere = async () => rowObjects((await store.runtime.events.query(last, looking)).rows)[0]?.count;
  while (!(await isThere())) await pause(POLL_MS);
  return performance.now() - started;
}

function appendToEach(store: OwnStore, tenants: string[], eventName: string): Promise<string[]> {
  const batch = (): StoredEvent[] => Array.from({ length: EVENTS_AT_ONCE }, () => makeStored(eventName));
  return Promise.all(
    tenants.map((name) => appendWithRetries(store.runtime.eventStore, caller(store, name).tenantId, batch())),
  );
}

async function medianOf(rounds: number, measure: () => Promise<number>): Promise<number> {
  await measure();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await measure());
  return median(times);
}

export function residentMb(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1e6;
}
