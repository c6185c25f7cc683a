import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { RuntimeError } from '../../../src/core/shared/errors.ts';
import { FileUploadStore, writeFault } from '../../../src/storage/files/uploads.ts';
import { canLimitFiles, limitFiles } from '../../process/file-limit.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { eventually } from '../../support/process.ts';

const MEGABYTE = 1024 * 1024;
const unaborted = new AbortController().signal;
const withoutLimits = canLimitFiles()
  ? false
  : 'prlimit of util-linux is not here: files cannot be limited from outside';

function newStore(t: TestContext, newId?: () => string) {
  const directory = join(temporaryDirectory(t), 'uploads');
  const store = new FileUploadStore({ directory, ...(newId ? { newId } : {}) });
  return { store, directory, files: () => readdirSync(directory).sort() };
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

test('FileUploadStore: a file is stored as sent, under its own id, for its owner only', async (t) => {
  const { store, directory, files } = newStore(t);
  const content = randomBytes(3 * MEGABYTE + 17);
  const upload = await store.receive(Readable.from([content.subarray(0, 5), content.subarray(5)]), unaborted);
  assert.deepEqual([upload.size, upload.sha256], [content.length, sha256(content)]);
  assert.match(upload.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
  assert.deepEqual(files(), [upload.id]);
  assert.ok(readFileSync(store.pathOf(upload.id)).equals(content));
  assert.equal(statSync(store.pathOf(upload.id)).mode & 0o777, 0o600);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  assert.deepEqual([await store.exists(upload.id), await store.exists('another')], [true, false]);
});

test('FileUploadStore: size and hash do not depend on how the stream is cut', async (t) => {
  const { store } = newStore(t);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), { maxLength: 20 }), async (parts) => {
      const chunks = parts.map((part) => Buffer.from(part));
      const whole = Buffer.concat(chunks);
      const { id, size, sha256: hash } = await store.receive(Readable.from(chunks), unaborted);
      assert.deepEqual([size, hash], [whole.length, sha256(whole)]);
      assert.ok(readFileSync(store.pathOf(id)).equals(whole));
    }),
    { numRuns: 30 },
  );
});

test('FileUploadStore: a file being received is a part that removeUnneeded keeps', async (t) => {
  let made = 0;
  const { store, files } = newStore(t, () => `upload-${++made}`);
  const slow = new PassThrough();
  const coming = store.receive(slow, unaborted);
  slow.write('begun');
  await eventually('the part exists', async () => files().length === 1, 10_000);
  const other = await store.receive(Readable.from([Buffer.from('whole')]), unaborted);
  assert.deepEqual(files(), ['upload-1.part', 'upload-2']);
  await store.removeUnneeded(new Set());
  assert.deepEqual(files(), ['upload-1.part']);
  assert.equal(await store.exists('upload-1'), false);
  slow.end(' and ended');
  assert.deepEqual([(await coming).id, other.id, files()], ['upload-1', 'upload-2', ['upload-1']]);
});

test('FileUploadStore: a disk that fails is unavailable, without internal text', async (t) => {
  const { store, directory } = newStore(t);
  rmSync(directory, { recursive: true });
  const error = await store.receive(Readable.from([Buffer.from('text')]), unaborted).catch((one: unknown) => one);
  assert.ok(error instanceof RuntimeError);
  assert.deepEqual([error.code, error.retryAfter], ['unavailable', 30]);
  assert.equal(
    error.message,
    'The file cannot be stored at the moment: the disk fails. Nothing was stored. Try again.',
  );
  assert.equal((error.cause as NodeJS.ErrnoException).code, 'ENOENT');
  for (const code of ['EIO', 'EROFS']) {
    const fault = writeFault(Object.assign(new Error(`${code}: write`), { code, syscall: 'write' }));
    assert.ok(fault instanceof RuntimeError && fault.code === 'unavailable');
  }
  const ofSender = new Error('the form ended');
  assert.equal(writeFault(ofSender), ofSender);
});

test('FileUploadStore: an aborted upload leaves nothing, whenever it is aborted', async (t) => {
  const { store, files } = newStore(t);
  for (const afterMs of [-1, 0, 1, 2, 5, 10]) {
    const leaving = new AbortController();
    const endless = new Readable({ read: () => undefined });
    const received = store.receive(endless, leaving.signal);
    endless.push(Buffer.alloc(MEGABYTE));
    if (afterMs >= 0) await sleep(afterMs);
    leaving.abort(new Error('the client has left'));
    await assert.rejects(received, /the client has left/);
    assert.deepEqual(files(), [], `${afterMs} ms`);
    assert.equal(endless.destroyed, true, 'nobody goes on sending into the void');
  }
  // A stream that is destroyed while its file is opened may reject before the file exists.
  for (let again = 0; again < 100; again++) {
    const leaving = new AbortController();
    if (again % 2 === 0) leaving.abort(new Error('before it began'));
    else setImmediate(() => leaving.abort(new Error('when it began')));
    const endless = new Readable({ read: () => undefined });
    await assert.rejects(store.receive(endless, leaving.signal), /(before|when) it began/);
  }
  await sleep(20);
  assert.deepEqual(files(), [], 'nor does anything appear later');
});

test('FileUploadStore: a failing stream leaves nothing, even before the first read', async (t) => {
  const { store, files } = newStore(t);
  for (const isBegun of [true, false]) {
    const failing = new PassThrough();
    const received = store.receive(failing, unaborted);
    if (isBegun) {
      failing.write(Buffer.alloc(MEGABYTE));
      await sleep(10);
    }
    failing.destroy(new Error('unexpected end'));
    await assert.rejects(received, /unexpected end|Premature close/);
    assert.deepEqual(files(), []);
  }
});

test('FileUploadStore: a full disk is reported, leaves nothing, and later uploads work', {
  skip: withoutLimits,
}, async (t) => {
  const { store, directory, files } = newStore(t);
  const content = () => Readable.from(Array.from({ length: 8 }, () => Buffer.alloc(MEGABYTE)));
  limitFiles(process.pid, 4 * MEGABYTE);
  t.after(() => limitFiles(process.pid, 'unlimited'));
  await assert.rejects(store.receive(content(), unaborted), (error) => {
    assert.ok(error instanceof RuntimeError);
    assert.deepEqual([error.code, error.message], ['unavailable', `There is not enough room in ${directory}.`]);
    assert.ok(error.cause, 'the log has the fault of the machine');
    return true;
  });
  assert.deepEqual(files(), []);
  limitFiles(process.pid, 'unlimited');
  assert.equal((await store.receive(content(), unaborted)).size, 8 * MEGABYTE);
});

test('FileUploadStore: backpressure limits the sender to the pace of the disk', async (t) => {
  const { store } = newStore(t, () => 'slow');
  const size = 100 * MEGABYTE;
  let sent = 0;
  let furthest = 0;
  const fast = new Readable({
    highWaterMark: MEGABYTE,
    read() {
      const written = statSync(`${store.pathOf('slow')}.part`, { throwIfNoEntry: false })?.size ?? 0;
      furthest = Math.max(furthest, sent - written);
      sent += 64 * 1024;
      this.push(sent <= size ? Buffer.alloc(64 * 1024) : null);
    },
  });
  assert.equal((await store.receive(fast, unaborted)).size, size);
  assert.ok(furthest < 4 * MEGABYTE, `the sender was ${furthest} bytes ahead`);
});

test('FileUploadStore: remove takes companions but no files with similar ids', async (t) => {
  let made = 0;
  const ids = ['upload-1', 'upload-10'];
  const { store, directory, files } = newStore(t, () => ids[made++]!);
  for (const _ of ids) await store.receive(Readable.from([Buffer.from('x')]), unaborted);
  for (const name of ['upload-1.utf8', 'upload-1.blocks', 'upload-10.utf8']) writeFileSync(join(directory, name), '');
  await store.remove('upload-1');
  assert.deepEqual(files(), ['upload-10', 'upload-10.utf8']);
  await store.remove('upload-1');
  await store.remove('upload-10');
  assert.deepEqual(files(), []);
});

test('FileUploadStore: no id leads out of the directory or names all of it', async (t) => {
  const { store } = newStore(t);
  for (const id of ['', '.', '..', '../x', 'a/b', 'a.part', 'a\0']) {
    assert.throws(() => store.pathOf(id), /not the id of an upload/);
    await assert.rejects(store.remove(id), /not the id of an upload/);
  }
});

test('FileUploadStore: removeUnneeded keeps needed files with companions, no others', async (t) => {
  const { directory, files } = newStore(t);
  const names = ['needed', 'needed.utf8', 'needed.part', 'done', 'done.blocks', 'broken.part'];
  for (const name of names) writeFileSync(join(directory, name), '');
  mkdirSync(join(directory, 'lost+found'));
  await new FileUploadStore({ directory }).removeUnneeded(new Set(['needed', 'unknown']));
  assert.deepEqual(files(), ['lost+found', 'needed', 'needed.utf8']);
});
