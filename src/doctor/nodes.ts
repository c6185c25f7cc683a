import { parseBucketUrl } from '../core/bucket-url.ts';
import { findingsOfClickhouse, findingsOfEventSpool } from './clickhouse.ts';
import { type ConnectorSettings, findingsOfConnectors } from './connectors.ts';
import type { Finding } from './findings.ts';
import { findingsOfPostgres } from './postgres.ts';
import { findingsOfProviders } from './providers.ts';
import { findingsOfSealingKeys } from './sealing-key.ts';
import { findingsOfPostgresVectors } from './vectors.ts';

export interface NodeSettings extends ConnectorSettings {
  nodes: { databaseUrl: string; clickhouseUrl: string; uploadsUrl: string } | null;
  /** The limit of events that wait to become queryable, in megabytes. */
  backlog: number;
}

const MEGABYTE = 1024 * 1024;

/** Examines the databases and the bucket of nodes, and what is stored there. */
export async function findingsOfNodes(settings: NodeSettings): Promise<Finding[]> {
  if (settings.nodes === null) return [];
  const { databaseUrl, clickhouseUrl, uploadsUrl } = settings.nodes;
  const { findings, hasTables } = await findingsOfPostgres(databaseUrl);
  return [
    ...(await findingsOfBucket(uploadsUrl)),
    ...findings,
    ...(hasTables ? await findingsOfPostgresVectors(databaseUrl) : []),
    ...(await findingsOfClickhouse(clickhouseUrl)),
    ...(hasTables ? await findingsOfEventSpool(databaseUrl, settings.backlog * MEGABYTE) : []),
    ...(hasTables ? await findingsOfStoredState(settings) : []),
  ];
}

/** Checks what the state stores about other services. The state must be sound. */
export async function findingsOfStoredState(settings: ConnectorSettings): Promise<Finding[]> {
  return [
    ...(await findingsOfSealingKeys(settings)),
    ...(await findingsOfProviders(settings)),
    ...(await findingsOfConnectors(settings)),
  ];
}

/** Stores a probe in the bucket of uploads and removes it. */
export async function findingsOfBucket(uploadsUrl: string): Promise<Finding[]> {
  const [{ Bucket }, { uploadsPrefix }, { examineBucket }] = await Promise.all([
    import('../storage/uploads/s3/bucket.ts'),
    import('../storage/uploads/s3/uploads.ts'),
    import('../storage/uploads/s3/examine.ts'),
  ]);
  const url = parseBucketUrl(uploadsUrl);
  const bucket = new Bucket(url);
  try {
    const findings = await examineBucket(bucket, uploadsPrefix(url));
    return findings.map((finding) => ({ check: 'bucket of uploads', ...finding }));
  } finally {
    bucket.close();
  }
}
