import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { Scratch, type ScratchOptions } from '../../../../src/storage/uploads/s3/scratch.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { eventually } from '../../../support/process.ts';

const STAYS = new AbortController().signal;

function newScratch(t: TestContext, options: Partial<ScratchOptions> = {}) {
  const directory = join(temporaryDirectory(t), 'scratch');
  const scratch = new Scratch({ directory, maxBytes: 100, ...options });
  const read: string[] = [];
  const open = (id: string, bytes: number, signal = STAYS) =>
    scratch.open(id, bytes, signal, () => {
      read.push(id);
      return Readable.from([Buffer.alloc(bytes, id)]);
    });
  return {
    scratch,
    directory,
    read,
    open,
    copies: () =>
      readdirSync(directory)
        .flatMap((name) => readdirSync(join(directory, name)))
        .sort(),
  };
}

test('Scratch: what an earlier process left is removed at its start', async (t) => {
  const directory = join(temporaryDirectory(t), 'scratch');
  mkdirSync(join(directory, 'copy-1'), { recursive: true });
  writeFileSync(join(directory, 'copy-1', 'a'), 'old');
  new Scratch({ directory, maxBytes: 100 });
  assert.deepEqual(readdirSync(directory), []);
});

test('Scratch: an idle copy is used again, one in use is not shared', async (t) => {
  const { open, read, copies } = newScratch(t);
  const first = await open('a', 10);
  const second = await open('a', 10);
  assert.notEqual(first.path, second.path);
  await first.close();
  const third = await open('a', 10);
  assert.equal(third.path, first.path);
  await second.close();
  await third.close();
  assert.deepEqual([read, copies()], [['a', 'a'], ['a']]);
});

test('Scratch: idle copies make room for others, the longest idle one first', async (t) => {
  const { open, read, copies } = newScratch(t);
  for (const id of ['a', 'b', 'c']) await (await open(id, 30)).close();
  await (await open('a', 30)).close();
  const large = await open('d', 60);
  assert.deepEqual(
    [read, copies()],
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'd'],
    ],
  );
  await large.close();
});

test('Scratch: derived files count once their upload is idle', async (t) => {
  const { open, copies } = newScratch(t);
  const first = await open('a', 30);
  writeFileSync(`${first.path}.utf8`, Buffer.alloc(50));
  await first.close();
  const second = await open('b', 30);
  assert.deepEqual(copies(), ['b']);
  await second.close();
});

test('Scratch: without room the next one waits for a copy to be closed', async (t) => {
  const { open, copies } = newScratch(t);
  const first = await open('a', 60);
  let opened = false;
  const waiting = open('b', 60).then((upload) => {
    opened = true;
    return upload;
  });
  await nextLoop();
  assert.deepEqual([opened, copies()], [false, ['a']]);
  await first.close();
  const second = await waiting;
  assert.deepEqual(copies(), ['b']);
  await second.close();
});

test('Scratch: a copy larger than all room is made once it is alone', async (t) => {
  const { open, copies } = newScratch(t);
  const [idle, used] = [await open('a', 10), await open('b', 10)];
  await idle.close();
  const waiting = open('large', 1_000);
  await nextLoop();
  await used.close();
  const large = await waiting;
  assert.deepEqual([copies(), readFileSync(large.path).length], [['large'], 1_000]);
  await large.close();
});

test('Scratch: an abort ends the wait and the copying, and leaves nothing', async (t) => {
  const { scratch, open, copies } = newScratch(t);
  const first = await open('a', 60);
  const leaving = new AbortController();
  const waiting = open('b', 60, leaving.signal);
  await nextLoop();
  leaving.abort(new Error('cancelled'));
  await assert.rejects(waiting, /cancelled/);
  await first.close();
  const again = new AbortController();
  const endless = scratch.open('c', 60, again.signal, () => new Readable({ read: () => undefined }));
  await eventually('copying has begun', async () => copies().includes('c'), 5_000);
  again.abort(new Error('cancelled'));
  await assert.rejects(endless);
  const failing = () =>
    new Readable({
      read() {
        this.destroy(new Error('the bucket'));
      },
    });
  await assert.rejects(scratch.open('d', 60, STAYS, failing), /the bucket/);
  await (await open('e', 100)).close();
  assert.deepEqual(copies(), ['e']);
});

test('Scratch: a removed upload goes at once when idle, else when it is closed', async (t) => {
  const { scratch, open } = newScratch(t);
  const [idle, used] = [await open('a', 10), await open('b', 10)];
  await idle.close();
  await scratch.remove('a');
  await scratch.remove('b');
  assert.deepEqual([existsSync(idle.path), existsSync(used.path)], [false, true]);
  await used.close();
  assert.equal(existsSync(used.path), false);
});

test('Scratch: an idle copy goes after a while, and all of them at the end', async (t) => {
  const { open, copies } = newScratch(t, { idleMs: 5 });
  await (await open('a', 10)).close();
  await eventually('it is gone', async () => copies().length === 0, 5_000);
  const lasting = newScratch(t);
  await (await lasting.open('a', 10)).close();
  await lasting.scratch.clear();
  assert.deepEqual(lasting.copies(), []);
});
