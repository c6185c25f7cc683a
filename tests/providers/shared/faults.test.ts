import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  faultOfConnection,
  faultOfStatus,
  faultOfVendorError,
  requestIdOf,
  shortMessage,
} from '../../../src/providers/shared/faults.ts';
import { faultOfSdk } from '../../../src/providers/shared/sdk-requests.ts';

const waitOf = (headers: Record<string, string>) => faultOfStatus(429, 'm', headers).retryAfterMs;

test('faultOfStatus: the retry delay is read from every valid source', () => {
  assert.equal(waitOf({ 'retry-after': '2' }), 2_000);
  assert.equal(waitOf({ 'retry-after': '0.5' }), 500);
  assert.equal(waitOf({ 'retry-after-ms': '250', 'retry-after': '2' }), 250);
  assert.equal(waitOf({ 'retry-after-ms': 'soon', 'retry-after': '2' }), 2_000);
  assert.equal(waitOf({ 'retry-after': new Date(0).toUTCString() }), 0);
  assert.equal(waitOf({ 'retry-after': '-5' }), 0);
  for (const said of ['', 'soon', 'Infinity', '1e400']) assert.equal(waitOf({ 'retry-after': said }), null, said);
  for (const said of ['', 'Infinity']) assert.equal(waitOf({ 'retry-after-ms': said }), null, said);
  assert.equal(waitOf({}), null);
});

test('faultOfStatus: an invalid key is a credential fault under any status', () => {
  const kindOf = (message: string) => faultOfStatus(400, message).kind;
  for (const message of [
    'Incorrect API key provided: xa***42. You can obtain an API key from https://console.x.ai.',
    'API key not valid. Please pass a valid API key.',
    'API key expired. Please renew the API key.',
    'Invalid API Key',
  ]) {
    assert.equal(kindOf(message), 'credential', message);
  }
  assert.equal(kindOf('messages.0.content: is invalid'), 'refused');
  assert.equal(kindOf('The key api of the object is not valid.'), 'refused');
});

test('requestIdOf: the id is found under every header name and cut to a length', () => {
  assert.equal(requestIdOf({ 'x-request-id': 'a' }), 'a');
  assert.equal(requestIdOf({ 'request-id': 'b' }), 'b');
  assert.equal(requestIdOf({ 'x-amzn-requestid': 'c' }), 'c');
  assert.equal(requestIdOf({ 'x-request-id': 'x'.repeat(1_000) })?.length, 200);
  assert.equal(requestIdOf({}), null);
});

test('shortened: long texts are cut between characters, on one line', () => {
  assert.equal(shortMessage(' a\n\tb '), 'a b');
  const cut = shortMessage(`${'x'.repeat(999)}🌍 and more`);
  assert.ok(cut.isWellFormed() && cut.length <= 1_010);
});

test('faultOfConnection: an error keeps its code only', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:80'), { code: 'ECONNREFUSED' });
  for (const error of [refused, new Error('Connection error.', { cause: refused })]) {
    const { kind, message, status } = faultOfConnection(error);
    assert.deepEqual([kind, message, status], ['unavailable', 'The provider cannot be reached (ECONNREFUSED).', null]);
  }
  const other = faultOfConnection(new TypeError('Headers.append: "sk-secret" is an invalid header value.'));
  assert.equal(other.message, 'The request could not be sent.');
});

test('faultOfSdk: an error keeps its message and two headers', () => {
  const headers = new Headers({ 'x-request-id': 'r1', 'retry-after': '1', 'set-cookie': 'session=secret' });
  const bodies = [{ message: 'No.' }, { error: { message: 'No.' } }, { error: { error: { message: 'No.' } } }, 'No.'];
  for (const error of bodies) {
    const fault = faultOfSdk(Object.assign(new Error('400 No.'), { status: 400, headers, error }));
    assert.equal(fault.message, 'No.');
    assert.deepEqual([fault.requestId, fault.retryAfterMs], ['r1', 1_000]);
    assert.ok(!JSON.stringify(fault).includes('secret'));
  }
  const bare = faultOfSdk(Object.assign(new Error('502 status code (no body)'), { status: 502, headers }));
  assert.equal(bare.message, '502 status code (no body)');
  const own = faultOfVendorError({ message: 'x' });
  assert.equal(faultOfSdk(own), own);
});
