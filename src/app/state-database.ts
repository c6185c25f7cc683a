import type { Config } from '../config.ts';
import { type MaintenanceLease, UNSHARED } from '../core/base/concurrency/maintenance.ts';
import type { Log } from '../logging/log.ts';
import type { PostgresDatabase } from '../storage/state/postgres/database.ts';
import type { StateDatabase, StateReader } from '../storage/state/sql/database.ts';
import { openStateFile } from '../storage/state/sqlite/database.ts';
import { openStateReader } from '../storage/state/sqlite/reader.ts';

export interface OpenedDatabase {
  database: StateDatabase;
  reader: StateReader;
  /** Null in file mode. */
  postgres: PostgresDatabase | null;
  /** The clock of the database; null in file mode. */
  now: (() => number) | null;
  /** Leases for maintenance that only one process does at a time. */
  maintenance(holder: string): MaintenanceLease;
  /** Lists a new file in the manifest of the data directory. */
  made(name: string): void;
  close(): Promise<void>;
}

/** `state.sqlite`, or the database that nodes share. Any process may call it. */
export function openConfiguredState(config: Config, log: Log): Promise<OpenedDatabase> {
  return config.nodes === null ? openFile(config) : openServer(config, config.nodes.databaseUrl, log);
}

async function openFile(config: Config): Promise<OpenedDatabase> {
  const { installation, path, database } = await openStateFile(config);
  const reader = openStateReader(path, config.memory.share);
  return {
    database,
    reader,
    postgres: null,
    now: null,
    maintenance: () => UNSHARED,
    made: (name) => installation.made(name),
    close: async () => {
      await reader.destroy();
      await database.destroy();
    },
  };
}

async function openServer(config: Config, url: string, log: Log): Promise<OpenedDatabase> {
  const { openPostgres } = await import('../storage/state/postgres/database.ts');
  const { PostgresMaintenance } = await import('../storage/state/postgres/leases.ts');
  const postgres = await openPostgres({
    url,
    connections: config.databaseConnections,
    onError: (error) => log.warn({ err: error }, 'an idle connection to PostgreSQL ended'),
  });
  const { state, close } = postgres;
  return {
    database: state,
    reader: state,
    postgres,
    now: postgres.clock.now,
    maintenance: (holder) => new PostgresMaintenance(postgres.pool, holder),
    made: () => undefined,
    close,
  };
}
