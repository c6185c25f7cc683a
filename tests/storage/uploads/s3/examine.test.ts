import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsOfBucket } from '../../../../src/doctor/nodes.ts';
import { examineBucket } from '../../../../src/storage/uploads/s3/examine.ts';
import { startS3 } from '../../../support/s3.ts';

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
