import { Installation } from '../storage/installation/installation.ts';
import { ELSEWHERE } from '../storage/installation/unusable.ts';
import { findingsOfClickhouse, findingsOfEventSpool } from './clickhouse.ts';
import { type ConnectorSettings, findingsOfConnectors } from './connectors.ts';
import type { Finding } from './findings.ts';
import { findingsOfPostgres } from './postgres.ts';
import { findingsOfProviders } from './providers.ts';
import { findingsOfSealingKeys } from './sealing-key.ts';

export interface DatabaseSettings extends ConnectorSettings {
  clickhouseUrl?: string | undefined;
  /** Of events that wait to become queryable, in megabytes. */
  backlog: number;
}

const MEGABYTE = 1024 * 1024;

/** Of PostgreSQL and ClickHouse, where they are set, and of what is stored in them. */
export async function findingsOfDatabases(settings: DatabaseSettings): Promise<Finding[]> {
  const { databaseUrl, clickhouseUrl, backlog } = settings;
  if (databaseUrl === undefined) return [];
  const { findings, hasTables, directory } = await findingsOfPostgres(databaseUrl);
  return [
    ...findings,
    ...(clickhouseUrl === undefined ? ownDirectory(settings.dataDir, directory) : []),
    ...(clickhouseUrl === undefined ? [] : await findingsOfClickhouse(clickhouseUrl)),
    ...(clickhouseUrl === undefined || !hasTables ? [] : await findingsOfEventSpool(databaseUrl, backlog * MEGABYTE)),
    ...(hasTables ? await findingsOfDefinitions(settings) : []),
  ];
}

/** Fails where the events and documents of the database are in another data directory. */
function ownDirectory(dataDir: string, directory: string | null): Finding[] {
  if (directory === null || Installation.find(dataDir)?.id === directory) return [];
  return [{ check: 'Data directory of the database', status: 'failed', message: ELSEWHERE }];
}

/** Of what the state stores about other services. The state must be sound. */
export async function findingsOfDefinitions(settings: ConnectorSettings): Promise<Finding[]> {
  return [
    ...(await findingsOfSealingKeys(settings)),
    ...(await findingsOfProviders(settings)),
    ...(await findingsOfConnectors(settings)),
  ];
}
