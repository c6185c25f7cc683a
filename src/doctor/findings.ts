/** One thing that was looked at. */
export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  message: string;
}

/** Looks; what it throws is what is wrong. */
export async function check(name: string, probe: () => Promise<string>): Promise<Finding> {
  try {
    return { check: name, status: 'ok', message: await probe() };
  } catch (error) {
    return { check: name, status: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/** `1,234`. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/** `providers by tenant: acme 2, default 1`. */
export function countsByTenant(what: string, found: readonly { tenant: string }[]): string {
  const byTenant = Map.groupBy(found, ({ tenant }) => tenant);
  return `${what} by tenant: ${[...byTenant].map(([tenant, all]) => `${tenant} ${all.length}`).join(', ')}`;
}
