import { finishRestore } from '../backup/replace.ts';
import { BackupLock } from '../backup/staging.ts';
import type { Config } from '../config.ts';
import type { FileEventStore } from '../core/events/store.ts';
import type { Effects } from '../core/shared/effects.ts';
import type { Log } from '../logging/log.ts';
import { instrumentStore } from '../metrics/instrumented-store.ts';
import { Metrics } from '../metrics/metrics.ts';
import { StoreNotices } from '../metrics/store-notices.ts';
import type { openEventsOnDemand } from '../storage/duckdb/on-demand.ts';
import { makeDataDirectory } from '../storage/files/data-directory.ts';
import { type Installation, openInstallation } from '../storage/files/installation.ts';
import { EVENTS_FILE, SPOOL_FILE } from '../storage/files/names.ts';
import { openState, type State } from './state.ts';

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;

export interface Foundation extends State {
  config: Config;
  manifest: Installation;
  eventStore: FileEventStore;
  metrics: Metrics;
  log: Log;
}

/** Also finishes an interrupted restore and removes an interrupted backup. */
export async function openFoundation(
  config: Config,
  log: Log,
  effects: Effects,
  openStore: OpenEventStore,
): Promise<Foundation> {
  makeDataDirectory(config.dataDir);
  finishRestore(config.dataDir);
  BackupLock.tryAcquire(config.dataDir)?.release();
  const metrics = new Metrics();
  const manifest = openInstallation(config);
  const [state, eventStore] = await openBoth(
    openState(config, effects, log),
    openEventStore({ config, manifest, metrics, log, openStore }),
  );
  let unwatch = (): void => undefined;
  const close = async () => {
    unwatch();
    await eventStore.close();
    await state.maintenance.close().catch((error) => log.error({ err: error }, 'leases could not be ended'));
    await state.runner.close();
    await state.close();
  };
  try {
    unwatch = await joinProcesses(state, log);
    // Not fatal: `doctor` reports secrets that do not open.
    await state.sealing.finish().catch((error) => log.error({ err: error }, 'stored secrets do not open'));
    manifest.made(SPOOL_FILE, EVENTS_FILE);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...state, config, manifest, eventStore, metrics, log, close };
}

/** Returns how to stop following the other ones. */
async function joinProcesses({ runner, tenants, sealingKeys }: State, log: Log): Promise<() => void> {
  await runner.start();
  if (!runner.isAlone) {
    // With another secret key than theirs, this node could read neither their secrets nor their sessions.
    await sealingKeys.active();
    return tenants.watchErasures();
  }
  const interrupted = await tenants.interruptedErasures().catch((error: unknown) => {
    log.error({ err: error }, 'interrupted erasures could not be looked for');
    return [];
  });
  for (const tenantId of interrupted) log.warn({ tenantId }, 'the erasure of a tenant was interrupted: run it again');
  return () => undefined;
}

export type OpenEventStore = typeof openEventsOnDemand;

interface EventStoreParts extends Pick<Foundation, 'config' | 'manifest' | 'metrics' | 'log'> {
  openStore: OpenEventStore;
}

async function openEventStore({ config, manifest, metrics, log, openStore }: EventStoreParts): Promise<FileEventStore> {
  const notices = new StoreNotices(log, metrics);
  const store = await openStore(
    {
      directory: config.dataDir,
      dedupWindowMs: config.dedupDays * DAY_MS,
      queryTimeoutMs: config.queryTimeout * 1_000,
      memoryLimit: config.queryMemory,
      backlogLimit: config.backlog * MEGABYTE,
      resultCacheBytes: config.resultCache * MEGABYTE,
      identities: { spool: manifest.identityOf(SPOOL_FILE), events: manifest.identityOf(EVENTS_FILE) },
    },
    {
      onFault: (error) => notices.fault(error),
      onNotice: (notice) => notices.notice(notice),
    },
  );
  return instrumentStore(store, metrics, log);
}

export interface Closable {
  close(): Promise<void>;
}

/** When one fails, the other is closed: its thread would keep the process alive. */
async function openBoth<First extends Closable, Second extends Closable>(
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
