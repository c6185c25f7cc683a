import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatApp, chat, chatApp } from '../../../support/chat.ts';
import { chatEvents } from '../../../support/chat-events.ts';
import { rareTest } from '../../../support/rare.ts';
import type { Piece } from '../../../support/upstream/outcomes.ts';
import { type FakeUpstream, fakeUpstream } from '../../../support/upstream/server.ts';

const WORDS = Array.from({ length: 30 }, (_, index) => `word ${index} 🌍 `);
/** Begins, waits for `release`, and goes on slowly. */
const LONG: Piece[] = [
  { type: 'text', text: 'Once ' },
  { type: 'hold' },
  ...WORDS.flatMap((text): Piece[] => [
    { type: 'text', text },
    { type: 'pause', ms: 10 },
  ]),
];
const WHOLE = `Once ${WORDS.join('')}`;

const timeout = 60_000;

rareTest('POST /chat: of 200 streams those of a dying upstream break, 100 complete', { timeout }, (t) =>
  loseHalf(t, 100),
);

async function loseHalf(t: TestContext, each: number): Promise<void> {
  const app = await chatApp(t, { rateLimit: 0 });
  const dying = await addUpstream(t, app, 'dying');
  const faults = faultsOfProcess(t);
  for (const upstream of [app.upstream, dying]) upstream.script({ pieces: LONG });
  let begun = 0;
  const allBegun = Promise.withResolvers<void>();
  const ask = (providerName: string, index: number) => {
    let isFirst = true;
    const onData = () => {
      if (isFirst && ++begun === 2 * each) allBegun.resolve();
      isFirst = false;
    };
    const accept = index % 2 === 0 ? 'text/plain' : 'text/event-stream';
    return chat(app, app.ask({ providerName }), { accept, onData });
  };
  const living = Array.from({ length: each }, (_, index) => ask('local', index));
  const lost = Array.from({ length: each }, (_, index) => ask('dying', index));
  const watch = watchHealth(app);
  await allBegun.promise;
  for (let index = 0; index < each; index++) app.upstream.release();
  await sleep(50);
  dying.crash();
  const [whole, broken] = await Promise.all([Promise.all(living), Promise.all(lost)]);
  assert.ok((await watch.end()) > 0, 'it was asked how it is, and was well each time');

  for (const [index, received] of whole.entries()) {
    assert.deepEqual([received.status, received.complete], [200, true]);
    const execution = await app.executionOf(received);
    assert.deepEqual([execution.status, execution.output, execution.chat.error], ['completed', WHOLE, null]);
    if (index % 2 === 0) assert.equal(received.text, WHOLE);
    else assert.match(received.text, /event: done\ndata: .*\n\n$/);
  }
  for (const [index, received] of broken.entries()) {
    assert.deepEqual([received.status, received.complete], [200, false]);
    const execution = await app.executionOf(received);
    assert.deepEqual([execution.status, execution.output, execution.chat.attempts], ['failed', 'Once ', 1]);
    assert.equal(execution.chat.error.kind, 'broken');
    if (index % 2 === 0) assert.equal(received.text, 'Once ');
    else assert.doesNotMatch(received.text, /event: done/);
  }
  assert.equal((await chatEvents(app, 'runtime.chat_completed', each)).length, each);
  assert.equal((await chatEvents(app, 'runtime.chat_failed', each)).length, each);
  assert.deepEqual(faults, []);
  assert.equal(app.upstream.open, 0);
}

rareTest('POST /chat: 100 streams fall back when their upstream dies before content', { timeout }, async (t) => {
  const app = await chatApp(t, { rateLimit: 0 });
  const fallbacks = [{ provider: 'custom', providerName: 'local', model: 'second' }];
  const dying = await addUpstream(t, app, 'dying', { fallbacks });
  const faults = faultsOfProcess(t);
  dying.script({ fault: { type: 'hang', after: 0 } });
  const chats = Array.from({ length: 100 }, () => chat(app, app.ask({ providerName: 'dying' })));
  await dying.whenRequested(100);
  dying.crash();
  for (const received of await Promise.all(chats)) {
    assert.deepEqual([received.status, received.complete, received.headers['x-model']], [200, true, 'second']);
    const { status, chat: facts } = await app.executionOf(received);
    assert.deepEqual([status, facts.fallback, facts.providerName], ['completed', true, 'local']);
  }
  assert.equal(app.upstream.requests.length, 100);
  assert.deepEqual(faults, []);
});

async function addUpstream(t: TestContext, app: ChatApp, name: string, members: object = {}): Promise<FakeUpstream> {
  const upstream = await fakeUpstream(t);
  const baseUrl = upstream.baseUrl('custom');
  const definition = { name, provider: 'custom', baseUrl, allowPrivateNetwork: true, ...members };
  await app.runtime.providers.apply(app.tenantId, definition);
  return upstream;
}

/** Errors that nothing caught during the test. */
function faultsOfProcess(t: TestContext): unknown[] {
  const faults: unknown[] = [];
  const note = (fault: unknown) => faults.push(fault);
  const kinds = ['unhandledRejection', 'uncaughtException'] as const;
  for (const kind of kinds) process.on(kind, note);
  t.after(() => {
    for (const kind of kinds) process.off(kind, note);
  });
  return faults;
}

/**
 * Polls the health of the server. `end` resolves with the number of polls, or rejects if one
 * failed.
 */
function watchHealth({ request }: ChatApp): { end: () => Promise<number> } {
  let isOver = false;
  const watching = (async () => {
    for (let times = 0; ; times++) {
      if (isOver) return times;
      const { status } = await request('GET', '/healthz');
      assert.equal(status, 200);
      await sleep(10);
    }
  })();
  watching.catch(() => undefined);
  return {
    end: () => {
      isOver = true;
      return watching;
    },
  };
}
