import { finishRestore, refuseCutOff } from '../backup/replace.ts';
import { BackupLock } from '../backup/staging.ts';
import type { Config } from '../config.ts';
import { EventOutbox } from '../core/analytics/events/outbox.ts';
import type { EventStore, FileEventStore } from '../core/analytics/events/store.ts';
import { MemoryGuard } from '../core/base/concurrency/memory-guard.ts';
import type { PeriodicTask } from '../core/base/concurrency/timers.ts';
import type { Effects } from '../core/base/shared/effects.ts';
import type { Log } from '../logging/log.ts';
import { returnMemory } from '../memory/heap.ts';
import { Metrics } from '../metrics/metrics.ts';
import { makeDataDirectory } from '../storage/installation/data-directory.ts';
import { type Installation, openInstallation } from '../storage/installation/installation.ts';
import { EVENTS_FILE, SPOOL_FILE } from '../storage/installation/names.ts';
import { type OpenEventStore, openEventFiles, openSharedEvents } from './event-store.ts';
import { openState, type State } from './state.ts';

export interface OpenStores extends State {
  config: Config;
  manifest: Installation;
  eventStore: EventStore;
  /** `eventStore` where it is in files; null on nodes, which share it. */
  eventFiles: FileEventStore | null;
  outbox: EventOutbox;
  memoryGuard: MemoryGuard;
  metrics: Metrics;
  log: Log;
}

/** Opens the stores; finishes an interrupted restore and removes an interrupted backup. */
export async function openStores(
  config: Config,
  log: Log,
  effects: Effects,
  openStore: OpenEventStore,
): Promise<OpenStores> {
  makeDataDirectory(config.dataDir);
  refuseCutOff(config.dataDir);
  finishRestore(config.dataDir);
  BackupLock.tryAcquire(config.dataDir)?.release();
  const metrics = new Metrics();
  const memoryGuard = new MemoryGuard(config.memory, returnMemory);
  const manifest = openInstallation(config);
  const { state, eventStore, eventFiles } = await openStateAndEvents(
    { config, metrics, log, memoryGuard },
    { manifest, effects, openStore },
  );
  const outbox = new EventOutbox({
    events: eventStore,
    tenants: state.tenants,
    effects: state.effects,
    onError: (error) => log.error({ err: error }, 'events of the runtime could not be recorded and wait'),
    onLost: () => metrics.lostRuntimeEvents.add(1),
  });
  let watching: PeriodicTask | null = null;
  const close = async () => {
    void watching?.close();
    void memoryGuard.close();
    await outbox.close();
    await eventStore.close();
    await state.maintenance.close().catch((error) => log.error({ err: error }, 'leases could not be ended'));
    await state.runner.close();
    await state.close();
  };
  try {
    watching = await joinProcesses(state, log);
    // Not fatal: `doctor` reports secrets that do not open.
    await state.sealing.finish().catch((error) => log.error({ err: error }, 'stored secrets do not open'));
    if (eventFiles) manifest.made(SPOOL_FILE, EVENTS_FILE);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...state, config, manifest, eventStore, eventFiles, outbox, memoryGuard, metrics, log, close };
}

type StoreParts = Pick<OpenStores, 'config' | 'metrics' | 'log' | 'memoryGuard'>;

async function openStateAndEvents(
  parts: StoreParts,
  { manifest, effects, openStore }: { manifest: Installation; effects: Effects; openStore: OpenEventStore },
) {
  const { config, log } = parts;
  if (config.nodes === null) {
    const [state, eventFiles] = await openTogether(
      openState(config, effects, log),
      openEventFiles(parts, manifest, openStore),
    );
    return { state, eventStore: eventFiles, eventFiles };
  }
  const state = await openState(config, effects, log);
  try {
    const eventStore = await openSharedEvents(parts, state.postgres!.pool, config.nodes.clickhouseUrl);
    return { state, eventStore, eventFiles: null };
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** Returns what follows the erasures of the other processes; null: there are none. */
async function joinProcesses({ runner, tenants, sealingKeys }: State, log: Log): Promise<PeriodicTask | null> {
  await runner.start();
  if (!runner.isAlone) {
    // With another secret key than theirs, this node could read neither their secrets nor their
    // sessions.
    await sealingKeys.active();
    return tenants.erasing.watch();
  }
  const interrupted = await tenants.erasing.unmarkInterrupted().catch((error: unknown) => {
    log.error({ err: error }, 'interrupted erasures could not be looked for');
    return [];
  });
  for (const tenantId of interrupted) log.warn({ tenantId }, 'the erasure of a tenant was interrupted: run it again');
  return null;
}

export interface Closable {
  close(): Promise<void>;
}

/** When one fails, the other is closed: its thread would keep the process alive. */
async function openTogether<First extends Closable, Second extends Closable>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<[First, Second]> {
  const results = await Promise.allSettled([first, second]);
  try {
    return [await first, await second];
  } catch (error) {
    for (const result of results) if (result.status === 'fulfilled') await result.value.close();
    throw error;
  }
}
