import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { QUARANTINE_FILE } from '../../src/storage/installation/names.ts';
import { temporaryDirectory } from '../support/app.ts';
import { whileOpen } from '../support/backup.ts';
import { eventually, newDataDirectory, runProgram, startProgram } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { S3_CREDENTIALS, startS3 } from '../support/s3.ts';
import { runCommand } from '../support/shell.ts';

const MEGABYTE = 1024 * 1024;
const ENVIRONMENT = {
  AGENT_RUNTIME_S3_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
  AGENT_RUNTIME_S3_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
};

/** A working directory whose configuration file has the credentials. */
function withCredentials(t: TestContext, credentials = S3_CREDENTIALS): { cwd: string } {
  const cwd = temporaryDirectory(t);
  const { accessKeyId, secretAccessKey } = credentials;
  const settings = { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey };
  writeFileSync(join(cwd, 'agent-runtime.config.json'), JSON.stringify(settings));
  return { cwd };
}

/** Made by a start, with some content that does not compress. */
async function newInstallation(t: TestContext, bytes = 0): Promise<string> {
  const dataDir = newDataDirectory(t);
  await whileOpen(dataDir, async () => undefined);
  if (bytes > 0)
    writeFileSync(join(dataDir, QUARANTINE_FILE), `${JSON.stringify(randomBytes(bytes).toString('base64'))}\n`);
  return dataDir;
}

rareTest('backup s3://: it is listed, verified and restored as a file is', async (t) => {
  const s3 = await startS3(t);
  const dataDir = await newInstallation(t);
  const place = withCredentials(t);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand([...args, '--json', '--data-dir', dataDir], place);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const made = await run('backup', s3.url('team/'));
  const [key] = s3.keys();
  assert.match(key!, /^team\/agent-runtime-\d{8}T\d{6}Z\.backup$/);
  assert.deepEqual([made.file, made.bytes, s3.unfinished()], [`s3://files/${key}`, s3.content(key!).length, []]);
  const { findings } = await run('doctor', '--backup', s3.url(key));
  assert.match(findings[0].message, /^s3:\/\/files\/team\/agent-runtime-\S+: 0 events as of .*; as it was made$/);
  const restored = await run('restore', s3.url(key));
  assert.deepEqual([restored.file, restored.createdAt, restored.authenticated], [made.file, made.createdAt, true]);
  const again = await runCommand(['backup', s3.url(key), '--data-dir', dataDir], place);
  assert.match(again.stderr, /exists already\. Choose another name, or replace it with --force\./);
});

rareTest('backup s3://: what is wrong is said in words, without secrets', async (t) => {
  const s3 = await startS3(t);
  const dataDir = await newInstallation(t);
  const stranger = withCredentials(t, { accessKeyId: 'S3RVER', secretAccessKey: 'not-the-secret' });
  const said = async (args: string[], place = withCredentials(t)) => {
    const { code, stderr } = await runCommand([...args, '--data-dir', dataDir], place);
    assert.equal(code, 1);
    assert.doesNotMatch(stderr, /not-the-secret|Signature=|StringToSign/);
    return stderr;
  };
  assert.match(
    await said(['backup', 's3://']),
    /The place of the backup: It must begin with s3:\/\/ and the name of a bucket/,
  );
  assert.match(await said(['backup', 's3://me:secret@files/']), /It must have no credentials/);
  assert.match(
    await said(['backup', s3.url('a.backup').replace('s3://files', 's3://nowhere')]),
    /s3:\/\/nowhere: there is no bucket "nowhere" at 127\.0\.0\.1:\d+\. Create it, or correct its name\./,
  );
  // s3rver does not check signatures.
  s3.intercept = ({ headers: { authorization } }, response) => {
    const asSent = `<StringToSign>AWS4</StringToSign><SignatureProvided>${authorization}</SignatureProvided>`;
    response.writeHead(403, { 'content-type': 'application/xml' });
    response.end(`<Error><Code>SignatureDoesNotMatch</Code><Message>${authorization}</Message>${asSent}</Error>`);
    return true;
  };
  assert.match(
    await said(['backup', s3.url('a.backup')], stranger),
    /s3:\/\/files: 127\.0\.0\.1:\d+ does not accept the secret of the access key\. Set AGENT_RUNTIME_S3_ACCESS_KEY_ID and/,
  );
  s3.intercept = () => false;
  assert.match(await said(['restore', s3.url('a.backup')]), /There is no s3:\/\/files\/a\.backup\./);
  assert.deepEqual([s3.keys(), s3.unfinished()], [[], []]);
});

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  rareTest(`backup s3://: ${signal} leaves nothing that looks like a backup`, async (t) => {
    const s3 = await startS3(t);
    const dataDir = await newInstallation(t, 12 * MEGABYTE);
    s3.intercept = (request) => request.url?.includes('partNumber=2') === true;
    const args = ['backup', s3.url('team/'), '--data-dir', dataDir];
    const program = startProgram(t, args, { environment: ENVIRONMENT });
    await eventually('a part is sent', async () => s3.requests.some((one) => one.includes('partNumber=2')), 20_000);
    await program.end(signal);
    assert.deepEqual([s3.keys(), s3.unfinished().length], [[], signal === 'SIGKILL' ? 1 : 0]);
    s3.intercept = () => false;
    s3.age(8 * 86_400_000);
    const { code, stderr } = await runProgram(t, args, { environment: ENVIRONMENT });
    assert.equal(code, 0, stderr);
    assert.deepEqual([s3.keys().length, s3.unfinished()], [1, []]);
    assert.equal(readdirSync(dataDir).includes('backup-staging'), false);
  });
}
