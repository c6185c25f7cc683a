import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderFault } from '../../../src/core/agents/chat/provider.ts';
import { retryEffects, withRetries } from '../../../src/providers/embeddings/retries.ts';
import { instantRetry, STAYS } from './support.ts';

const TIMEOUTS = { requestMs: 60_000, totalMs: 300_000 };
const BUSY = new ProviderFault('unavailable', 'busy', { status: 503 });

/** Fails so many times, then answers. */
function failing(fault: Error, times: number): () => Promise<string> {
  let left = times;
  return async () => {
    if (left-- > 0) throw fault;
    return 'answer';
  };
}

test('withRetries: pauses double up to half a minute', async () => {
  const { pauses, retry } = instantRetry();
  assert.equal(await withRetries(failing(BUSY, 9), TIMEOUTS, STAYS, retry), 'answer');
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('withRetries: pauses are random below their bound (full jitter)', async () => {
  const { pauses, retry } = instantRetry();
  const chances = [0, 0.25, 1];
  await withRetries(failing(BUSY, 3), TIMEOUTS, STAYS, { ...retry, random: () => chances.shift()! });
  assert.deepEqual(pauses, [0, 250, 2_000]);
});

test('withRetries: a requested wait is limited to a minute', async () => {
  const { pauses, retry } = instantRetry();
  const limited = new ProviderFault('rate_limited', 'tomorrow', { status: 429, retryAfterMs: 86_400_000 });
  await withRetries(failing(limited, 1), TIMEOUTS, STAYS, { ...retry, random: () => 0 });
  assert.deepEqual(pauses, [60_000]);
});

test('withRetries: a pause beyond the deadline fails with the last fault', async () => {
  const { pauses, retry } = instantRetry();
  await assert.rejects(withRetries(failing(BUSY, 99), TIMEOUTS, STAYS, retry), BUSY);
  const waited = pauses.reduce((sum, pause) => sum + pause, 0);
  assert.ok(waited < TIMEOUTS.totalMs && waited + 30_000 >= TIMEOUTS.totalMs, String(waited));
});

test('withRetries: a permanent fault is not retried', async () => {
  for (const kind of ['refused', 'credential', 'broken'] as const) {
    const { pauses, retry } = instantRetry();
    const fault = new ProviderFault(kind, 'no');
    await assert.rejects(withRetries(failing(fault, 1), TIMEOUTS, STAYS, retry), fault);
    assert.deepEqual(pauses, []);
  }
  const mistake = new TypeError('a mistake of ours');
  await assert.rejects(withRetries(failing(mistake, 1), TIMEOUTS, STAYS, instantRetry().retry), mistake);
});

test('withRetries: a request that ignores its signal is abandoned on timeout', async () => {
  const signals: AbortSignal[] = [];
  const deaf = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>(() => undefined);
  };
  const timeouts = { requestMs: 20, totalMs: 400 };
  await assert.rejects(withRetries(deaf, timeouts, STAYS, instantRetry().retry), {
    kind: 'timeout',
    message: 'It did not answer within 1 s.',
  });
  assert.ok(signals.length === 1 && signals.every(({ aborted }) => aborted));
});

test('withRetries: an abort during a pause or a request rejects at once', async () => {
  const gone = new Error('gone');
  for (const request of [failing(BUSY, 99), () => new Promise<never>(() => undefined)]) {
    const leaver = new AbortController();
    const retry = { ...retryEffects, random: () => 1 };
    const asking = withRetries(request, TIMEOUTS, leaver.signal, retry);
    setTimeout(() => leaver.abort(gone), 10);
    const started = performance.now();
    await assert.rejects(asking, (error) => error === gone);
    assert.ok(performance.now() - started < 250);
  }
});
