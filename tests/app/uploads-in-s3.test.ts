import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import pino from 'pino';
import { openUploads } from '../../src/app/open-uploads.ts';
import { loadConfig } from '../../src/config.ts';
import type { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { createLog } from '../../src/logging/log.ts';
import { type TestApp, temporaryDirectory, testApp } from '../support/app.ts';
import { ended, ingested, search, send } from '../support/knowledge.ts';
import { eventually } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { S3_CREDENTIALS, startS3 } from '../support/s3.ts';

const CSV = { name: 'prices.csv', content: 'sku,name,price\nA1,red pump,10\nB2,blue valve,12\n' };
const keysOf = ({ accessKeyId, secretAccessKey }: typeof S3_CREDENTIALS) => ({
  s3AccessKeyId: accessKeyId,
  s3SecretAccessKey: secretAccessKey,
});
const CREDENTIALS = keysOf(S3_CREDENTIALS);

test('Uploads in S3: a file goes through the bucket, and nothing of it stays', async (t) => {
  const s3 = await startS3(t);
  const dataDir = temporaryDirectory(t);
  const app = await testApp(t, { dataDir, uploadsUrl: s3.url('team'), ...CREDENTIALS });
  await ingested(app, CSV, { csvContentColumns: 'name' });
  const { results } = await search(app, 'manuals', 'valve');
  assert.equal(results[0].text, 'blue valve');
  const { installationId } = JSON.parse(readFileSync(join(dataDir, 'installation.json'), 'utf8'));
  const puts = s3.requests.filter((request) => request.startsWith('PUT'));
  assert.equal(puts.length, 1);
  assert.match(puts[0]!, new RegExp(`^PUT /files/team/uploads/${installationId}/[0-9a-f-]{36}\\?`));
  // The columns were checked and the file was read, both from one copy.
  assert.equal(s3.requests.filter((request) => /^GET .*GetObject/.test(request)).length, 1);
  assert.deepEqual([s3.keys(), readdirSync(join(dataDir, 'upload-copies'))], [[], []]);
  assert.equal(existsSync(join(dataDir, 'uploads')), false);
});

test('Uploads in S3: a bucket that is away refuses files without naming settings', async (t) => {
  const s3 = await startS3(t);
  const app = await testApp(t, { uploadsUrl: s3.url('team'), ...CREDENTIALS });
  s3.intercept = (request) => Boolean(request.destroy());
  const { status, body } = await send(app, CSV);
  assert.equal(status, 503);
  const message =
    'The file cannot be stored at the moment: the storage of uploads fails. Nothing was stored. Try again.';
  assert.deepEqual(body.message, message);
  s3.intercept = () => false;
  assert.deepEqual([s3.keys(), s3.unfinished()], [[], []]);
  await ingested(app, CSV);
});

rareTest('Uploads in S3: a job waits while the bucket is away, and then reads its file', async (t) => {
  const s3 = await startS3(t);
  const lines: string[] = [];
  const log = pino(
    { level: 'warn' },
    new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }),
  );
  const app = await testApp(t, { uploadsUrl: s3.url('team'), ...CREDENTIALS }, undefined, log as never);
  let isAway = true;
  s3.intercept = (request, response) => {
    if (!isAway || request.method !== 'GET') return false;
    response.writeHead(503).end();
    return true;
  };
  const { body } = await send(app, { name: 'note.md', content: '# Pumps\n\nThe red pump.\n' });
  await eventually('it was tried', async () => lines.length > 0, 10_000);
  isAway = false;
  assert.match(lines[0]!, /AGENT_RUNTIME_UPLOADS_URL: 127\.0\.0\.1:\d+ does not answer as it should/);
  assert.equal((await ended(app, body.jobId)).status, 'completed');
});

for (const [what, settings, expected] of [
  [
    'an unknown access key',
    keysOf({ accessKeyId: 'NOBODY', secretAccessKey: 'a-secret' }),
    /^AGENT_RUNTIME_UPLOADS_URL: 127\.0\.0\.1:\d+ does not know the access key\. Set AGENT_RUNTIME_S3_ACCESS_KEY_ID and/,
  ],
  [
    'a missing bucket',
    { uploadsUrl: 's3://nowhere/' },
    /^AGENT_RUNTIME_UPLOADS_URL: there is no bucket "nowhere" at 127\.0\.0\.1:\d+\. Create it, or correct its name\.$/,
  ],
] as const) {
  test(`Uploads in S3: ${what} ends the start with a message that names the setting`, async (t) => {
    const s3 = await startS3(t);
    const query = s3.url('team').replace(/^.*\?/, '?');
    const given = 'uploadsUrl' in settings ? { uploadsUrl: settings.uploadsUrl + query } : settings;
    const started = testApp(t, { uploadsUrl: s3.url('team'), ...CREDENTIALS, ...given });
    await assert.rejects(started, (error: RuntimeError) => {
      assert.match(error.message, expected);
      assert.doesNotMatch(
        JSON.stringify([error, error.cause, (error.cause as Error).message]),
        /a-secret|NOBODY|Signature/,
      );
      return true;
    });
  });
}

test('Uploads in S3: a bucket that is away does not end the start', async (t) => {
  const s3 = await startS3(t);
  s3.intercept = (request) => Boolean(request.destroy());
  const app: TestApp = await testApp(t, { uploadsUrl: s3.url('team'), ...CREDENTIALS });
  s3.intercept = () => false;
  await ingested(app, CSV);
});

test('Uploads in S3: files in the data directory move when the setting is new', async (t) => {
  const s3 = await startS3(t);
  const dataDir = temporaryDirectory(t);
  await mkdir(join(dataDir, 'uploads'));
  for (const name of ['waits', 'waits.utf8', 'unneeded', 'crashed.part'])
    writeFileSync(join(dataDir, 'uploads', name), name);
  const config = loadConfig({ dataDir, uploadsUrl: s3.url(), ...CREDENTIALS }, {}, {});
  const parts = {
    config,
    manifest: { id: 'one' },
    log: createLog('silent'),
    effects: { now: () => 0, newId: () => 'new' },
  };
  const uploads = await openUploads(parts as unknown as Parameters<typeof openUploads>[0]);
  t.after(() => uploads.close());
  await uploads.begin(['waits', 'gone'], async () => []);
  assert.deepEqual([s3.keys(), readdirSync(join(dataDir, 'uploads'))], [['uploads/one/waits'], []]);
  assert.equal(String(s3.content('uploads/one/waits')), 'waits');
});
