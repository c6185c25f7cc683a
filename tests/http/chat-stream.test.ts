import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatEvent } from '../../src/core/agents/chat/provider.ts';
import type { ChatAnswer } from '../../src/core/agents/chat/run.ts';
import { eventStream } from '../../src/http/chat-stream.ts';

const HEARTBEAT = ': heartbeat\n\n';
const FAILED = { statusCode: 502, message: 'It failed.', error: 'Bad Gateway' };

/** An answer whose parts the test supplies. */
function pending() {
  let begin: () => void;
  let fail: (error: Error) => void;
  const begun = new Promise<void>((resolve, reject) => {
    begin = resolve;
    fail = reject;
  });
  const parts: ChatEvent[][] = [];
  let wake = () => {};
  const give = (part: ChatEvent[]) => {
    parts.push(part);
    wake();
  };
  let leave: () => void;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  async function* events() {
    try {
      for (;;) {
        const part = parts.shift();
        if (part) yield part;
        if (part?.some(({ type }) => type === 'finish')) return;
        if (parts.length > 0) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      leave();
    }
  }
  const answer: Promise<ChatAnswer> = begun.then(() => ({
    provider: 'openai',
    providerName: null,
    model: 'gpt-5.1',
    droppedParams: [],
    events: events(),
  }));
  const chunks = eventStream({ answer, executionId: 'e-1', errorBody: () => FAILED, heartbeatMs: 20 });
  const next = async () => (await chunks.next()).value as string | undefined;
  return { begin: begin!, fail: fail!, give, left, chunks, next };
}

test('eventStream: heartbeats while idle, before the first event and after it', async () => {
  const { begin, give, next } = pending();
  assert.equal(await next(), HEARTBEAT);
  assert.equal(await next(), HEARTBEAT);
  begin();
  give([{ type: 'text', text: 'one' }]);
  assert.equal(await next(), 'event: text\ndata: {"text":"one"}\n\n');
  assert.equal(await next(), HEARTBEAT);
  give([{ type: 'finish', reason: 'stop' }]);
  const done = { finishReason: 'stop', executionId: 'e-1', provider: 'openai', providerName: null, model: 'gpt-5.1' };
  assert.equal(await next(), `event: done\ndata: ${JSON.stringify(done)}\n\n`);
  assert.equal(await next(), undefined);
});

test('eventStream: no heartbeats while nothing is read', async () => {
  const { begin, give, next } = pending();
  assert.equal(await next(), HEARTBEAT);
  begin();
  give([{ type: 'text', text: 'one' }]);
  await sleep(100);
  assert.match((await next())!, /^event: text/);
});

test('eventStream: an early failure is only thrown, a later one is an event as well', async () => {
  const early = pending();
  early.fail(new Error('early'));
  await assert.rejects(early.next(), /early/);
  const late = pending();
  assert.equal(await late.next(), HEARTBEAT);
  late.fail(new Error('late'));
  assert.equal(await late.next(), `event: error\ndata: ${JSON.stringify(FAILED)}\n\n`);
  await assert.rejects(late.next(), /late/);
});

test('eventStream: a reader that stops ends the answer', async () => {
  const { begin, give, left, next, chunks } = pending();
  begin();
  give([{ type: 'text', text: 'one' }]);
  assert.match((await next())!, /^event: text/);
  await chunks.return(undefined);
  await left;
});
