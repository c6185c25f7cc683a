import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { FileUploadStore, writeFault } from '../../../src/storage/uploads/files.ts';
import { testUploadStore, type UploadPlace } from '../../contracts/upload-store.ts';
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

async function newPlace(t: TestContext): Promise<UploadPlace> {
  const directory = join(temporaryDirectory(t), 'uploads');
  return {
    open: (options) => new FileUploadStore({ directory, ...options }),
    stored: () => readdirSync(directory).flatMap((name) => /^[\w-]+(?=\.part$|$)/.exec(name)?.[0] ?? []),
    age: (ms) => {
      for (const name of readdirSync(directory)) {
        const time = new Date(statSync(join(directory, name)).mtimeMs - ms);
        utimesSync(join(directory, name), time, time);
      }
    },
    large: MEGABYTE,
  };
}

testUploadStore('FileUploadStore', newPlace);

test('FileUploadStore: files and their directory are for their owner only', async (t) => {
  const { store, directory, files } = newStore(t, () => 'upload');
  const slow = new PassThrough();
  const coming = store.receive(slow, unaborted);
  slow.write('begun');
  await eventually('the part exists', async () => files().length === 1, 10_000);
  const modes = () =>
    [directory, ...files().map((name) => join(directory, name))].map((path) => statSync(path).mode & 0o777);
  assert.deepEqual([files(), modes()], [['upload.part'], [0o700, 0o600]]);
  assert.equal(await store.open('upload'), null);
  slow.end();
  await coming;
  assert.deepEqual([files(), modes()], [['upload'], [0o700, 0o600]]);
});

test('FileUploadStore: alone in its directory it keeps what it is receiving', async (t) => {
  const directory = join(temporaryDirectory(t), 'uploads');
  const store = new FileUploadStore({ directory, isExclusive: true, newId: () => 'upload' });
  const slow = new PassThrough();
  const coming = store.receive(slow, unaborted);
  slow.write('begun');
  await eventually('the part exists', async () => readdirSync(directory).length === 1, 10_000);
  await store.removeUnneeded(new Set());
  slow.end();
  await coming;
  assert.deepEqual(readdirSync(directory), ['upload']);
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
  const { store, directory } = newStore(t, () => 'slow');
  const size = 100 * MEGABYTE;
  let sent = 0;
  let furthest = 0;
  const fast = new Readable({
    highWaterMark: MEGABYTE,
    read() {
      const written = statSync(join(directory, 'slow.part'), { throwIfNoEntry: false })?.size ?? 0;
      furthest = Math.max(furthest, sent - written);
      sent += 64 * 1024;
      this.push(sent <= size ? Buffer.alloc(64 * 1024) : null);
    },
  });
  assert.equal((await store.receive(fast, unaborted)).size, size);
  assert.ok(furthest < 4 * MEGABYTE, `the sender was ${furthest} bytes ahead`);
});

test('FileUploadStore: alone in its directory it removes new files without a job too', async (t) => {
  const { directory, files } = newStore(t);
  const names = ['needed', 'needed.utf8', 'needed.part', 'done', 'done.blocks', 'broken.part'];
  for (const name of names) writeFileSync(join(directory, name), '');
  mkdirSync(join(directory, 'lost+found'));
  await new FileUploadStore({ directory, isExclusive: true }).removeUnneeded(new Set(['needed', 'unknown']));
  assert.deepEqual(files(), ['lost+found', 'needed', 'needed.utf8']);
});
