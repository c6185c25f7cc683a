import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderFault } from '../../core/agents/chat/provider.ts';
import { abortable } from '../../core/base/concurrency/timers.ts';

/** Milliseconds. */
export interface Timeouts {
  requestMs: number;
  totalMs: number;
}

export interface RetryEffects {
  now(): number;
  /** Rejects when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
  random(): number;
}

export const retryEffects: RetryEffects = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: () => Math.random(),
};

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A longer wait that a provider asks for is shortened to this. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Exponential backoff, full jitter. Rejects with the last ProviderFault or the abort reason. */
export async function withRetries<Answer>(
  request: (signal: AbortSignal) => Promise<Answer>,
  { requestMs, totalMs }: Timeouts,
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

async function within<Answer>(
  ms: number,
  request: (signal: AbortSignal) => Promise<Answer>,
  caller: AbortSignal,
): Promise<Answer> {
  caller.throwIfAborted();
  const ended = new AbortController();
  const fault = new ProviderFault('timeout', `It did not answer within ${Math.ceil(ms / 1_000)} s.`);
  const timer = setTimeout(() => ended.abort(fault), ms);
  const onAbort = () => ended.abort(caller.reason);
  caller.addEventListener('abort', onAbort, { once: true });
  try {
    return await abortable(request(ended.signal), ended.signal);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', onAbort);
  }
}
