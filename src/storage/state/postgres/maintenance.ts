import type { MaintenanceLease, MaintenanceTask } from '../../../core/base/concurrency/maintenance.ts';
import { endLease, takeLease } from './leases.ts';
import type { PostgresClient } from './pool.ts';

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
