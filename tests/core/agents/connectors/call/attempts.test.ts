import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  attempt,
  type CallAttemptParts,
  Deadline,
  delayBefore,
  type PlannedCall,
} from '../../../../../src/core/agents/connectors/call/attempts.ts';
import { CircuitBreakers } from '../../../../../src/core/agents/connectors/call/circuit-breakers.ts';
import { retryAfterOf } from '../../../../../src/core/agents/connectors/call/faults.ts';
import { TransportFault, type UpstreamAnswer } from '../../../../../src/core/agents/connectors/call/transport.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';

type Step = number | Error | { status: number; headers?: Record<string, string>; body?: string };

const unsent = new TransportFault('unreachable', 'it refuses connections', { maybeSent: false });
const broken = new TransportFault('broken', 'it broke off', { maybeSent: true });

/** A call whose attempts follow the steps, repeating the last one. */
function calling(t: TestContext, steps: Step[], options: Partial<PlannedCall> & { timeoutMs?: number } = {}) {
  const deadline = new Deadline({
    timeoutMs: options.timeoutMs ?? 5_000,
    isOfConnector: true,
    caller: new AbortController().signal,
  });
  t.after(() => deadline.end());
  const asked: Step[] = [];
  const call: PlannedCall = {
    connector: 'pets',
    circuit: 'pets',
    retry: { attempts: 3, statuses: [429, 503] },
    isIdempotent: true,
    deadline,
    refresh: () => false,
    send: async (): Promise<UpstreamAnswer> => {
      const step = steps[Math.min(asked.length, steps.length - 1)]!;
      asked.push(step);
      if (step instanceof Error) throw step;
      const { status, headers = {}, body = '' } = typeof step === 'number' ? { status: step } : step;
      return { status, headers, body: Buffer.from(body) };
    },
    ...options,
  };
  const breakers = new CircuitBreakers({ now: Date.now });
  const parts: CallAttemptParts = { breakers, effects: { now: Date.now }, random: () => 0 };
  return { run: () => attempt(call, parts), asked, breakers };
}

test('attempt: a temporary failure is retried', async (t) => {
  const { run } = calling(t, [503, broken, 200]);
  const { answer, fault, attempts } = await run();
  assert.deepEqual([answer?.status, fault, attempts], [200, null, 3]);
});

test('attempt: stops at the limit with the last answer', async (t) => {
  const { run, asked } = calling(t, [{ status: 503, body: 'down for repair' }]);
  const { answer, fault, attempts, mayBeDone } = await run();
  assert.deepEqual([answer?.status, attempts, asked.length, mayBeDone], [503, 3, 3, true]);
  assert.match(fault!.message, /^"pets" answered 503 Service Unavailable: down for repair$/);
});

test('attempt: a non-idempotent call is not retried once it may have been sent', async (t) => {
  for (const step of [503, 429, broken]) {
    assert.equal((await calling(t, [step, 200], { isIdempotent: false }).run()).attempts, 1);
  }
});

test('attempt: retries when no connection was made', async (t) => {
  const { answer, attempts, mayBeDone } = await calling(t, [unsent, 201], { isIdempotent: false }).run();
  assert.deepEqual([answer?.status, attempts, mayBeDone], [201, 2, true]);
});

test('attempt: mayBeDone is false after a refusal or an unsent request only', async (t) => {
  const mayBeDone = async (step: Step) => (await calling(t, [step], { isIdempotent: false }).run()).mayBeDone;
  assert.equal(await mayBeDone(400), false);
  assert.equal(await mayBeDone(429), false);
  assert.equal(await mayBeDone(unsent), false);
  assert.equal(await mayBeDone(new RuntimeError('upstream', 'There is no token.')), false);
  for (const status of [200, 302, 303, 408, 500, 503]) assert.equal(await mayBeDone(status), true, String(status));
  assert.equal(await mayBeDone(broken), true);
});

test('attempt: mayBeDone stays true when a later attempt is refused', async (t) => {
  const { mayBeDone, answer } = await calling(t, [503, 409]).run();
  assert.deepEqual([mayBeDone, answer?.status], [true, 409]);
});

test('attempt: other statuses are not retried', async (t) => {
  for (const status of [400, 404, 500, 301]) assert.equal((await calling(t, [status]).run()).attempts, 1);
});

test('attempt: a long Retry-After ends the call and is reported', async (t) => {
  const { attempts, fault } = await calling(t, [{ status: 429, headers: { 'retry-after': '60' } }]).run();
  assert.deepEqual([attempts, fault?.retryAfter], [1, 60]);
});

test('attempt: a 401 refreshes the token once', async (t) => {
  let refreshed = 0;
  const refresh = () => {
    refreshed += 1;
    return true;
  };
  assert.equal((await calling(t, [401, 200], { isIdempotent: false, refresh }).run()).answer?.status, 200);
  const { attempts } = await calling(t, [401], { isIdempotent: false, refresh }).run();
  assert.deepEqual([attempts, refreshed], [2, 2]);
});

test('attempt: failures open the circuit, refusals do not', async (t) => {
  const { run, asked } = calling(t, [500]);
  for (let index = 0; index < 5; index += 1) await run();
  const { fault, attempts, mayBeDone } = await run();
  assert.deepEqual([asked.length, attempts, mayBeDone], [5, 0, false]);
  assert.match(fault!.message, /"pets" has failed again and again, and is not asked for 5 s/);
  const refusing = calling(t, [404]);
  for (let index = 0; index < 8; index += 1) await refusing.run();
  assert.equal(refusing.asked.length, 8);
});

test('attempt: a timeout of the caller is not a failure of the API', async (t) => {
  const slow = (isOfConnector: boolean) => {
    const caller = new AbortController().signal;
    const deadline = new Deadline({ timeoutMs: 1, isOfConnector, caller });
    return calling(t, [200], {
      deadline,
      send: (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
  };
  const ofCaller = slow(false);
  const { fault, mayBeDone } = await ofCaller.run();
  assert.deepEqual([fault?.code, mayBeDone], ['timeout', true]);
  for (let index = 0; index < 6; index += 1) ofCaller.breakers.cancelProbe('pets');
  assert.equal(ofCaller.breakers.retryIn('pets'), 0);
  const ofConnector = slow(true);
  await ofConnector.run();
  for (let index = 0; index < 4; index += 1) ofConnector.breakers.failed('pets');
  assert.ok(ofConnector.breakers.retryIn('pets') > 0);
});

test('attempt: a late token is not a failure of the API', async (t) => {
  const caller = new AbortController().signal;
  const deadline = new Deadline({ timeoutMs: 1, isOfConnector: true, caller });
  const late = calling(t, [200], {
    deadline,
    send: (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new RuntimeError('timeout', 'late')))),
  });
  for (let index = 0; index < 4; index += 1) late.breakers.failed('pets');
  const { fault, attempts, mayBeDone } = await late.run();
  assert.deepEqual([fault?.code, attempts, mayBeDone], ['timeout', 0, false]);
  assert.equal(late.breakers.isOpen('pets'), false);
});

test('attempt: an unknown error is thrown', async (t) => {
  await assert.rejects(calling(t, [new TypeError('a defect')]).run(), TypeError);
});

test('attempt: a call cancelled during its probe passes it on', async (t) => {
  let now = 1_000_000;
  t.mock.method(Date, 'now', () => now);
  const controller = new AbortController();
  const deadline = new Deadline({ timeoutMs: 5_000, isOfConnector: true, caller: controller.signal });
  const { run, breakers } = calling(t, [], {
    deadline,
    send: async () => {
      // Meanwhile other calls fail, and the pause ends before this one does.
      for (let index = 0; index < 5; index += 1) breakers.failed('pets');
      now += 5_000;
      setImmediate(() => controller.abort());
      return { status: 503, headers: { 'retry-after': '1' }, body: Buffer.alloc(0) };
    },
  });
  await run();
  assert.equal(breakers.retryIn('pets'), 0);
});

const free = { retryAfterMs: null, remainingMs: 60_000 };

test('delayBefore: the backoff doubles up to five seconds', () => {
  const bounds = [2, 3, 4, 5, 6, 7, 8].map((attempt) => delayBefore(attempt, { ...free, random: () => 1 }));
  assert.deepEqual(bounds, [200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  assert.equal(delayBefore(4, { ...free, random: () => 0.25 }), 200);
  assert.equal(delayBefore(4, { ...free, random: () => 0 }), 0);
});

test('delayBefore: honours Retry-After up to ten seconds and the deadline', () => {
  const random = () => 0;
  assert.equal(delayBefore(2, { retryAfterMs: 3_000, remainingMs: 60_000, random }), 3_000);
  assert.equal(delayBefore(2, { retryAfterMs: 10_001, remainingMs: 60_000, random }), null);
  assert.equal(delayBefore(2, { retryAfterMs: 3_000, remainingMs: 3_000, random }), null);
  assert.equal(delayBefore(2, { retryAfterMs: null, remainingMs: 100, random: () => 1 }), null);
});

test('retryAfterOf: reads seconds and dates, ignores other text', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  const read = (text: string) => retryAfterOf({ 'retry-after': text }, now);
  assert.equal(read('7'), 7_000);
  assert.equal(read(' 0 '), 0);
  assert.equal(read('Sun, 22 Nov 2026 12:00:09 GMT'), 9_000);
  assert.equal(read('Sun, 22 Nov 2020 12:00:09 GMT'), 0);
  for (const nonsense of ['', '-1', '1e9', '99999999999999', 'soon', 'Sun, never']) assert.equal(read(nonsense), null);
  assert.equal(retryAfterOf({}, now), null);
});
