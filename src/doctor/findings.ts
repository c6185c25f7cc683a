import { RuntimeError } from '../core/base/shared/errors.ts';

export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  message: string;
}

export async function check(name: string, probe: () => Promise<string>): Promise<Finding> {
  try {
    return { check: name, status: 'ok', message: await probe() };
  } catch (error) {
    return { check: name, status: 'failed', message: reasonOf(error) };
  }
}

/** The error's message, with the fault of the network for a database that is away. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const isAway = error instanceof RuntimeError && error.code === 'unavailable';
  return isAway && cause instanceof Error && cause.message !== '' ? `${message} (${cause.message})` : message;
}

export async function checkSilently(name: string, probe: () => void): Promise<Finding[]> {
  const finding = await check(name, async () => {
    probe();
    return '';
  });
  return finding.status === 'ok' ? [] : [finding];
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

export const CHECK_ENVIRONMENT = 'The server may have another environment than this command: see that it is set there';

/** Windows has no such modes. */
export function refuseOpenToOthers(path: string, mode: number, wanted: '600' | '700'): void {
  if ((mode & 0o077) === 0 || process.platform === 'win32') return;
  throw new Error(`${path} is open to other users (mode ${(mode & 0o777).toString(8)}); run chmod ${wanted} ${path}`);
}

export function countsByTenant(what: string, found: readonly { tenant: string }[]): string {
  const byTenant = Map.groupBy(found, ({ tenant }) => tenant);
  return `${what} by tenant: ${[...byTenant].map(([tenant, all]) => `${tenant} ${all.length}`).join(', ')}`;
}
