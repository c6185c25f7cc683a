import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { Scratch } from '../../../../src/storage/uploads/s3/scratch.ts';
import { S3UploadStore } from '../../../../src/storage/uploads/s3/uploads.ts';
import { testUploadStore, UNABORTED, type UploadPlace } from '../../../contracts/upload-store.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { eventually } from '../../../support/process.ts';
import { rareTest } from '../../../support/rare.ts';
import { type S3, startS3 } from '../../../support/s3.ts';

const MEGABYTE = 1024 * 1024;
const PREFIX = 'team/uploads/';

function openStore(t: TestContext, s3: S3, options: Partial<ConstructorParameters<typeof S3UploadStore>[0]> = {}) {
  const scratch = new Scratch({ directory: join(temporaryDirectory(t), 'scratch'), maxBytes: 100 * MEGABYTE });
  return new S3UploadStore({ bucket: s3.bucket(), prefix: PREFIX, scratch, maxBytes: 100 * MEGABYTE, ...options });
}

async function newPlace(t: TestContext): Promise<UploadPlace> {
  const s3 = await startS3(t);
  return {
    open: (options) => openStore(t, s3, options),
    stored: () => [...s3.keys(), ...s3.unfinished()].map((key) => key.replace(PREFIX, '')).sort(),
    age: s3.age,
    large: 5 * MEGABYTE,
  };
}

testUploadStore('S3UploadStore', newPlace);

const DAY_MS = 24 * 3_600_000;
const text = (content = 'text') => Readable.from([Buffer.from(content)]);

const SECOND_PART = /partNumber=2/;

test('S3UploadStore: while the server is away nothing is stored', async (t) => {
  const s3 = await startS3(t);
  const faults: unknown[] = [];
  const store = openStore(t, s3, { onFault: (error) => faults.push(error) });
  for (const fails of [/./, SECOND_PART]) {
    let sent = 0;
    s3.intercept = ({ url, socket }) => fails.test(url ?? '') && Boolean(socket.destroy());
    const content = new Readable({
      read() {
        this.push(sent++ < 12 ? Buffer.alloc(MEGABYTE) : null);
      },
    });
    const error = await store.receive(content, UNABORTED).catch((one: unknown) => one);
    assert.ok(error instanceof RuntimeError);
    assert.deepEqual([error.code, error.retryAfter], ['unavailable', 30]);
    assert.equal(
      error.message,
      'The file cannot be stored at the moment: the storage of uploads fails. Nothing was stored. Try again.',
    );
    assert.match((error.cause as Error).message, /^AGENT_RUNTIME_UPLOADS_URL: 127\.0\.0\.1:\d+ does not answer/);
    assert.equal(faults.pop(), error.cause);
    assert.equal(content.destroyed, true);
    assert.deepEqual([s3.keys(), s3.unfinished()], [[], []]);
  }
  s3.intercept = () => false;
  const { id } = await store.receive(text(), UNABORTED);
  s3.intercept = ({ socket }) => Boolean(socket.destroy());
  await assert.rejects(store.open(id, UNABORTED), /^RuntimeError: The file cannot be read at the moment/);
});

test('S3UploadStore: a server that does not answer holds no client that leaves', async (t) => {
  const s3 = await startS3(t);
  s3.intercept = ({ url }) => SECOND_PART.test(url ?? '');
  const leaving = new AbortController();
  const endless = new Readable({ read: () => undefined });
  const received = openStore(t, s3).receive(endless, leaving.signal);
  endless.push(Buffer.alloc(11 * MEGABYTE));
  await eventually('it is sent', async () => s3.requests.some((one) => SECOND_PART.test(one)), 10_000);
  leaving.abort(new Error('the client has left'));
  await assert.rejects(received, /the client has left/);
  assert.deepEqual(s3.unfinished(), []);
});

test('S3UploadStore: an upload must end before it could count as left behind', async (t) => {
  const s3 = await startS3(t);
  const endless = new Readable({ read: () => undefined });
  const received = openStore(t, s3, { maxReceiveMs: 20 }).receive(endless, UNABORTED);
  endless.push(Buffer.alloc(6 * MEGABYTE));
  await assert.rejects(received, { code: 'timeout', message: /^The upload took longer than/ });
  assert.deepEqual([s3.keys(), s3.unfinished(), endless.destroyed], [[], [], true]);
});

test('S3UploadStore: what others keep below its prefix stays, page by page', async (t) => {
  const s3 = await startS3(t);
  s3.pageSize = 2;
  let made = 0;
  const store = openStore(t, s3, { newId: () => `upload-${++made}` });
  for (let count = 0; count < 5; count++) await store.receive(text(), UNABORTED);
  const backups = openStore(t, s3, { prefix: `${PREFIX}backups/`, newId: () => 'monday' });
  await backups.receive(text(), UNABORTED);
  const named = s3.bucket();
  const write = (key: string) =>
    named.write(key, async (output) => void output.end('x'), { maxBytes: 1, signal: UNABORTED });
  for (const key of [`${PREFIX}a.backup`, 'team/other']) await write(key);
  s3.age(2 * DAY_MS);
  await store.removeUnneeded(new Set(['upload-4']));
  assert.deepEqual(s3.keys(), ['team/other', `${PREFIX}a.backup`, `${PREFIX}backups/monday`, `${PREFIX}upload-4`]);
});

test('S3UploadStore: ages are by the server, whatever the clock of this machine', async (t) => {
  const s3 = await startS3(t);
  const store = openStore(t, s3);
  const { id } = await store.receive(text(), UNABORTED);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * DAY_MS });
  await store.removeUnneeded(new Set());
  assert.deepEqual(s3.keys(), [PREFIX + id]);
});

test('S3UploadStore: a server that does not list parts is reported, not fatal', async (t) => {
  const s3 = await startS3(t);
  const faults: unknown[] = [];
  const store = openStore(t, s3, { onFault: (error) => faults.push(error) });
  await store.receive(text(), UNABORTED);
  s3.age(2 * DAY_MS);
  s3.intercept = ({ url = '' }, response) => {
    if (!/[?&]uploads(&|=|$)/.test(url)) return false;
    response.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>');
    return true;
  };
  await store.removeUnneeded(new Set());
  assert.equal(faults.length, 1);
  assert.deepEqual(s3.keys(), []);
});

test('S3UploadStore: a bucket that is gone is no missing upload', async (t) => {
  const s3 = await startS3(t);
  const store = openStore(t, s3);
  const { id } = await store.receive(text(), UNABORTED);
  s3.intercept = (_request, response) => {
    response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
    return true;
  };
  await assert.rejects(store.open(id, UNABORTED), { code: 'unavailable' });
  await assert.rejects(store.removeUnneeded(new Set()), /^RuntimeError: AGENT_RUNTIME_UPLOADS_URL: there is no bucket/);
});

rareTest('S3UploadStore: 200 MB come and go with bounded memory', async (t) => {
  const s3 = await startS3(t);
  const { growth, sha256 } = await inChild<{ growth: number; sha256: string }>(s3, 'large');
  assert.match(sha256, /^[0-9a-f]{64}$/);
  assert.ok(growth < 120 * MEGABYTE, `${growth} bytes more`);
});

rareTest('S3UploadStore: kill -9 leaves no upload, and parts that are removed', async (t) => {
  const s3 = await startS3(t);
  s3.intercept = ({ url }) => SECOND_PART.test(url ?? '');
  const child = startChild(s3, 'large');
  await eventually('a part is sent', async () => s3.requests.some((one) => SECOND_PART.test(one)), 20_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  s3.intercept = () => false;
  assert.deepEqual([s3.keys(), s3.unfinished().length], [[], 1]);
  s3.age(2 * DAY_MS);
  await openStore(t, s3).removeUnneeded(new Set());
  assert.deepEqual(s3.unfinished(), []);
});

function startChild(s3: S3, ...args: string[]) {
  return fork(join(import.meta.dirname, 'upload-child.ts'), [s3.url(), PREFIX, ...args]);
}

async function inChild<Answer>(s3: S3, ...args: string[]): Promise<Answer> {
  const [answer] = await once(startChild(s3, ...args), 'message');
  return answer as Answer;
}
