const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Between attempts, as the Standard Webhooks specification recommends. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  3 * HOUR,
  12 * HOUR,
  24 * HOUR,
];

/** Retries of many deliveries that failed together are spread by a tenth of the delay. */
const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Milliseconds after the n-th failed attempt, counted from 1; null: it was the last one. A receiver
 * that asks for a longer wait (`retryAfterMs`) gets it, up to a day.
 */
export function retryDelayMs(
  failed: number,
  { retryAfterMs = null, random }: { retryAfterMs?: number | null | undefined; random: () => number },
): number | null {
  const delay = RETRY_DELAYS_MS[failed - 1];
  if (delay === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return Math.ceil(Math.max(delay * (1 + JITTER * random()), asked));
}
