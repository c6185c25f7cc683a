import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { invalid } from '../core/shared/errors.ts';
import { createLog } from '../logging/log.ts';
import { Metrics } from '../metrics/metrics.ts';
import type { Installation } from '../moving/installation.ts';
import { makeDataDirectory } from '../storage/files/data-directory.ts';
import { openInstallation } from '../storage/files/installation.ts';
import { StoredKeyRing } from '../storage/files/key-ring.ts';
import { EVENTS_FILE, KNOWLEDGE_FILE, SPOOL_FILE, STATE_FILE } from '../storage/files/names.ts';
import { SqlKeyRing } from '../storage/sql/key-ring.ts';
import { openStateDatabase } from '../storage/sqlite/database.ts';
import { openKnowledgeStore } from '../storage/sqlite-knowledge/thread.ts';
import { openEventFiles, openSharedEvents } from './event-store.ts';
import { operate } from './operate.ts';

export interface OpenedInstallation extends Installation {
  close(): Promise<void>;
}

type Opening = (config: Config) => Promise<OpenedInstallation>;

/** Where the settings say. The caller owns the data directory if there is one. */
export const openTarget: Opening = (config) => (isShared(config) ? openServers(config) : openFiles(config));

/** The same to read from, while servers go on: of files a consistent copy, which the owner makes. */
export const openSource: Opening = (config) => (isShared(config) ? openServers(config) : openCopy(config));

export function isShared({ databaseUrl, clickhouseUrl }: Config): boolean {
  if (databaseUrl === undefined || clickhouseUrl !== undefined) return clickhouseUrl !== undefined;
  const alone =
    'AGENT_RUNTIME_DATABASE_URL alone leaves events and documents in files, which this command does not copy.';
  throw invalid(`${alone} Set AGENT_RUNTIME_CLICKHOUSE_URL, too, or neither.`);
}

/** Settings of a data directory by itself. */
export function directoryConfig(config: Config, dataDir: string): Config {
  return { ...config, dataDir, databaseUrl: undefined, clickhouseUrl: undefined, uploadsUrl: undefined };
}

async function openCopy(config: Config): Promise<OpenedInstallation> {
  const { directory } = await operate(config, { command: 'export', name: 'stage-backup', input: {} });
  const { id } = openInstallation(config);
  const copy = await openDirectory({ ...config, dataDir: directory }, id, new StoredKeyRing(config));
  return {
    ...copy,
    close: async () => {
      await copy.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function openFiles(config: Config): Promise<OpenedInstallation> {
  makeDataDirectory(config.dataDir);
  const manifest = openInstallation(config);
  const made = (name: string) => manifest.made(name);
  const opened = await openDirectory(config, manifest.id, new StoredKeyRing({ ...config, onMade: made }));
  made(STATE_FILE);
  manifest.made(SPOOL_FILE, EVENTS_FILE);
  made(KNOWLEDGE_FILE);
  return opened;
}

async function openDirectory(config: Config, id: string, ring: StoredKeyRing): Promise<OpenedInstallation> {
  const log = createLog(config.logLevel);
  const state = await openStateDatabase(join(config.dataDir, STATE_FILE), id);
  const { openEventsOnDemand } = await import('../storage/duckdb/on-demand.ts');
  const events = await openEventFiles({ config, metrics: new Metrics(), log }, null, openEventsOnDemand);
  const knowledge = openKnowledgeStore(config.dataDir, {
    onFault: (error) => log.error({ err: error }, 'knowledge store'),
    installationId: id,
    onMade: () => undefined,
  });
  return {
    ...{ id, state, events, knowledge, ring },
    close: async () => {
      await knowledge.close();
      await events.close();
      await state.destroy();
    },
  };
}

async function openServers(config: Config): Promise<OpenedInstallation> {
  const log = createLog(config.logLevel);
  const onError = (error: unknown) => log.error({ err: error }, 'copying');
  const { openPostgres } = await import('../storage/postgres/database.ts');
  const { openPostgresKnowledge } = await import('../storage/postgres-knowledge/store.ts');
  const postgres = await openPostgres({ url: config.databaseUrl!, connections: config.databaseConnections, onError });
  const { pool, state, clock, installationId: id } = postgres;
  const events = await openSharedEvents({ config, metrics: new Metrics(), log }, pool, config.clickhouseUrl!);
  const ring = await SqlKeyRing.open({ ...config, database: state, now: clock.now, onError });
  const knowledge = openPostgresKnowledge(pool, { onFault: onError });
  return {
    ...{ id, state, events, knowledge, ring },
    close: async () => {
      await knowledge.close();
      await events.close();
      ring.close();
      await postgres.close();
    },
  };
}
