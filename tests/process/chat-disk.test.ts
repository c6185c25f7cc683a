import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/process.ts';
import { chatDirectory } from './chat-support.ts';
import { canLimitFiles, limitFiles } from './file-limit.ts';

const CHATS = 30;
const skip = canLimitFiles() ? false : 'prlimit of util-linux is not here: files cannot be limited from outside';

test('a full disk hurts no stream, and once there is room every chat is recorded', {
  skip,
  timeout: 60_000,
}, async (t) => {
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
