import assert from 'node:assert/strict';
import { accepts, eventually } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import type { Piece } from '../../support/upstream/outcomes.ts';
import { chatDirectory } from './support.ts';

/** Begins, and goes on after `release`. */
const HELD: Piece[] = [{ type: 'text', text: 'Once ' }, { type: 'hold' }, { type: 'text', text: 'upon a time' }];

rareTest('graceful shutdown: a stream that ends in time is whole and recorded', async (t) => {
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

rareTest('graceful shutdown: a stream that does not end is broken off and recorded', async (t) => {
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
  upstream.script({ pieces: HELD });
  const leaving = Promise.withResolvers<() => void>();
  const left = server.chat({}, { onData: (_text, leave) => leaving.resolve(leave) });
  const leave = await leaving.promise;
  const stopped = server.end('SIGTERM');
  await eventually('nobody new is let in', async () => !(await accepts(server.url)), 5_000);
  leave();
  const { code, stderr } = await stopped;
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /"level"/);
  await upstream.whenAborted(4);
  assert.equal(await unanswered, 'no answer');
  const again = await start();
  for (const { text, complete, headers } of await Promise.all(chats)) {
    assert.match(text, /Once /);
    assert.equal(complete, false);
    const execution = await again.execution(headers['x-execution-id']);
    assert.deepEqual([execution.status, execution.output, execution.usage.estimated], ['failed', 'Once ', true]);
    assert.deepEqual(execution.chat.error, {
      ...{ kind: 'shutdown', message: 'The server was stopped before the answer ended.', status: null },
    });
  }
  const { status, chat } = await again.execution((await left).headers['x-execution-id']);
  assert.deepEqual([status, chat.error], ['cancelled', null], 'who leaves meanwhile has left');
  const events = await again.events('failed', 4);
  const said = events.map(({ status, error }) => `${status} ${error}`).sort();
  assert.deepEqual(said, ['cancelled null', 'failed shutdown', 'failed shutdown', 'failed shutdown']);
});
