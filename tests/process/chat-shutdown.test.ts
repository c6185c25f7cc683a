import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepts, eventually } from '../support/process.ts';
import type { Piece } from '../support/upstream/outcomes.ts';
import { chatDirectory } from './chat-support.ts';

/** Begins, and goes on when it is let go. */
const HELD: Piece[] = [{ type: 'text', text: 'Once ' }, { type: 'hold' }, { type: 'text', text: 'upon a time' }];

test('a stream that ends while the server is stopped ends whole, and is recorded', { timeout: 60_000 }, async (t) => {
  const { upstream, start } = await chatDirectory(t);
  const server = await start();
  upstream.script({ pieces: HELD });
  const begun = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const chats = begun.map(({ resolve }, index) =>
    server.chat({}, { accept: index === 0 ? 'text/plain' : 'text/event-stream', onData: () => resolve() }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  const ended = server.end('SIGTERM');
  await eventually('nobody new is let in', async () => !(await accepts(server.url)), 5_000);
  upstream.release();
  upstream.release();
  const received = await Promise.all(chats);
  assert.deepEqual([received[0]!.text, received[0]!.complete], ['Once upon a time', true]);
  assert.match(received[1]!.text, /event: done\n/);
  assert.equal(received[1]!.complete, true);
  const { code, stderr } = await ended;
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /"level"/);

  const again = await start();
  for (const { headers } of received) {
    const execution = await again.execution(headers['x-execution-id']);
    assert.deepEqual([execution.status, execution.output], ['completed', 'Once upon a time']);
  }
});

test('a stream that does not end while the server is stopped is broken off, and is recorded', {
  timeout: 60_000,
}, async (t) => {
  const { upstream, start } = await chatDirectory(t);
  const server = await start();
  upstream.script({ pieces: HELD });
  const ends: Promise<unknown>[] = [];
  const chats = ['text/plain', 'text/event-stream'].map((accept) => {
    const begun = Promise.withResolvers<void>();
    ends.push(begun.promise);
    return server.chat({}, { accept, onData: () => begun.resolve() });
  });
  await Promise.all(ends);
  upstream.script({ fault: { type: 'hang', after: 0 } });
  const unanswered = server.chat().catch(() => 'no answer');
  await upstream.whenRequested(3);
  const { code, stderr } = await server.end('SIGTERM');
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /"level"/);
  await upstream.whenAborted(3);
  assert.equal(await unanswered, 'no answer');
  const again = await start();
  for (const { text, complete, headers } of await Promise.all(chats)) {
    assert.match(text, /Once /);
    assert.equal(complete, false);
    const execution = await again.execution(headers['x-execution-id']);
    assert.deepEqual([execution.status, execution.output, execution.usage.estimated], ['cancelled', 'Once ', true]);
  }
  const events = await again.events('failed', 3);
  assert.deepEqual(new Set(events.map(({ status }) => status)), new Set(['cancelled']));
});
