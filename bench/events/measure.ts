/** Minimum milliseconds of a round: below, noise exceeds the measurement. */
const ROUND_MS = 60;
const MOST_CALLS = 50;

export type Contenders<Name extends string> = Record<Name, () => Promise<unknown>>;

/**
 * Milliseconds a call, for alternating contenders: two rounds to warm up, then the median of
 * `rounds`. Alternating, they share the other load of the machine.
 */
export async function medianTimes<Name extends string>(
  contenders: Contenders<Name>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const calls = new Map<Name, number>();
  for (const name of names) {
    await timeOf(contenders[name], 1);
    const once = await timeOf(contenders[name], 1);
    calls.set(name, Math.min(MOST_CALLS, Math.max(1, Math.ceil(ROUND_MS / once))));
  }
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) times.get(name)?.push(await timeOf(contenders[name], calls.get(name) ?? 1));
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}

/** Milliseconds a call. */
export async function timeOf(call: () => Promise<unknown>, calls = 1): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < calls; count++) await call();
  return (performance.now() - started) / calls;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The value at this share of the sorted values; 0 if there are none. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Compares answers of different engines: numbers as numbers, sums equal to nine digits. */
export function sameAnswer(one: unknown, other: unknown): boolean {
  return JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
}

export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number(value.toPrecision(9));
  if (typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return canonical(Number(value));
  return value ?? null;
}
