import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { BucketFault, bucketFault } from '../../../../src/storage/uploads/s3/faults.ts';

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
