import { examinePostgres, type PostgresFound } from '../storage/state/postgres/examine.ts';
import { check, type Finding, formatCount } from './findings.ts';

const OLDEST_VERSION = 160_000;
const TOLERATED_SKEW_MS = 2_000;
/** A share of the connections that the server allows. */
const FULL = 0.8;

/** Changes nothing. `hasTables`: what is stored can be read. */
export async function findingsOfPostgres(url: string): Promise<{ findings: Finding[]; hasTables: boolean }> {
  let found: PostgresFound | undefined;
  const reached = await check('PostgreSQL', async () => {
    found = await examinePostgres(url);
    return serverOf(found);
  });
  if (!found) return { findings: [reached], hasTables: false };
  const findings = [
    reached,
    tablesOf(found),
    durabilityOf(found),
    clockOf('PostgreSQL clock', found.clockAheadMs),
    connectionsOf(found),
    vectorsOf(found),
  ];
  return { findings, hasTables: found.migrations.missing.length === 0 };
}

function serverOf({ version, database, encoding, isStandby, encrypted }: PostgresFound): string {
  if (version < OLDEST_VERSION) throw new Error(`version ${shown(version)}; it must be 16 or newer`);
  if (encoding !== 'UTF8') throw new Error(`the database ${database} has the encoding ${encoding}; it must be UTF8`);
  if (isStandby) throw new Error('the server is a standby and takes no changes: name the primary in the URL');
  return `version ${shown(version)}, database ${database}, ${encrypted ? 'encrypted' : 'not encrypted'}`;
}

function shown(version: number): string {
  return `${Math.floor(version / 10_000)}.${version % 10_000}`;
}

function tablesOf({ migrations: { missing, unknown }, tenants, keys }: PostgresFound): Finding {
  const found = `${formatCount(tenants)} tenants, ${formatCount(keys)} valid keys`;
  const check = 'PostgreSQL tables';
  if (unknown.length > 0) {
    const message = `${found}; a newer release migrated them (${unknown.join(', ')}): update this one`;
    return { check, status: unknown.some((name) => name.endsWith('-contract')) ? 'failed' : 'warning', message };
  }
  if (missing.length === 0) return { check, status: 'ok', message: found };
  return { check, status: 'warning', message: `${found}; the next start migrates them (${missing.join(', ')})` };
}

function durabilityOf({ unsafeSettings }: PostgresFound): Finding {
  const check = 'PostgreSQL durability';
  if (unsafeSettings.length === 0) return { check, status: 'ok', message: 'commits survive a power failure' };
  const names = unsafeSettings.join(' and ');
  return { check, status: 'failed', message: `${names} off: a power failure loses what was acknowledged; set on` };
}

/**
 * Leases compare with the clock of the database; what is shown comes from the clocks of the nodes.
 */
export function clockOf(check: string, aheadMs: number): Finding {
  const skew = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s`;
  if (Math.abs(aheadMs) <= TOLERATED_SKEW_MS) return { check, status: 'ok', message: 'agrees with this machine' };
  const message = `${skew} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine: synchronize both with NTP`;
  return { check, status: 'warning', message };
}

function connectionsOf({ connections: { used, maximum } }: PostgresFound): Finding {
  const message = `${used} of ${maximum} in use`;
  if (used < maximum * FULL) return { check: 'PostgreSQL connections', status: 'ok', message };
  const remedy = 'run fewer nodes, raise max_connections, or put pgbouncer in between';
  return { check: 'PostgreSQL connections', status: 'warning', message: `${message}: ${remedy}` };
}

function vectorsOf({ pgvector, hasPgvector }: PostgresFound): Finding {
  const check = 'PostgreSQL vectors';
  if (pgvector !== null) return { check, status: 'ok', message: `pgvector ${pgvector}` };
  const remedy = hasPgvector
    ? 'run CREATE EXTENSION vector in the database'
    : 'install pgvector on the server, then run CREATE EXTENSION vector';
  return { check, status: 'warning', message: `no pgvector: documents are searched by words alone; ${remedy}` };
}
