import { join } from 'node:path';
import { refuseHalfRestored } from '../backup/replace.ts';
import { BackupLock } from '../backup/staging.ts';
import type { Config, NodeUrls } from '../config.ts';
import type { EventStore } from '../core/analytics/events/store.ts';
import type { KnowledgeStore } from '../core/knowledge/store.ts';
import { createLog } from '../logging/log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { makeDataDirectory } from '../storage/installation/data-directory.ts';
import { type Installation as Manifest, openInstallation } from '../storage/installation/installation.ts';
import { StoredKeyRing } from '../storage/installation/key-ring.ts';
import { EVENTS_FILE, KNOWLEDGE_FILE, SPOOL_FILE, STATE_FILE } from '../storage/installation/names.ts';
import { openKnowledgeStore } from '../storage/knowledge/sqlite/thread.ts';
import { SqlKeyRing } from '../storage/state/sql/key-ring.ts';
import { openStateDatabase } from '../storage/state/sqlite/database.ts';
import type { TransferPlace } from '../transfer/installation.ts';
import { openEventFiles, openSharedEvents } from './event-store.ts';
import { operate } from './operate.ts';

export interface OpenedInstallation extends TransferPlace {
  close(): Promise<void>;
}

type InState = Pick<TransferPlace, 'id' | 'state' | 'ring'>;
type OpenedState = InState & { close(): Promise<void> };

type Opening = (config: Config) => Promise<OpenedInstallation>;

/**
 * No id of an event is forgotten while it is filled: a later run would double the events of an
 * earlier one.
 */
const ALWAYS_DAYS = 36_500;

/** Opens where the settings say. The caller owns the data directory, unless they name nodes. */
export const openTarget: Opening = (config) => {
  const target = { ...config, dedupDays: ALWAYS_DAYS };
  return config.nodes === null ? openFiles(target) : openNodes(target, config.nodes);
};

/** Opens the source. Servers keep running: from files, the owner first makes a consistent copy. */
export const openSource: Opening = (config) =>
  config.nodes === null ? openCopy(config) : openNodes(config, config.nodes);

/** Settings of a data directory by itself. */
export function directoryConfig(config: Config, dataDir: string): Config {
  return { ...config, dataDir, nodes: null };
}

async function openCopy(config: Config): Promise<OpenedInstallation> {
  // Removes the copy that a killed command left, and its own at the end.
  const lock = BackupLock.acquire(config.dataDir);
  return closing(
    async () => lock.release(),
    async () => {
      const { directory } = await operate(config, { command: 'export', name: 'stage-backup', input: {} });
      const { id } = openInstallation(config);
      const state = await openStateFile(directory, id, () => new StoredKeyRing(config));
      return withFiles(state, config, { id, directory, manifest: null });
    },
  );
}

async function openFiles(config: Config): Promise<OpenedInstallation> {
  const { dataDir: directory } = config;
  makeDataDirectory(directory);
  refuseHalfRestored(directory);
  const manifest = openInstallation(config);
  const { id } = manifest;
  const onMade = (name: string) => manifest.made(name);
  const state = await openStateFile(directory, id, () => new StoredKeyRing({ ...config, onMade }));
  manifest.made(STATE_FILE);
  const opened = await withFiles(state, config, { id, directory, manifest });
  manifest.made(SPOOL_FILE, EVENTS_FILE, KNOWLEDGE_FILE);
  return opened;
}

async function openStateFile(directory: string, id: string, ring: () => StoredKeyRing): Promise<OpenedState> {
  const state = await openStateDatabase(join(directory, STATE_FILE), id);
  return { id, state, ring: ring(), close: () => state.destroy() };
}

interface Files {
  /** The id of the installation that the files belong to. */
  id: string;
  directory: string;
  /** Null for a temporary copy: it has no manifest of its own. */
  manifest: Manifest | null;
}

/** Owns `state`. */
function withFiles(
  state: OpenedState,
  config: Config,
  { id, directory, manifest }: Files,
): Promise<OpenedInstallation> {
  return closing(state.close, async () => {
    const { openEventsAtFirstUse } = await import('../storage/events/duckdb/first-use.ts');
    const log = createLog(config.logLevel);
    const parts = { config: { ...config, dataDir: directory }, metrics: new Metrics(), log };
    const events = await openEventFiles(parts, manifest, openEventsAtFirstUse);
    const knowledge = openKnowledgeStore(directory, {
      onFault: onErrorOf(config),
      installationId: id,
      onMade: () => undefined,
    });
    return together(state, events, knowledge);
  });
}

async function openNodes(config: Config, { databaseUrl: url, clickhouseUrl }: NodeUrls): Promise<OpenedInstallation> {
  const onError = onErrorOf(config);
  const { openPostgres } = await import('../storage/state/postgres/database.ts');
  const { openPostgresKnowledge } = await import('../storage/knowledge/postgres/store.ts');
  const { pool, state, clock, installationId, close } = await openPostgres({
    ...{ url, connections: config.databaseConnections, onError },
  });
  return closing(close, async () => {
    const ring = await SqlKeyRing.open({ ...config, database: state, now: clock.now, onError });
    return closing(
      async () => ring.close(),
      async () => {
        const parts = { config, metrics: new Metrics(), log: createLog(config.logLevel) };
        const events = await openSharedEvents(parts, pool, clickhouseUrl);
        const knowledge = openPostgresKnowledge(pool, { onFault: onError });
        return together({ id: installationId, state, ring }, events, knowledge);
      },
    );
  });
}

function together({ id, state, ring }: InState, events: EventStore, knowledge: KnowledgeStore): OpenedInstallation {
  return {
    ...{ id, state, ring, events, knowledge },
    close: async () => {
      await knowledge.close();
      await events.close();
    },
  };
}

/** `end` runs after what was opened is closed, and immediately if it cannot be opened. */
async function closing<Opened extends { close(): Promise<void> }>(
  end: () => Promise<void>,
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    const opened = await open();
    return { ...opened, close: () => opened.close().finally(end) };
  } catch (error) {
    await end();
    throw error;
  }
}

function onErrorOf({ logLevel }: Config): (error: unknown) => void {
  const log = createLog(logLevel);
  return (error) => log.error({ err: error }, 'copying');
}
