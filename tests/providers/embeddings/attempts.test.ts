import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderFault } from '../../../src/core/chat/provider.ts';
import { persistently, realPacing } from '../../../src/providers/embeddings/attempts.ts';
import { hastyPacing, STAYS } from './support.ts';

const PATIENCE = { requestMs: 60_000, totalMs: 300_000 };
const BUSY = new ProviderFault('unavailable', 'busy', { status: 503 });

/** Fails so many times, then answers. */
function failing(fault: Error, times: number): () => Promise<string> {
  let left = times;
  return async () => {
    if (left-- > 0) throw fault;
    return 'answer';
  };
}

test('pauses double up to half a minute', async () => {
  const { pauses, pacing } = hastyPacing();
  assert.equal(await persistently(failing(BUSY, 9), PATIENCE, STAYS, pacing), 'answer');
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('pauses are anywhere between nothing and their bound, so that many who wait do not come back together', async () => {
  const { pauses, pacing } = hastyPacing();
  const chances = [0, 0.25, 1];
  await persistently(failing(BUSY, 3), PATIENCE, STAYS, { ...pacing, random: () => chances.shift()! });
  assert.deepEqual(pauses, [0, 250, 2_000]);
});

test('nobody is left alone for longer than a minute, whatever they ask for', async () => {
  const { pauses, pacing } = hastyPacing();
  const limited = new ProviderFault('rate_limited', 'tomorrow', { status: 429, retryAfterMs: 86_400_000 });
  await persistently(failing(limited, 1), PATIENCE, STAYS, { ...pacing, random: () => 0 });
  assert.deepEqual(pauses, [60_000]);
});

test('no pause begins that would end when the time is over, and the last fault is told', async () => {
  const { pauses, pacing } = hastyPacing();
  await assert.rejects(persistently(failing(BUSY, 99), PATIENCE, STAYS, pacing), BUSY);
  const waited = pauses.reduce((sum, pause) => sum + pause, 0);
  assert.ok(waited < PATIENCE.totalMs && waited + 30_000 >= PATIENCE.totalMs, String(waited));
});

test('what will not pass is not tried again', async () => {
  for (const kind of ['refused', 'credential', 'broken'] as const) {
    const { pauses, pacing } = hastyPacing();
    const fault = new ProviderFault(kind, 'no');
    await assert.rejects(persistently(failing(fault, 1), PATIENCE, STAYS, pacing), fault);
    assert.deepEqual(pauses, []);
  }
  const mistake = new TypeError('a mistake of ours');
  await assert.rejects(persistently(failing(mistake, 1), PATIENCE, STAYS, hastyPacing().pacing), mistake);
});

test('a request that hears of nothing is left when its time is over, with its signal aborted', async () => {
  const signals: AbortSignal[] = [];
  const deaf = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>(() => undefined);
  };
  const patience = { requestMs: 20, totalMs: 400 };
  await assert.rejects(persistently(deaf, patience, STAYS, hastyPacing().pacing), {
    kind: 'timeout',
    message: 'It did not answer within 1 s.',
  });
  assert.ok(signals.length === 1 && signals.every(({ aborted }) => aborted));
});

test('who leaves during a pause or a request is let go at once, with the reason given', async () => {
  const gone = new Error('gone');
  for (const request of [failing(BUSY, 99), () => new Promise<never>(() => undefined)]) {
    const leaver = new AbortController();
    const pacing = { ...realPacing, random: () => 1 };
    const asking = persistently(request, PATIENCE, leaver.signal, pacing);
    setTimeout(() => leaver.abort(gone), 10);
    const started = performance.now();
    await assert.rejects(asking, (error) => error === gone);
    assert.ok(performance.now() - started < 250);
  }
});
