import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { firstBytes } from '../../src/outbound/request.ts';

test('firstBytes: a short body is read whole', async () => {
  assert.equal(String(await firstBytes(Readable.from([Buffer.from('not '), Buffer.from('found')]))), 'not found');
});

test('firstBytes: a long body is cut and the rest discarded', async () => {
  const body = Readable.from([Buffer.from('one '), Buffer.from('two '), Buffer.from('three')]);
  assert.equal(String(await firstBytes(body, undefined, { maxBytes: 6 })), 'one tw');
  assert.ok(body.destroyed);
});

test('firstBytes: a stalled body ends after the timeout with what has arrived', async () => {
  const body = new Readable({ read() {} });
  body.push('begun');
  assert.equal(String(await firstBytes(body, undefined, { maxMs: 10 })), 'begun');
  assert.ok(body.destroyed);
});

test('firstBytes: an abort rejects with its reason', async () => {
  const leaving = new AbortController();
  const body = new Readable({ read() {}, signal: leaving.signal });
  body.push('begun');
  const read = firstBytes(body, leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(read, /gone/);
});
