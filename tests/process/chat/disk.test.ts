import assert from 'node:assert/strict';
import { eventually } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { canLimitFiles, limitFiles } from '../file-limit.ts';
import { chatDirectory } from './support.ts';

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
