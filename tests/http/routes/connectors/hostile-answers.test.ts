import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startSpeaker } from '../../../outbound/transport-support.ts';
import { applyConnector, call, echo, json, petsAt, startApi } from '../../../support/outside-api.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';

const newApp = tenantsOfThisFile();

const MEGABYTE = 1024 * 1024;
const GET = { resource: 'getPet', data: { petId: 1 } };
const JSON_TYPE = { 'content-type': 'application/json' };
const ONCE = { retry: { attempts: 1 } };

const SPOKEN: Record<string, [(socket: Socket) => unknown, RegExp]> = {
  'closes without a word': [(socket) => socket.end(), /broke the connection off/],
  'closes within the body': [
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":'),
    /broke the connection off|more or less than it said/,
  ],
  'speaks another protocol': [(socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), /is no HTTP/],
  'has a head without end': [
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write(`x-a: ${'a'.repeat(1_000)}\r\n`), 1);
      socket.once('close', () => clearInterval(timer));
    },
    /more headers than are taken|is no HTTP/,
  ],
};

test('POST /connectors: a broken connection or other protocol is 502', async (t) => {
  const app = await newApp(t);
  for (const [index, [what, [speak, words]]] of Object.entries(SPOKEN).entries()) {
    const api = await startSpeaker(t, speak);
    await applyConnector(app, petsAt(api.url, { slug: `api-${index}`, ...ONCE }));
    const { status, body } = await call(app, { resource: 'addPet', data: { name: 'Rex' } }, `api-${index}`);
    assert.equal(status, 502, what);
    assert.match(body.error, words, what);
    assert.doesNotMatch(body.error, /127\.0\.0\.1|ECONN|UND_ERR|\.\./, what);
    assert.deepEqual([body.metadata.attempts, body.metadata.retrySafe], [1, false], what);
  }
});

test('POST /connectors: an unreadable or too large answer is 502, never 500', async (t) => {
  const app = await newApp(t);
  const deep = (depth: number) => '{"a":['.repeat(depth) + ']}'.repeat(depth);
  const answers: [string, Record<string, string>, string | Buffer, number, RegExp?][] = [
    ['no JSON', JSON_TYPE, '{"a":', 502, /it says that it is JSON, and is not/],
    ['no UTF-8', JSON_TYPE, Buffer.from([0x22, 0xff, 0x22]), 502, /is not valid UTF-8/],
    ['nested without bound', JSON_TYPE, deep(100_000), 502, /nested/],
    ['nested as far as people do', JSON_TYPE, deep(100), 200],
    ['no gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}', 502, /could not be decompressed as "gzip"/],
    ['many members named __proto__', JSON_TYPE, '{"__proto__":{"polluted":1},"constructor":2}', 200],
    [
      'a bomb',
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      gzipSync(Buffer.alloc(60 * MEGABYTE, 0x20)),
      502,
      /answered with more than 1048576 bytes \(maxResponseBytes of the definition\)\.$/,
    ],
  ];
  let next = 0;
  const api = await startApi(t, (_, response) => {
    const [, headers, body] = answers[next]!;
    response.writeHead(200, headers).end(body);
  });
  await applyConnector(app, petsAt(api.url, { maxResponseBytes: MEGABYTE }));
  for (const [what, , , expected, words] of answers) {
    const { status, body } = await call(app, GET);
    assert.equal(status, expected, `${what}: ${JSON.stringify(body).slice(0, 200)}`);
    assert.deepEqual([body.success, body.metadata.attempts], [expected === 200, 1], what);
    if (words) assert.match(body.error, words, what);
    next += 1;
  }
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('POST /connectors: no redirect reaches a private network or another origin', async (t) => {
  const app = await newApp(t);
  const canary = await startApi(t);
  let location = '';
  const api = await startApi(t, (asked, response) => {
    if (asked.url === '/v1/moved') return echo(asked, response);
    return json(response, 307, {}, { location });
  });
  for (const followRedirects of [false, true]) {
    const slug = followRedirects ? 'following' : 'staying';
    await applyConnector(app, petsAt(api.url, { slug, name: slug, followRedirects, ...ONCE }));
  }
  const { port } = new URL(canary.url);
  const within = [
    ...[canary.url, `//127.0.0.1:${port}/`, `http://2130706433:${port}/`, `http://[::ffff:7f00:1]:${port}/`],
    ...[`http://localhost:${port}/`, `http:\\\\127.0.0.1:${port}`, '\\\\169.254.169.254\\latest\\meta-data'],
    ...['http://169.254.169.254/latest/meta-data/', 'https://169.254.169.254/', 'file:///etc/passwd'],
    ...['http://[fd00:ec2::254]/', 'http://metadata.google.internal/', 'javascript:alert(1)', 'http://%'],
  ];
  for (const one of within) {
    location = one;
    for (const slug of ['staying', 'following']) {
      const { status, body } = await call(app, GET, slug);
      assert.equal(status, 502, `${slug} ${one}`);
      assert.doesNotMatch(JSON.stringify(body), /169\.254|fd00|localhost|passwd|127\.0\.0\.1/, `${slug} ${one}`);
    }
  }
  assert.equal(canary.asked.length, 0);
  location = '/v1/moved';
  assert.deepEqual([(await call(app, GET, 'staying')).status, (await call(app, GET, 'following')).status], [502, 200]);
});

test('POST /connectors: retrySafe is true only after a refusal', async (t) => {
  const app = await newApp(t);
  const answers: [number, Record<string, string>, string, boolean][] = [
    [200, JSON_TYPE, '{"charged":', false],
    [201, { ...JSON_TYPE, 'content-encoding': 'gzip' }, 'x', false],
    [303, { location: '/v1/pets/1' }, '', false],
    [500, JSON_TYPE, '{}', false],
    [409, JSON_TYPE, '{}', true],
    [429, JSON_TYPE, '{}', true],
  ];
  let next = 0;
  const api = await startApi(t, (_, response) => {
    const [status, headers, body] = answers[next]!;
    response.writeHead(status, headers).end(body);
  });
  await applyConnector(app, petsAt(api.url));
  for (const [status, , , isSafe] of answers) {
    const { body } = await call(app, { resource: 'addPet', data: { name: 'Rex' } });
    assert.deepEqual(
      [body.success, body.metadata.status, body.metadata.retrySafe],
      [false, status, isSafe],
      body.error,
    );
    next += 1;
  }
  assert.equal(api.asked.length, answers.length);
});
