import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResponseBody } from '../../src/outbound/response-body.ts';

/** A body with the calls to its request. */
function bodyWithLog() {
  const log: string[] = [];
  const exchange = {
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
    abort: () => log.push('abort'),
  };
  return { body: new ResponseBody(exchange), log };
}

const chunk = (text: string) => Buffer.from(text);
const textOf = (chunks: Buffer[] | null) => chunks && Buffer.concat(chunks).toString();

test('ResponseBody: a read returns all chunks so far and waits for more', async () => {
  const { body } = bodyWithLog();
  body.push(chunk('a'));
  body.push(chunk('b'));
  assert.equal(textOf(await body.read()), 'ab');
  const next = body.read();
  // In one turn, as the parts of one read of a socket.
  body.push(chunk('c'));
  body.push(chunk('d'));
  assert.equal(textOf(await next), 'cd');
  body.push(chunk('e'));
  body.end();
  assert.equal(textOf(await body.read()), 'e');
  assert.equal(await body.read(), null);
  assert.equal(await body.read(), null);
});

test('ResponseBody: chunks before a fault are read before the fault', async () => {
  const { body, log } = bodyWithLog();
  body.push(chunk('a'));
  body.fail(new Error('cut'));
  body.push(chunk('b'));
  body.end();
  assert.equal(textOf(await body.read()), 'a');
  await assert.rejects(body.read(), { message: 'cut' });
  body.destroy();
  assert.deepEqual(log, ['resume'], 'a request that is over is not ended');
});

test('ResponseBody: a pending read settles on end, fault or destroy', async () => {
  const ended = bodyWithLog().body;
  const cut = bodyWithLog().body;
  const { body: unwanted, log } = bodyWithLog();
  const reads = [ended.read(), assert.rejects(cut.read(), { message: 'cut' }), unwanted.read()];
  ended.end();
  cut.fail(new Error('cut'));
  unwanted.destroy();
  const [first, , last] = await Promise.all(reads);
  assert.deepEqual([first, last, log], [null, null, ['abort']]);
  unwanted.destroy();
  assert.deepEqual(log, ['abort'], 'once');
});

test('ResponseBody: unread bytes pause the server (backpressure)', async () => {
  const { body, log } = bodyWithLog();
  body.push(Buffer.alloc(60_000));
  assert.deepEqual(log, []);
  body.push(Buffer.alloc(10_000));
  assert.deepEqual(log, ['pause']);
  await body.read();
  assert.deepEqual(log, ['pause', 'resume']);
});

test('ResponseBody: drain discards the rest and destroys after its timeout', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const over = bodyWithLog();
  over.body.push(chunk('held'));
  over.body.drain(1_000);
  over.body.push(Buffer.alloc(100_000));
  over.body.end();
  const slow = bodyWithLog();
  slow.body.drain(1_000);
  t.mock.timers.tick(999);
  assert.deepEqual([over.log, slow.log], [['resume'], ['resume']]);
  t.mock.timers.tick(1);
  assert.deepEqual([over.log, slow.log], [['resume'], ['resume', 'abort']]);
  assert.equal(await over.body.read(), null);
});

test('ResponseBody: iteration yields the chunks, and stopping ends the request', async () => {
  const { body, log } = bodyWithLog();
  body.push(chunk('a'));
  body.push(chunk('b'));
  for await (const part of body) {
    assert.equal(String(part), 'a');
    break;
  }
  assert.deepEqual(log, ['resume', 'abort']);
  assert.equal(Buffer.concat(await Array.fromAsync(ResponseBody.of(chunk('whole')))).toString(), 'whole');
});
