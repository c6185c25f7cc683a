import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatCandidate, type ChatTimeouts, openAnswer } from '../../../../src/core/agents/chat/open-answer.ts';
import type { ChatEvent } from '../../../../src/core/agents/chat/provider.ts';

/* How long a provider may send only signs of life. */

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
