import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderFault } from '../../core/chat/provider.ts';

/** Milliseconds. */
export interface Patience {
  /** For one complete request. */
  requestMs: number;
  /** From the first request until the last retry. */
  totalMs: number;
}

/** Effects of retrying, replaced in tests. */
export interface RetryEffects {
  /** Milliseconds since any point in time. */
  now(): number;
  /** Rejects when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
  /** From 0 to 1. */
  random(): number;
}

export const retryEffects: RetryEffects = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: () => Math.random(),
};

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A longer wait than this fails at once instead. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Retries transient faults (429, 5xx, no connection, timeout) with exponential backoff and full
 * jitter, or after the time that the provider asks for. Rejects with the last ProviderFault, or
 * with the signal's reason at once.
 */
export async function withRetries<Answer>(
  request: (signal: AbortSignal) => Promise<Answer>,
  { requestMs, totalMs }: Patience,
  signal: AbortSignal,
  retry: RetryEffects,
): Promise<Answer> {
  const started = retry.now();
  const leftMs = () => totalMs - (retry.now() - started);
  for (let attempt = 1; ; attempt++) {
    try {
      return await within(Math.min(requestMs, leftMs()), request, signal);
    } catch (error) {
      signal.throwIfAborted();
      const pauseMs = pauseAfter(error, attempt, retry);
      if (pauseMs === null || pauseMs >= leftMs()) throw error;
      await retry.sleep(pauseMs, signal).catch((reason) => {
        signal.throwIfAborted();
        throw reason;
      });
    }
  }
}

const PASSING: ReadonlySet<string> = new Set(['rate_limited', 'unavailable', 'timeout']);

/** Null if a retry would fail the same way. */
function pauseAfter(error: unknown, attempt: number, { random }: RetryEffects): number | null {
  if (!(error instanceof ProviderFault) || !PASSING.has(error.kind)) return null;
  const { retryAfterMs } = error;
  if (retryAfterMs !== null) return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) + random() * FIRST_PAUSE_MS;
  return random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
}

/** Ends a request at once on timeout or abort. */
async function within<Answer>(
  ms: number,
  request: (signal: AbortSignal) => Promise<Answer>,
  caller: AbortSignal,
): Promise<Answer> {
  caller.throwIfAborted();
  const ended = new AbortController();
  const { promise: end, reject } = Promise.withResolvers<never>();
  const abort = (reason: unknown) => {
    reject(reason);
    ended.abort(reason);
  };
  const onTimeout = () => abort(new ProviderFault('timeout', `It did not answer within ${Math.ceil(ms / 1_000)} s.`));
  const timer = setTimeout(onTimeout, ms);
  const onAbort = () => abort(caller.reason);
  caller.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([request(ended.signal), end]);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', onAbort);
  }
}
