import type { MaintenanceLease, MaintenanceTask } from '../../../core/base/concurrency/maintenance.ts';
import type { PostgresClient } from './pool.ts';

interface Lease {
  /** Grows with each new holder: a fencing token. */
  fence: number;
}

/**
 * Takes or renews a lease, by the database's clock. Null: another holder has it. Rows instead of
 * session locks, which pgbouncer would lose.
 */
export async function takeLease(
  client: PostgresClient,
  name: string,
  { holder, ms }: { holder: string; ms: number },
): Promise<Lease | null> {
  const { rows } = await client.query<Lease>(
    `INSERT INTO leases AS held (name, holder, fence, held_until)
      VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until,
        fence = held.fence + CASE WHEN held.holder = excluded.holder THEN 0 ELSE 1 END
      WHERE held.holder = excluded.holder OR held.held_until < clock_timestamp()
      RETURNING fence`,
    [name, holder, ms],
  );
  return rows[0] ?? null;
}

/**
 * True while the fence is the newest. Locks the row: until the transaction ends, nobody else takes
 * the lease.
 */
export async function holdsLease(transaction: PostgresClient, name: string, fence: number): Promise<boolean> {
  const { rows } = await transaction.query('SELECT 1 AS held FROM leases WHERE name = $1 AND fence = $2 FOR UPDATE', [
    name,
    fence,
  ]);
  return rows.length === 1;
}

export async function endLease(client: PostgresClient, name: string, holder: string): Promise<void> {
  await client.query('UPDATE leases SET held_until = clock_timestamp() WHERE name = $1 AND holder = $2', [
    name,
    holder,
  ]);
}

export class PostgresMaintenance implements MaintenanceLease {
  private readonly client: PostgresClient;
  private readonly holder: string;
  /** When each lease was taken or renewed, and when it ends, by `performance.now()`. */
  private readonly leases = new Map<MaintenanceTask, { renewedAt: number; until: number }>();

  constructor(client: PostgresClient, holder: string) {
    this.client = client;
    this.holder = holder;
  }

  async held(task: MaintenanceTask, everyMs: number): Promise<boolean> {
    const asked = performance.now();
    if (asked - (this.leases.get(task)?.renewedAt ?? Number.NEGATIVE_INFINITY) < everyMs / 2) return true;
    const ms = everyMs * 1.5;
    const lease = await takeLease(this.client, nameOf(task), { holder: this.holder, ms });
    if (lease) this.leases.set(task, { renewedAt: asked, until: asked + ms });
    else this.leases.delete(task);
    return lease !== null;
  }

  tasks(): MaintenanceTask[] {
    const now = performance.now();
    return [...this.leases].filter(([, { until }]) => now < until).map(([task]) => task);
  }

  async close(): Promise<void> {
    for (const task of this.leases.keys()) await endLease(this.client, nameOf(task), this.holder);
    this.leases.clear();
  }
}

function nameOf(task: MaintenanceTask): string {
  return `maintenance: ${task}`;
}
