import type { Config } from '../config.ts';
import type { EventStore, FileEventStore } from '../core/analytics/events/store.ts';
import type { Log } from '../logging/log.ts';
import { instrumentStore, StoreNotices } from '../metrics/event-store.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { openEventsAtFirstUse } from '../storage/events/duckdb/first-use.ts';
import type { Installation } from '../storage/installation/installation.ts';
import { EVENTS_FILE, SPOOL_FILE } from '../storage/installation/names.ts';
import type { PostgresPool } from '../storage/state/postgres/pool.ts';

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;

export type OpenEventStore = typeof openEventsAtFirstUse;

interface EventStoreParts {
  config: Config;
  metrics: Metrics;
  log: Log;
}

/** In the data directory; without its manifest in a copy of it. */
export async function openEventFiles(
  { config, metrics, log }: EventStoreParts,
  manifest: Installation | null,
  openStore: OpenEventStore,
): Promise<FileEventStore> {
  const store = await openStore(
    {
      directory: config.dataDir,
      ...optionsOf(config),
      memoryLimit: config.queryMemory,
      ...(manifest && {
        identities: { spool: manifest.identityOf(SPOOL_FILE), events: manifest.identityOf(EVENTS_FILE) },
      }),
    },
    observerOf(log, metrics),
  );
  return instrumentStore(store, metrics, log);
}

/** Accepted in PostgreSQL, asked in ClickHouse. */
export async function openSharedEvents(
  { config, metrics, log }: EventStoreParts,
  pool: PostgresPool,
  clickhouseUrl: string,
): Promise<EventStore> {
  const { ClickhouseEventStore } = await import('../storage/events/clickhouse/store.ts');
  const store = await ClickhouseEventStore.open(
    { pool, clickhouseUrl, ...optionsOf(config) },
    observerOf(log, metrics),
  );
  return instrumentStore<EventStore>(store, metrics, log);
}

function optionsOf(config: Config) {
  return {
    dedupWindowMs: config.dedupDays * DAY_MS,
    queryTimeoutMs: config.queryTimeout * 1_000,
    backlogLimit: config.backlog * MEGABYTE,
    resultCacheBytes: config.resultCache * MEGABYTE,
    keptColumns: { maxBytes: 96 * MEGABYTE },
  };
}

function observerOf(log: Log, metrics: Metrics) {
  const notices = new StoreNotices(log, metrics);
  return {
    onFault: (error: unknown) => notices.fault(error as Error),
    onNotice: (notice: Parameters<StoreNotices['notice']>[0]) => notices.notice(notice),
  };
}
