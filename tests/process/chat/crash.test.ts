import assert from 'node:assert/strict';
import { join } from 'node:path';

import BetterSqlite3 from 'better-sqlite3';
import { STATE_FILE } from '../../../src/storage/installation/names.ts';
import type { Received } from '../../support/chat.ts';
import { eventually } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { type ChatServer, chatDirectory } from './support.ts';

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
