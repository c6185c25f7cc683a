import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderFault } from '../../core/chat/provider.ts';

/** Milliseconds. */
export interface Patience {
  /** For one request to be answered as a whole. */
  requestMs: number;
  /** From the first request on, until nothing is tried again. */
  totalMs: number;
}

/** What trying again asks of the world. */
export interface RetryEffects {
  /** Milliseconds, from anywhere. */
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
/** Longer than this nobody is left alone: of a pause of a day it is better to hear now. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Sends a request until it is answered. What may pass (429, 5xx, no connection, no answer in time) is tried again after a
 * pause, which is random within a doubling bound (full jitter), or as long as the provider asks for. Rejects with the last
 * ProviderFault, or with the signal's reason, whatever the request does about the signal.
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

/** Null where another attempt would end alike. */
function pauseAfter(error: unknown, attempt: number, { random }: RetryEffects): number | null {
  if (!(error instanceof ProviderFault) || !PASSING.has(error.kind)) return null;
  const { retryAfterMs } = error;
  if (retryAfterMs !== null) return Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) + random() * FIRST_PAUSE_MS;
  return random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
}

/** Ends a request that takes longer, or that nobody waits for any more, at once. */
async function within<Answer>(
  ms: number,
  request: (signal: AbortSignal) => Promise<Answer>,
  caller: AbortSignal,
): Promise<Answer> {
  caller.throwIfAborted();
  const ended = new AbortController();
  const { promise: end, reject } = Promise.withResolvers<never>();
  const leave = (reason: unknown) => {
    reject(reason);
    ended.abort(reason);
  };
  const late = () => leave(new ProviderFault('timeout', `It did not answer within ${Math.ceil(ms / 1_000)} s.`));
  const timer = setTimeout(late, ms);
  const callerLeft = () => leave(caller.reason);
  caller.addEventListener('abort', callerLeft, { once: true });
  try {
    return await Promise.race([request(ended.signal), end]);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', callerLeft);
  }
}
