import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bucketUrlProblem, parseBucketUrl } from '../../src/core/bucket-url.ts';

const AWS = { endpoint: null, region: null, isPathStyle: false, credentials: null };

test('Bucket URL: bucket, path and options', () => {
  const parsed = (text: string) => {
    assert.equal(bucketUrlProblem(text), null, text);
    return parseBucketUrl(text);
  };
  assert.deepEqual(parsed('s3://files'), { bucket: 'files', path: '', ...AWS });
  assert.deepEqual(parsed('s3://files/'), { bucket: 'files', path: '', ...AWS });
  assert.deepEqual(parsed('s3://My_Old.Bucket/a/b/'), { bucket: 'My_Old.Bucket', path: 'a/b/', ...AWS });
  assert.deepEqual(parsed('s3://files/my team/100%25.backup').path, 'my team/100%.backup');
  assert.deepEqual(parsed('s3://files/a?region=eu-central-1'), {
    bucket: 'files',
    path: 'a',
    ...AWS,
    region: 'eu-central-1',
  });
  const endpoint = 'http://127.0.0.1:9000';
  const own = { bucket: 'files', path: '', endpoint, region: null, isPathStyle: true, credentials: null };
  assert.deepEqual(parsed(`s3://files?endpoint=${endpoint}`), own);
  assert.deepEqual(parsed(`s3://files?endpoint=${encodeURIComponent(endpoint)}`), own);
  assert.deepEqual(parsed(`s3://files?endpoint=${endpoint}&pathStyle=false`), { ...own, isPathStyle: false });
  const credentials = { accessKeyId: 'key', secretAccessKey: 'a/b+c' };
  assert.deepEqual(parsed('s3://key:a%2Fb+c@files/a'), { bucket: 'files', path: 'a', ...AWS, credentials });
  assert.deepEqual(parsed('s3://files?pathStyle=true'), { bucket: 'files', path: '', ...AWS, isPathStyle: true });
});

for (const [text, problem] of [
  ['files', /must look like s3:\/\/bucket\/prefix/],
  ['https://files.s3.amazonaws.com/a', /must look like s3:\/\/bucket\/prefix/],
  ['s3:///a', /name of a bucket/],
  ['s3://a', /name of a bucket/],
  ['s3://files:9000/a', /name of a bucket/],
  ['s3://hunter2@files/a', /an access key and its secret, KEY:SECRET/],
  ['s3://:hunter2@files/a', /an access key and its secret, KEY:SECRET/],
  ['s3://key:hunter2%@files/a', /an access key and its secret, KEY:SECRET/],
  ['s3://files/a#b', /no #/],
  ['s3://files/a%', /% must be written as %25/],
  ['s3://files/a%0Ab', /no control characters/],
  ['s3://files/a//b', /no \/\//],
  [`s3://files/${'ä'.repeat(401)}`, /at most 800 bytes/],
  ['s3://files?key=hunter2', /options are endpoint, region, pathStyle/],
  ['s3://files?region=a&region=b', /may be given once/],
  ['s3://files?endpoint=s3.example.com', /endpoint must look like/],
  ['s3://files?endpoint=https://me:hunter2@s3.example.com', /endpoint must look like/],
  ['s3://files?endpoint=https://s3.example.com/path', /endpoint must look like/],
  ['s3://files?region=Europe/Berlin', /region must look like/],
  ['s3://files?pathStyle=yes', /pathStyle must be true or false/],
] as const) {
  test(`Bucket URL: ${text.slice(0, 40)} is refused with the remedy, not repeated`, () => {
    const found = bucketUrlProblem(text);
    assert.match(found ?? '', problem);
    assert.doesNotMatch(found ?? '', /hunter2/);
  });
}

test('Bucket URL: whatever is written, it is refused or parsed', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((rest) => `s3://${rest}`),
        fc.webUrl(),
      ),
      (text) => {
        if (bucketUrlProblem(text) === null) assert.ok(parseBucketUrl(text).bucket.length >= 2);
      },
    ),
  );
});
