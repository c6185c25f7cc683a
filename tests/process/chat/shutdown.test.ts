import assert from 'node:assert/strict';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { STATE_FILE } from '../../../src/storage/installation/names.ts';
import type { Received } from '../../support/chat.ts';
import { accepts, eventually } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import type { Piece } from '../../support/upstream/outcomes.ts';
import { canLimitFiles, limitFiles } from '../file-limit.ts';
import { type ChatServer, chatDirectory } from './support.ts';

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

rareTest('AbandonedChats: chats cut off by a kill fail after the restart, with one event', async (t) => {
  const { dataDir, upstream, start } = await chatDirectory(t);
  const server = await start();
  const before = await server.chat();
  assert.equal((await server.execution(before.headers['x-execution-id'])).status, 'completed');
  upstream.script({ pieces: [{ type: 'text', text: 'Once ' }, { type: 'hold' }] });
  const chats = ['text/plain', 'text/event-stream'].map((accept) => {
    const begun = Promise.withResolvers<unknown>();
    const ended = server.chat({}, { accept, onData: () => begun.resolve(null) });
    return { begun: begun.promise, ended };
  });
  await Promise.all(chats.map(({ begun }) => begun));
  await eventually('both are known on the disk', async () => server.recorded('running') === 2, 5_000);
  await server.end('SIGKILL');
  await upstream.whenAborted(2);
  const received = await Promise.all(chats.map(({ ended }) => ended));

  const again = await start();
  for (const { complete, headers } of received) {
    assert.equal(complete, false);
    const { status, completedAt, chat } = await again.execution(headers['x-execution-id']);
    assert.equal(status, 'failed');
    assert.ok(completedAt);
    assert.deepEqual(chat.error, {
      ...{ kind: 'internal', message: 'The server ended before the answer did.', status: null },
    });
  }
  const kept = await again.execution(before.headers['x-execution-id']);
  assert.deepEqual([kept.status, kept.output, kept.chat.error], ['completed', 'Olá mundo 🌍', null]);
  upstream.script({});
  assert.deepEqual(await failures(again), ['failed internal', 'failed internal']);

  await again.end('SIGKILL');
  // As after a crash between their events and their executions.
  changeState(dataDir, "UPDATE executions SET status = 'running' WHERE status = 'failed'");
  const third = await start();
  for (const { headers } of received) {
    assert.equal((await third.execution(headers['x-execution-id'])).status, 'failed');
  }
  assert.deepEqual(await failures(third), ['failed internal', 'failed internal'], 'nobody is told twice');
});

rareTest('Chat: every completed answer and its event survive a kill of the server', async (t) => {
  const { upstream, start } = await chatDirectory(t);
  const ends: Received[] = [];
  let server = await start();
  for (let batch = 0; batch < 2; batch++) {
    upstream.script({});
    const answered = Array.from({ length: 8 }, (_, index) =>
      server.chat({}, { accept: index % 2 === 0 ? 'text/plain' : 'text/event-stream' }),
    );
    ends.push(...(await Promise.all(answered)));
    upstream.script({ fault: { type: 'status', status: 400 } });
    ends.push(...(await Promise.all([server.chat(), server.chat()])));
    await server.end('SIGKILL');
    server = await start();
  }
  const completed = ends.filter(({ status }) => status === 200);
  assert.deepEqual([ends.length, completed.length, ends.every(({ complete }) => complete)], [20, 16, true]);
  for (const { status, headers } of ends) {
    const recorded = await server.execution(headers['x-execution-id']);
    assert.equal(recorded.status, status === 200 ? 'completed' : 'failed');
  }
  assert.equal((await server.events('completed', 16)).length, 16);
  assert.equal((await server.events('failed', 4)).length, 4);
});

/** The events of failed chats, once all are visible. */
async function failures(server: ChatServer): Promise<string[]> {
  assert.equal((await server.chat()).complete, true);
  const completed = (await server.events('completed', 0)).length;
  await server.events('completed', completed + 1);
  return (await server.events('failed', 0)).map(({ status, error }) => `${status} ${error}`);
}

function changeState(dataDir: string, statement: string): void {
  const database = new BetterSqlite3(join(dataDir, STATE_FILE));
  try {
    database.exec(statement);
  } finally {
    database.close();
  }
}

const CHATS = 30;
const skip = canLimitFiles() ? false : 'prlimit of util-linux is not here: files cannot be limited from outside';

rareTest('Recorder: a full disk affects no stream, and every chat is recorded afterwards', { skip }, async (t) => {
  const { upstream, start } = await chatDirectory(t);
  const server = await start();
  assert.equal((await server.chat()).complete, true);
  upstream.script({
    pieces: [{ type: 'text', text: 'Once ' }, { type: 'hold' }, { type: 'text', text: 'upon a time' }],
  });
  const begun = Promise.withResolvers<void>();
  const across = server.chat({}, { onData: () => begun.resolve() });
  await begun.promise;

  limitFiles(server.pid, 4_096);
  upstream.release();
  assert.deepEqual([(await across).complete, (await across).text], [true, 'Once upon a time']);
  upstream.script({});
  const whole = await Promise.all(Array.from({ length: CHATS }, () => server.chat()));
  upstream.script({ fault: { type: 'status', status: 400 } });
  const refused = await Promise.all(Array.from({ length: CHATS }, () => server.chat()));
  for (const { status, complete, text } of whole) {
    assert.deepEqual([status, complete, text], [200, true, 'Olá mundo 🌍']);
  }
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([400]));
  await eventually(
    'the recorder has met the full disk',
    async () => /chats could not be recorded/.test(server.output().stderr),
    5_000,
  );

  limitFiles(server.pid, 'unlimited');
  assert.equal((await server.events('completed', CHATS + 2)).length, CHATS + 2);
  assert.equal((await server.events('failed', CHATS)).length, CHATS);
  const statusOf = async ({ headers }: { headers: object }) =>
    (await server.execution((headers as Record<string, string>)['x-execution-id'])).status;
  for (const received of [await across, ...whole]) assert.equal(await statusOf(received), 'completed');
  for (const received of refused) assert.equal(await statusOf(received), 'failed');
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /^agent_runtime_chats_lost_total 0$/m);
  assert.equal((await server.end('SIGTERM')).code, 0);
});

rareTest('Recorder: chats lost to a full disk are failed once there is space', { skip }, async (t) => {
  const { upstream, start } = await chatDirectory(t);
  const server = await start();
  const ofMegabytes = (megabytes: number) => ({
    messages: [{ role: 'user', content: 'x'.repeat(megabytes * 1024 * 1024) }],
  });
  upstream.script({ pieces: [{ type: 'text', text: 'Once ' }, { type: 'hold' }] });
  const begun = Promise.withResolvers<void>();
  const across = server.chat(ofMegabytes(14), { onData: () => begun.resolve() });
  await begun.promise;
  await eventually('it is known on the disk', async () => server.recorded('running') === 1, 10_000);

  limitFiles(server.pid, 4_096);
  upstream.script({});
  const waiting = [];
  for (let chats = 0; chats < 4; chats++) waiting.push(await server.chat(ofMegabytes(14)));
  await eventually(
    'the recorder has met the full disk',
    async () => /chats could not be recorded/.test(server.output().stderr),
    5_000,
  );
  upstream.release();
  const lost = await across;
  assert.deepEqual([lost.text, lost.complete], ['Once ', true]);

  limitFiles(server.pid, 'unlimited');
  await eventually('it is not left running', async () => server.recorded('running') === 0, 10_000);
  const { status, output, chat } = await server.execution(lost.headers['x-execution-id']);
  assert.deepEqual([status, output, chat.error.kind], ['failed', null, 'unrecorded']);
  for (const { headers } of waiting) {
    assert.equal((await server.execution(headers['x-execution-id'])).status, 'completed');
  }
  const events = await server.events('failed', 1);
  assert.deepEqual([events.length, events[0].error], [1, 'unrecorded']);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /^agent_runtime_chats_lost_total 1$/m);
});
