import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { bucketSource, bucketTarget } from '../../src/backup/bucket-places.ts';
import type { Encryption } from '../../src/backup/encryption.ts';
import type { BackupSource } from '../../src/backup/places.ts';
import { restore } from '../../src/backup/restore.ts';
import { parseBucketUrl } from '../../src/core/bucket-url.ts';
import { eventsOf } from '../support/answers.ts';
import { temporaryDirectory } from '../support/app.ts';
import { BACKUP_KEY, packApp } from '../support/backup.ts';
import { eventually } from '../support/process.ts';
import { type S3, startS3 } from '../support/s3.ts';
import { appOfThisFile } from '../support/shared.ts';

const sharedApp = appOfThisFile();
const NOW = Date.UTC(2026, 10, 27, 10, 11, 12, 345);
const MEGABYTE = 1024 * 1024;

const placeOf = (s3: S3, path: string) => ({
  url: parseBucketUrl(s3.url(path)),
  bucket: s3.bucket({ setting: 's3://files' }),
});
const newTarget = (s3: S3, path: string, mayReplace = false) =>
  bucketTarget(placeOf(s3, path), { now: NOW, mayReplace });

/** Writes random content as the archive of a backup. */
function content(bytes: number) {
  return (output: NodeJS.WritableStream) => pipeline(Readable.from([randomBytes(bytes)]), output);
}

async function restored(t: TestContext, source: BackupSource, keys: { passphrase?: string } = {}) {
  const dataDir = join(temporaryDirectory(t), 'data');
  mkdirSync(dataDir);
  const reading = { keys: { installation: BACKUP_KEY, ...keys }, acceptUnauthenticated: false };
  const progress: number[] = [];
  try {
    const { manifest } = await restore({
      ...reading,
      source,
      dataDir,
      now: 0,
      onProgress: (read) => progress.push(read),
    });
    return { events: manifest.events, files: readdirSync(dataDir), read: progress.at(-1) };
  } catch (error) {
    assert.deepEqual(readdirSync(dataDir), []);
    throw error;
  }
}

for (const [what, encryption] of [
  ['a plain one', undefined],
  ['an encrypted one', { passphrase: 'right', workFactor: 10 }],
] as [string, Encryption | undefined][]) {
  test(`Backup in S3: ${what} is restored as it was packed`, async (t) => {
    const s3 = await startS3(t);
    const app = await sharedApp();
    await app.ingest(eventsOf('one', 60));
    await packApp(t, app, undefined, encryption, await newTarget(s3, 'team/'));
    assert.deepEqual([s3.keys(), s3.unfinished()], [['team/agent-runtime-20261127T101112Z.backup'], []]);
    const source = await bucketSource(placeOf(s3, s3.keys()[0]!));
    assert.equal(source.name, `s3://files/${s3.keys()[0]}`);
    const { events, files, read } = await restored(t, source, { passphrase: 'right' });
    assert.ok(events >= 60 && files.includes('state.sqlite'));
    assert.equal(read, source.size);
  });
}

test('Backup in S3: a broken download goes on, a changed object is refused', async (t) => {
  const s3 = await startS3(t);
  const app = await sharedApp();
  await app.ingest(eventsOf('one', 60));
  await packApp(t, app, undefined, undefined, await newTarget(s3, 'a.backup'));
  let breaks = 0;
  s3.intercept = (request, response) => {
    if (request.method !== 'GET' || !request.url?.includes('a.backup?') || breaks === 3) return false;
    breaks += 1;
    const whole = s3.content('a.backup');
    const from = Number(/bytes=(\d+)/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from === 0 ? 200 : 206, { 'content-length': whole.length - from, etag: '"one"' });
    response.write(whole.subarray(from, from + 1_000), () => response.destroy());
    return true;
  };
  const source = await bucketSource(placeOf(s3, 'a.backup'));
  // s3rver does not compare ETags: here the object is the same.
  assert.ok((await restored(t, source)).events >= 60);
  assert.equal(breaks, 3);
  s3.intercept = (request, response) => {
    if (request.method !== 'GET' || !request.url?.includes('a.backup?')) return false;
    const whole = Buffer.from(s3.content('a.backup'));
    whole.fill(0xff, whole.length >> 1, (whole.length >> 1) + 64);
    response.writeHead(200, { 'content-length': whole.length }).end(whole);
    return true;
  };
  await assert.rejects(restored(t, source), /^RuntimeError: s3:\/\/files\/a\.backup is damaged/);
});

test('Backup in S3: only --force replaces one, which stays when that fails', async (t) => {
  const s3 = await startS3(t);
  const first = await newTarget(s3, 'a.backup');
  assert.equal(await first.write(content(1_000), 1_000), 1_000);
  await assert.rejects(
    newTarget(s3, 'a.backup'),
    /^RuntimeError: s3:\/\/files\/a\.backup exists already\. .* --force\.$/,
  );
  const before = s3.content('a.backup');
  const second = await newTarget(s3, 'a.backup', true);
  const failing = (output: NodeJS.WritableStream) =>
    pipeline(async function* () {
      yield randomBytes(6 * MEGABYTE);
      throw new Error('the disk');
    }, output);
  await assert.rejects(second.write(failing, 1_000), /the disk/);
  assert.ok(s3.content('a.backup').equals(before));
  assert.equal(await (await newTarget(s3, 'a.backup', true)).write(content(7), 7), 7);
  assert.equal(s3.content('a.backup').length, 7);
});

test('Backup in S3: an interrupted one leaves neither an object nor parts', async (t) => {
  const s3 = await startS3(t);
  const target = await newTarget(s3, 'team/');
  let stored = 0;
  s3.intercept = ({ url = '' }, response) => {
    if (url.includes('partNumber=1')) response.on('finish', () => stored++);
    return url.includes('partNumber=2');
  };
  const writing = target.write(content(12 * MEGABYTE), 12 * MEGABYTE);
  writing.catch(() => undefined);
  const hasBegun = async () => stored === 1 && s3.requests.some((one) => one.includes('partNumber=2'));
  await eventually('the first part is there, and the second has begun', hasBegun, 10_000);
  assert.deepEqual(s3.keys(), []);
  await target.discard();
  await assert.rejects(writing);
  assert.deepEqual([s3.keys(), s3.unfinished()], [[], []]);
});

test('Backup in S3: parts of a killed command are removed after a week', async (t) => {
  const s3 = await startS3(t);
  for (const key of ['team/agent-runtime-1.backup', 'team/agent-runtime-1.backup/other', 'team/other.backup']) {
    await s3.begin(key);
  }
  await newTarget(s3, 'team/');
  assert.equal(s3.unfinished().length, 3);
  s3.age(8 * 86_400_000);
  await newTarget(s3, 'team/');
  assert.deepEqual(s3.unfinished().sort(), ['team/agent-runtime-1.backup/other', 'team/other.backup']);
});

test('Backup in S3: a folder is refused with the names of the newest', async (t) => {
  const s3 = await startS3(t);
  const refused = (path: string, message: string) =>
    assert.rejects(bucketSource(placeOf(s3, path)), { code: 'not_found', message });
  await refused('a.backup', 'There is no s3://files/a.backup.');
  await refused('', 'There is no backup (*.backup) in s3://files/.');
  for (const name of ['a', 'b']) {
    await (await newTarget(s3, `team/${name}.backup`)).write(content(1), 1);
    s3.age(60_000);
  }
  await refused(
    'team/',
    's3://files/team/ is no backup; name one. The newest are s3://files/team/b.backup, s3://files/team/a.backup.',
  );
});
