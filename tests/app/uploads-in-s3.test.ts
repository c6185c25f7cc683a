import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import pino from 'pino';
import type { RuntimeError } from '../../src/core/base/shared/errors.ts';
import type { Log } from '../../src/logging/log.ts';
import { type TestApp, temporaryDirectory, testApp } from '../support/app.ts';
import { ended, ingested, search, send } from '../support/knowledge.ts';
import { hasNodes, newPlace, serverSettings } from '../support/postgres-state.ts';
import { eventually } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { startS3 } from '../support/s3.ts';

const CSV = { name: 'prices.csv', content: 'sku,name,price\nA1,red pump,10\nB2,blue valve,12\n' };
const nodes = { skip: !hasNodes };

/** A node whose uploads are in the bucket. */
async function nodeWith(t: TestContext, uploadsUrl: string, log?: Log): Promise<TestApp & { dataDir: string }> {
  const dataDir = temporaryDirectory(t);
  const app = await testApp(t, { ...(await serverSettings(newPlace())), dataDir, uploadsUrl }, undefined, log);
  return { ...app, dataDir };
}

test('Uploads in S3: a file goes through the bucket, and nothing of it stays', nodes, async (t) => {
  const s3 = await startS3(t);
  const app = await nodeWith(t, s3.url('team'));
  await ingested(app, CSV, { csvContentColumns: 'name' });
  const { results } = await search(app, 'manuals', 'valve');
  assert.equal(results[0].text, 'blue valve');
  const { installationId } = app.runtime.postgres!;
  const puts = s3.requests.filter((request) => request.startsWith('PUT'));
  assert.equal(puts.length, 1);
  assert.match(puts[0]!, new RegExp(`^PUT /files/team/uploads/${installationId}/[0-9a-f-]{36}\\?`));
  // The columns were checked and the file was read, both from one copy.
  assert.equal(s3.requests.filter((request) => /^GET .*GetObject/.test(request)).length, 1);
  const left = () => [...s3.keys(), ...readdirSync(join(app.dataDir, 'upload-copies'))];
  await eventually('nothing is left', async () => left().length === 0, 5_000);
  assert.equal(existsSync(join(app.dataDir, 'uploads')), false);
});

test('Uploads in S3: a bucket that is away refuses files without naming settings', nodes, async (t) => {
  const s3 = await startS3(t);
  const app = await nodeWith(t, s3.url('team'));
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

rareTest('Uploads in S3: a job waits while the bucket is away, and then reads its file', nodes, async (t) => {
  const s3 = await startS3(t);
  const lines: string[] = [];
  const log = pino(
    { level: 'warn' },
    new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }),
  );
  const app = await nodeWith(t, s3.url('team'), log as never);
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

for (const [what, change, expected] of [
  [
    'an unknown access key',
    (url: string) => url.replace(/\/\/.*@/, '//NOBODY:a-secret@'),
    /^AGENT_RUNTIME_UPLOADS_URL: 127\.0\.0\.1:\d+ does not know the access key\. Give it in the URL, /,
  ],
  [
    'a missing bucket',
    (url: string) => url.replace(/@.*\?/, '@nowhere/?'),
    /^AGENT_RUNTIME_UPLOADS_URL: there is no bucket "nowhere" at 127\.0\.0\.1:\d+\. Create it, or correct its name\.$/,
  ],
] as const) {
  test(`Uploads in S3: ${what} ends the start with a message that names the setting`, nodes, async (t) => {
    const s3 = await startS3(t);
    await assert.rejects(nodeWith(t, change(s3.url('team'))), (error: RuntimeError) => {
      assert.match(error.message, expected);
      assert.doesNotMatch(
        JSON.stringify([error, error.cause, (error.cause as Error).message]),
        /a-secret|NOBODY|Signature/,
      );
      return true;
    });
  });
}

test('Uploads in S3: a bucket that is away does not end the start', nodes, async (t) => {
  const s3 = await startS3(t);
  s3.intercept = (request) => Boolean(request.destroy());
  const app = await nodeWith(t, s3.url('team'));
  s3.intercept = () => false;
  await ingested(app, CSV);
});
