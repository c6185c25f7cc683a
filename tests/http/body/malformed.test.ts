import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { EVENTS } from '../../support/app.ts';
import { appOfThisFile } from '../../support/shared.ts';

const sharedApp = appOfThisFile();

/**
 * Everything that the server sends for these bytes until it closes; `half`: half-closes the
 * connection.
 */
async function exchange(t: TestContext, text: string, { half = false } = {}): Promise<string> {
  const { port, hostname } = new URL((await sharedApp()).url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  t.after(() => socket.destroy());
  let received = '';
  socket.on('data', (part) => {
    received += part;
  });
  socket.on('error', () => undefined);
  if (half) socket.end(text);
  else socket.write(text);
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return received;
}

function assertFault(received: string, status: number, message: RegExp): void {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), received);
  assert.match(head, /\r\nx-request-id: [\w-]{36}\r\n/);
  const fault = JSON.parse(body);
  assert.equal(fault.statusCode, status);
  assert.match([fault.message].flat().join('; '), message);
  assert.equal(head.match(/^HTTP\/1.1 \d+ (.*)\r\n/)![1], fault.error);
}

const HOST = 'host: 127.0.0.1\r\n';

test('answerMalformed: a request that is not HTTP is 400 with the usual error body', async (t) => {
  assertFault(await exchange(t, 'nonsense\r\n\r\n'), 400, /^request: is malformed/);
  assertFault(await exchange(t, `GET /healthz HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`), 400, /^request: is malformed/);
  assertFault(await exchange(t, `POST / HTTP/1.1\r\n${HOST}content-length: x\r\n\r\n`), 400, /^request: is malformed/);
});

test('answerMalformed: headers above 16 KB are 431 and the message names the limit', async (t) => {
  const headers = `GET /healthz HTTP/1.1\r\n${HOST}x-long: ${'a'.repeat(20_000)}\r\n\r\n`;
  assertFault(await exchange(t, headers), 431, /exceed 16 KB/);
});

test('answerMalformed: a body that ends before its announced length is 400', async (t) => {
  const { key } = await sharedApp();
  const head = `POST ${EVENTS} HTTP/1.1\r\n${HOST}x-api-key: ${key}\r\ncontent-type: application/json\r\n`;
  const ended = /ended before its announced length$/;
  assertFault(await exchange(t, `${head}content-length: 100\r\n\r\n{"events":[`, { half: true }), 400, ended);
  assertFault(await exchange(t, `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"eve`, { half: true }), 400, ended);
});

test('answerMalformed: nothing is written into a response that has begun or ended', async (t) => {
  const get = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`;
  const received = await exchange(t, `${get}nonsense\r\n\r\n`);
  assert.match(received, /^HTTP\/1.1 (200|400) /);
  const heads = received.match(/HTTP\/1\.1 \d+ /g)!;
  assert.ok(heads.length <= 2, received);
  if (heads.length === 2) assertFault(received.slice(received.lastIndexOf('HTTP/1.1')), 400, /^request: is malformed/);
});

test('answerMalformed: an unknown Expect header is ignored', async (t) => {
  const received = await exchange(t, `GET /healthz HTTP/1.1\r\n${HOST}expect: miracles\r\nconnection: close\r\n\r\n`);
  assert.match(received, /^HTTP\/1.1 200 OK/);
  assert.match(received, /\{"status":"ok"\}$/);
});
