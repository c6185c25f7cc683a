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

/** Three digits at most: `1.5 GB`. */
export function formatSize(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const value = bytes / 1024 ** step;
  return `${value.toFixed(step === 0 || value >= 100 ? 0 : 1)} ${units[step]}`;
}

export function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}
