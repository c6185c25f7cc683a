import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { inspect } from 'node:util';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { findingsOfBucket } from '../../../../src/doctor/nodes.ts';
import { examineBucket } from '../../../../src/storage/uploads/s3/examine.ts';
import { BucketFault, bucketFault } from '../../../../src/storage/uploads/s3/faults.ts';
import { Scratch, type ScratchOptions } from '../../../../src/storage/uploads/s3/scratch.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { eventually } from '../../../support/process.ts';
import { startS3 } from '../../../support/s3.ts';

const ASKED = { bucket: 'files', server: 's3.example.com', permission: 's3:PutObject' };

function ofSdk(name: string, status?: number, members: object = {}): Error {
  const secrets = {
    AWSAccessKeyId: 'hunter2',
    StringToSign: 'hunter2',
    $response: { headers: { authorization: 'hunter2' } },
  };
  const $metadata = status === undefined ? {} : { httpStatusCode: status, requestId: 'r1' };
  return Object.assign(new Error('said hunter2'), { name, $metadata, ...secrets, ...members });
}

for (const [error, isSetting, message] of [
  [ofSdk('NoSuchBucket', 404), true, 'there is no bucket "files" at s3.example.com. Create it, or correct its name.'],
  [ofSdk('PermanentRedirect', 301), true, 'the bucket "files" is in another region. Name it with ?region=.'],
  [ofSdk('UnknownError', 301), true, 'the bucket "files" is in another region. Name it with ?region=.'],
  [ofSdk('InvalidAccessKeyId', 403), true, /^s3\.example\.com does not know the access key\. Give it in the URL, s3:/],
  [
    ofSdk('SignatureDoesNotMatch', 403),
    true,
    /^s3\.example\.com does not accept the secret of the access key\. Give it in the URL/,
  ],
  [ofSdk('CredentialsProviderError'), true, /^there are no credentials\. Give it in the URL, s3:/],
  [ofSdk('ExpiredToken', 400), true, 'the credentials have expired. Renew them.'],
  [
    ofSdk('AccessDenied', 403),
    true,
    'the credentials lack the permission s3:PutObject for "files". Add it to their policy.',
  ],
  [ofSdk('403', 403), true, 'the credentials lack the permission s3:PutObject for "files". Add it to their policy.'],
  [ofSdk('RequestTimeTooSkewed', 403), true, 'the clocks of this machine and of s3.example.com differ. Set this one.'],
  [
    Object.assign(new Error('Region is missing'), {}),
    true,
    'the region is missing. Name it with ?region=, or set AWS_REGION.',
  ],
  [ofSdk('SlowDown', 503), false, 's3.example.com does not answer as it should (SlowDown). Try again.'],
  [ofSdk('UnknownError', 502), false, 's3.example.com does not answer as it should (502). Try again.'],
  [ofSdk('XMinioStorageFull', 507), false, 's3.example.com has no room. Try again.'],
  [
    ofSdk('Error', undefined, { code: 'ECONNREFUSED' }),
    false,
    's3.example.com does not answer as it should (ECONNREFUSED). Try again.',
  ],
  [ofSdk('TimeoutError'), false, 's3.example.com does not answer as it should (TimeoutError). Try again.'],
] as const) {
  test(`BucketFault: ${message} without secrets`.slice(0, 80), () => {
    const fault = bucketFault(error, ASKED);
    assert.ok(fault instanceof BucketFault);
    const said = fault.message.replace('AGENT_RUNTIME_UPLOADS_URL: ', '');
    if (typeof message === 'string') assert.equal(said, message);
    else assert.match(said, message);
    assert.deepEqual([fault.code, fault.isSetting, fault.retryAfter], ['unavailable', isSetting, 30]);
    assert.doesNotMatch(inspect(fault, { depth: 10, showHidden: true }), /hunter2/);
  });
}

test('BucketFault: errors of others are left as they are', () => {
  for (const error of [new TypeError('a defect'), new RuntimeError('invalid', 'x'), ofSdk('AbortError'), 'text']) {
    assert.equal(bucketFault(error, ASKED), error);
  }
});

const rule = (prefix: string, status = 'Enabled') =>
  `<Rule><ID>r</ID><Status>${status}</Status><Filter><Prefix>${prefix}</Prefix></Filter><AbortIncompleteMultipartUpload><DaysAfterInitiation>2</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>`;

test('examineBucket: a sound bucket keeps nothing of the probe', async (t) => {
  const s3 = await startS3(t);
  s3.lifecycle = rule('team/');
  assert.deepEqual(await examineBucket(s3.bucket(), 'team/uploads/'), [
    { status: 'ok', message: 'files: stores, lists, reads and removes' },
    { status: 'ok', message: 'a lifecycle rule removes the parts of uploads that crashed' },
  ]);
  assert.deepEqual([s3.keys(), s3.unfinished()], [[], []]);
  const methods = new Set(s3.requests.map((request) => request.split(' ')[0]));
  assert.deepEqual([...methods].sort(), ['DELETE', 'GET', 'POST', 'PUT']);
});

test('examineBucket: without a lifecycle rule that covers the prefix it warns', async (t) => {
  const s3 = await startS3(t);
  for (const lifecycle of [null, rule('other/'), rule('', 'Disabled')]) {
    s3.lifecycle = lifecycle;
    const [, second] = await examineBucket(s3.bucket(), 'team/uploads/');
    assert.equal(second?.status, 'warning');
    assert.match(
      second?.message ?? '',
      /^no lifecycle rule with AbortIncompleteMultipartUpload covers team\/uploads\//,
    );
  }
  s3.intercept = ({ url = '' }, response) => {
    if (!url.includes('?lifecycle')) return false;
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    return true;
  };
  const [, second] = await examineBucket(s3.bucket(), 'team/uploads/');
  assert.match(second?.message ?? '', /cannot be read; the server removes parts of crashed uploads itself/);
});

test('examineBucket: versions would keep what is erased', async (t) => {
  const s3 = await startS3(t);
  [s3.lifecycle, s3.isVersioned] = [rule(''), true];
  const [, , third] = await examineBucket(s3.bucket(), 'team/uploads/');
  assert.equal(third?.status, 'warning');
  assert.match(third?.message ?? '', /^files keeps versions: .* NoncurrentVersionExpiration$/);
});

test('examineBucket: what fails is named with the remedy', async (t) => {
  const s3 = await startS3(t);
  const refusing = (method: string) => {
    s3.intercept = (request, response) => {
      if (request.method !== method) return false;
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      return true;
    };
  };
  for (const [method, permission] of [
    ['PUT', 's3:PutObject'],
    ['DELETE', 's3:DeleteObject'],
    ['GET', 's3:ListBucket'],
  ] as const) {
    refusing(method);
    const message = `AGENT_RUNTIME_UPLOADS_URL: the credentials lack the permission ${permission} for "files". Add it to their policy.`;
    assert.deepEqual(await examineBucket(s3.bucket(), 'team/'), [{ status: 'failed', message }]);
  }
});

test('findingsOfBucket: examines the bucket below the prefix of uploads', async (t) => {
  const s3 = await startS3(t);
  s3.lifecycle = rule('');
  const findings = await findingsOfBucket(s3.url('team'));
  assert.deepEqual(
    findings.map(({ check, status }) => [check, status]),
    [
      ['bucket of uploads', 'ok'],
      ['bucket of uploads', 'ok'],
    ],
  );
  assert.ok(s3.requests.some((request) => request.startsWith('PUT /files/team/uploads/probe-')));
});

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
