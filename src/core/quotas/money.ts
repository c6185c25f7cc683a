/** Nano-dollars of one US dollar. Prices are a few cents a million tokens: a micro-dollar would round most of them. */
const NANOS = 1_000_000_000;

/** Integer nano-dollars, rounded up: a sum of costs is never smaller than what was spent. */
export function toNanos(dollars: number): number {
  // Decimal fractions are not exact in binary: 0.1 dollars must not become one nano-dollar more.
  return Math.ceil(Number((dollars * NANOS).toFixed(3)));
}

export function toDollars(nanos: number): number {
  return Number((nanos / NANOS).toFixed(9));
}
