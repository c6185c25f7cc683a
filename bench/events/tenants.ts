import { measureApart } from './apart.ts';
import type { Bench } from './bench.ts';
import type { Line } from './report.ts';
import type { TenantsMeasured } from './tenants-measure.ts';

const PART = 'tenants';
const COUNTS = [1, 100, 2_000];
/** Takes some minutes; only when named. */
const MANY = 100_000;

const SHOWN: Record<keyof TenantsMeasured, string> = {
  eventsPerSecond: 'loading, events/s',
  oneTenantMs: 'until visible, 10 events of 1 tenant, ms',
  manyTenantsMs: 'until visible, 10 events of each (200 at most), ms',
  unhurriedMs: 'the same when nobody waits for the receipts, ms',
  queryMs: 'count by country of one tenant, ms',
  newTenantsMs: '3,000 new tenants with keys of their own: all visible after the last answer, ms',
  memoryMb: 'memory of the process when idle, MB',
  diskMb: 'disk, MB',
  openMs: 'opening the store until the first answer, ms',
  reopenedMemoryMb: 'memory after opening, MB',
};

/** The cost of many tenants in one store: the same events, spread over more of them. */
export async function benchTenants({ options, datasets, report, isNamed }: Bench): Promise<void> {
  const events = Math.round(options.rows / 10);
  const lines = new Map<keyof TenantsMeasured, Line>();
  for (const tenants of isNamed(PART) ? [...COUNTS, MANY] : COUNTS) {
    report.progress(`${events.toLocaleString('en-US')} events of ${tenants.toLocaleString('en-US')} tenants`);
    const directory = datasets.scratch(PART);
    const measured = await measureApart('tenants', { directory, tenants, events, rounds: options.rounds });
    for (const [name, what] of Object.entries(SHOWN) as [keyof TenantsMeasured, string][]) {
      const line = lines.get(name) ?? { what, values: {} };
      lines.set(name, line);
      line.values[`${tenants.toLocaleString('en-US')} tenants`] = measured[name];
    }
  }
  report.table(PART, `${events.toLocaleString('en-US')} events`, [...lines.values()]);
}
