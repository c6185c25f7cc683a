import type { MaintenanceLease, MaintenanceTask } from '../../core/concurrency/maintenance.ts';
import { endLease, takeLease } from './leases.ts';
import type { PostgresClient } from './pool.ts';

export class PostgresMaintenance implements MaintenanceLease {
  private readonly client: PostgresClient;
  private readonly holder: string;
  /** When each lease was taken or renewed, by `performance.now()`. */
  private readonly renewedAt = new Map<MaintenanceTask, number>();

  constructor(client: PostgresClient, holder: string) {
    this.client = client;
    this.holder = holder;
  }

  async held(task: MaintenanceTask, everyMs: number): Promise<boolean> {
    const asked = performance.now();
    if (asked - (this.renewedAt.get(task) ?? Number.NEGATIVE_INFINITY) < everyMs / 2) return true;
    const lease = await takeLease(this.client, nameOf(task), { holder: this.holder, ms: everyMs * 1.5 });
    if (lease) this.renewedAt.set(task, asked);
    else this.renewedAt.delete(task);
    return lease !== null;
  }

  async close(): Promise<void> {
    for (const task of this.renewedAt.keys()) await endLease(this.client, nameOf(task), this.holder);
    this.renewedAt.clear();
  }
}

function nameOf(task: MaintenanceTask): string {
  return `maintenance: ${task}`;
}
