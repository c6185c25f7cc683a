import { RUNNER_LEASE_MS } from '../../../core/base/concurrency/runners.ts';
import type { PostgresClient } from './pool.ts';

export interface AliveNode {
  id: string;
  /** Epoch milliseconds, by the clock of the database. */
  seenAt: number;
  /** The tasks that it does for all nodes. */
  tasks: string[];
}

/** The processes that have sent a heartbeat in time, the latest first. */
export async function aliveNodes(client: PostgresClient): Promise<AliveNode[]> {
  const { rows } = await client.query<{ id: string; alive_until: number; tasks: string[] | null }>(
    `SELECT id, alive_until, (SELECT array_agg(regexp_replace(name, '^maintenance: ', '') ORDER BY name)
        FROM leases WHERE holder = runners.id AND held_until > clock_timestamp()) AS tasks
      FROM runners WHERE alive_until >= extract(epoch FROM clock_timestamp()) * 1000
      ORDER BY alive_until DESC, id LIMIT 200`,
  );
  return rows.map(({ id, alive_until, tasks }) => ({
    id,
    seenAt: Number(alive_until) - RUNNER_LEASE_MS,
    tasks: tasks ?? [],
  }));
}

/** `16.4` for example. */
export async function postgresVersion(client: PostgresClient): Promise<string> {
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version");
  return rows[0]!.version.split(' ')[0]!;
}

/** Bytes of the whole database. */
export async function databaseBytes(client: PostgresClient): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
  return Number(rows[0]!.bytes);
}
