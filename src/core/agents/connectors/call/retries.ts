import type { IncomingHttpHeaders } from 'node:http';

const FIRST_MS = 200;
const LONGEST_MS = 5_000;
/** The call fails at once when the API asks for a longer wait. */
const LONGEST_RETRY_AFTER_MS = 10_000;

/** In ms, or null. Exponential backoff, full jitter (M. Brooker, AWS Architecture Blog, 2015). */
export function delayBefore(
  attempt: number,
  { retryAfterMs, remainingMs, random }: { retryAfterMs: number | null; remainingMs: number; random: () => number },
): number | null {
  const backoffMs = random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 2));
  if (retryAfterMs !== null && retryAfterMs > LONGEST_RETRY_AFTER_MS) return null;
  const delayMs = Math.max(backoffMs, retryAfterMs ?? 0);
  return delayMs < remainingMs ? delayMs : null;
}

/** Milliseconds, from seconds or an HTTP date; null when missing or malformed. */
export function retryAfterOf(headers: IncomingHttpHeaders, now: number): number | null {
  const text = headers['retry-after']?.trim();
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
