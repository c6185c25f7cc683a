/** Prices are cents per million tokens: micro-dollars would round most of them. */
const NANOS = 1_000_000_000;

/** Rounded up, so that a sum is never too small. */
export function toNanos(dollars: number): number {
  // 0.1 is inexact in binary and must not become one nano-dollar more.
  return Math.ceil(Number((dollars * NANOS).toFixed(3)));
}

export function toDollars(nanos: number): number {
  return Number((nanos / NANOS).toFixed(9));
}
