import { LOCALE } from '../language/index.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** "340 ms", "1.24 s", "2 min 5 s", "3 h 12 min" */
export function durationText(ms: number): string {
  const digits = (value: number) => value.toLocaleString(LOCALE, { maximumSignificantDigits: 3 });
  if (ms < 999.5) return `${digits(ms)} ms`;
  if (ms < MINUTE_MS - 50) return `${digits(ms / 1_000)} s`;
  if (ms < HOUR_MS - 500) {
    const seconds = Math.round(ms / 1_000);
    return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
  const minutes = Math.round(ms / MINUTE_MS);
  return `${Math.floor(minutes / 60).toLocaleString(LOCALE)} h ${minutes % 60} min`;
}

/** In Brazil, "$" alone reads as reais: "US$ 12,50". */
export const DOLLARS = {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: LOCALE.startsWith('pt') ? 'symbol' : 'narrowSymbol',
} as const;

/** US dollars: "$12.50", "$0.00423". */
export function costText(cost: number): string {
  const digits = cost === 0 || cost >= 1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 3 };
  return cost.toLocaleString(LOCALE, { ...DOLLARS, ...digits });
}

/** The tokens of a recorded usage; null if it does not say. */
export function tokensOf(usage: unknown): number | null {
  const count = (name: string) => {
    const value = (usage as Record<string, unknown> | null | undefined)?.[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  };
  const [input, output] = [count('inputTokens'), count('outputTokens')];
  const sum = input === null && output === null ? null : (input ?? 0) + (output ?? 0);
  return count('totalTokens') ?? sum;
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** "1.4 MB", in steps of 1,000. */
export function bytesText(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const format = { style: 'unit', unit: UNITS[step]!, unitDisplay: step === 0 ? 'long' : 'short' } as const;
  return new Intl.NumberFormat(LOCALE, { ...format, maximumFractionDigits: 1 }).format(bytes / 1_000 ** step);
}
