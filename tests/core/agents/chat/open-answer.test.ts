import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type ChatCandidate, type ChatTimeouts, openAnswer } from '../../../../src/core/agents/chat/open-answer.ts';
import type { ChatEvent } from '../../../../src/core/agents/chat/provider.ts';
import { ChatSlots } from '../../../../src/core/agents/chat/slots.ts';
import { StopCutter } from '../../../../src/core/agents/chat/stop.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';

const WORD: ChatEvent[] = [{ type: 'text', text: 'a' }];
const LIFE: ChatEvent[] = [];
const STOPPED = { kind: 'timeout', message: /stopped in the middle/ };

test('openAnswer: signs of life reset the idle limit and are not delivered', async () => {
  const answer = await answerOf({ firstContentMs: 60_000, idleMs: 1_000 }, async function* () {
    yield WORD;
    for (let signs = 0; signs < 15; signs++) {
      await sleep(100);
      yield LIFE;
    }
    yield WORD;
  });
  assert.deepEqual(await Array.fromAsync(answer), [WORD, WORD]);
});

test('openAnswer: a silent provider times out', async () => {
  const answer = await answerOf({ firstContentMs: 60_000, idleMs: 20 }, async function* () {
    yield WORD;
    yield LIFE;
    await forever;
  });
  await answer.next();
  await assert.rejects(answer.next(), STOPPED);
});

test('openAnswer: a provider that sends only signs of life times out', async (t) => {
  let now = 0;
  let signs = 0;
  const answer = await answerOf({ firstContentMs: 300, idleMs: 200 }, async function* () {
    t.mock.method(performance, 'now', () => now);
    yield WORD;
    for (let words = 0; words < 2; words++) {
      for (let count = 0; count < 4; count++, now += 100) yield LIFE;
      yield WORD;
    }
    for (; ; signs++, now += 100) yield LIFE;
  });
  for (let words = 0; words < 3; words++) assert.deepEqual((await answer.next()).value, WORD);
  await assert.rejects(answer.next(), STOPPED);
  assert.equal(signs, 4);
});

test('openAnswer: signs of life do not extend the limit for the first content', async () => {
  const timeouts = { firstContentMs: 50, idleMs: 60_000 };
  const answering = answerOf(timeouts, async function* (signal) {
    for (; ; await sleep(5, undefined, { signal })) yield LIFE;
  });
  await assert.rejects(answering, /did not begin to answer in time/);
});

const forever = new Promise<never>(() => {});

async function answerOf(timeouts: ChatTimeouts, read: (signal: AbortSignal) => AsyncGenerator<ChatEvent[]>) {
  const { events } = await openAnswer({
    candidates: (async function* () {
      yield { provider: 'custom', isFallback: false, timeoutMs: null } as ChatCandidate;
    })(),
    load: async () => ({ stream: async ({ signal }) => ({ requestId: null, events: read(signal) }) }),
    timeouts,
    signal: new AbortController().signal,
    onAttempt: () => undefined,
  });
  return events;
}

function cutIn(parts: string[], stops: string[]): { text: string; isCut: boolean } {
  const cutter = new StopCutter(stops);
  const text = parts.map((part) => cutter.push(part)).join('');
  return { text: text + cutter.rest(), isCut: cutter.isCut };
}

test('StopCutter: a text ends before its stop sequence, also one in several parts', () => {
  assert.deepEqual(cutIn(['one tw', 'o ST', 'OP three'], ['STOP']), { text: 'one two ', isCut: true });
  assert.deepEqual(cutIn(['one STO', 'NE'], ['STOP']), { text: 'one STONE', isCut: false });
});

test('StopCutter: the first complete sequence wins, then the longest', () => {
  assert.deepEqual(cutIn(['xabcd'], ['abcd', 'bc']), { text: 'xa', isCut: true });
  assert.deepEqual(cutIn(['xabc'], ['bc', 'abc']), { text: 'x', isCut: true });
});

test('StopCutter: only a possible beginning of a sequence is held back', () => {
  const cutter = new StopCutter(['\n\nUser:']);
  assert.equal(cutter.push('Hello.\n'), 'Hello.');
  assert.equal(cutter.push('More'), '\nMore');
  assert.equal(cutter.push('\n\nUse'), '');
  assert.equal(cutter.rest(), '\n\nUse');
});

test('StopCutter: the result does not depend on how the text is split', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }).map((list) => list.join(''));
  const stop = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 }).map((list) => list.join(''));
  fc.assert(
    fc.property(letters, fc.array(stop, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(40)), (text, stops, cuts) => {
      const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((one, other) => one - other);
      const parts = [...places, text.length].map((end, index) => text.slice(places[index - 1] ?? 0, end));
      assert.deepEqual(cutIn(parts, stops), plainly(text, stops));
    }),
    { numRuns: 1_000 },
  );
});

/** Character by character: the first place at which the text so far ends with a stop sequence. */
function plainly(text: string, stops: string[]): { text: string; isCut: boolean } {
  for (let end = 1; end <= text.length; end++) {
    const ending = stops.filter((stop) => text.slice(0, end).endsWith(stop));
    if (ending.length === 0) continue;
    return { text: text.slice(0, end - Math.max(...ending.map((stop) => stop.length))), isCut: true };
  }
  return { text, isCut: false };
}

const MEGABYTE = 1024 * 1024;

function caller(key: string, tenantId = 'one'): Caller {
  const credential = { kind: 'key', id: key } as const;
  return {
    tenantId,
    agentId: null,
    label: 'test',
    scopes: ['*'],
    timezone: 'UTC',
    credential,
    userId: null,
    role: null,
  };
}

test('ChatSlots: a credential has a number of slots, each freed once', () => {
  const places = new ChatSlots(2);
  const first = places.acquire(caller('a'));
  places.acquire(caller('a'));
  assert.throws(() => places.acquire(caller('a')), { code: 'rate_limited', retryAfter: 1 });
  places.acquire(caller('b'));
  first.release();
  first.release();
  places.acquire(caller('a'));
  assert.throws(() => places.acquire(caller('a')), { code: 'rate_limited' });
});

test('ChatSlots: a tenant has four times the slots of one credential', () => {
  const places = new ChatSlots(2);
  const entered = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map((key) => places.acquire(caller(key)));
  assert.throws(() => places.acquire(caller('e')), { code: 'rate_limited', message: /^In this tenant 8 chats/ });
  places.acquire(caller('f', 'two'));
  entered[0]!.release();
  places.acquire(caller('e'));
});

test('ChatSlots: images share a memory budget of which a tenant may use half', () => {
  const places = new ChatSlots(10);
  const chat = places.acquire(caller('a'));
  chat.reserve(40 * MEGABYTE);
  chat.reserve(24 * MEGABYTE);
  assert.throws(() => places.acquire(caller('b')).reserve(1), { code: 'unavailable' });
  const other = places.acquire(caller('c', 'two'));
  other.reserve(64 * MEGABYTE);
  chat.release();
  // It ended while this was still being loaded.
  chat.reserve(64 * MEGABYTE);
  places.acquire(caller('b')).reserve(64 * MEGABYTE);
});

test('ChatSlots: released memory can be reserved again, and is released only once', () => {
  const places = new ChatSlots(10);
  const chat = places.acquire(caller('a'));
  chat.reserve(64 * MEGABYTE);
  chat.releaseMemory();
  const other = places.acquire(caller('b'));
  other.reserve(40 * MEGABYTE);
  chat.reserve(24 * MEGABYTE);
  assert.throws(() => chat.reserve(1), { code: 'unavailable' });
  chat.release();
  other.reserve(24 * MEGABYTE);
  assert.throws(() => other.reserve(1), { code: 'unavailable' });
});
