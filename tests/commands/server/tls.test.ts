import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { Agent, Server as TlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { listen } from '../../../src/commands/server/listen.ts';
import { makeRereader } from '../../../src/commands/server/serving.ts';
import { createLog } from '../../../src/logging/log.ts';
import { eventually } from '../../support/process.ts';
import { copiedPair, secureRequest, tlsFile } from '../../support/tls.ts';

const FIRST = { tlsCertificate: tlsFile('first.pem'), tlsKey: tlsFile('first.key') };
const MAX_OF_ADDRESS = 512;

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function tlsServer(t: TestContext, files = FIRST) {
  const refused: unknown[] = [];
  const server = await listen(
    (_request, response) => response.end('ok'),
    { host: '127.0.0.1', port: 0, ...files },
    { onRefused: (one) => refused.push(one) },
  );
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  const raw = async () => {
    const socket = connect(portOf(server), '127.0.0.1');
    sockets.push(socket.on('error', () => undefined));
    await once(socket, 'connect');
    return socket;
  };
  return { server, url: `https://127.0.0.1:${portOf(server)}`, refused, raw };
}

async function textUntilClosed(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => {
    text += part;
  });
  await once(socket, 'close');
  return text;
}

test('TLS: a request that arrives during the preparation is answered after it', async (t) => {
  let early: ReturnType<typeof secureRequest> | undefined;
  const server = await listen(
    (_request, response) => response.end('ok'),
    { host: '127.0.0.1', port: 0, ...FIRST },
    {
      prepare: async (listening) => {
        early = secureRequest(`https://127.0.0.1:${portOf(listening)}`);
        await once(listening, 'request');
      },
    },
  );
  t.after(() => server.close());
  assert.equal((await early)?.body, 'ok');
  assert.equal(server.keepAliveTimeout, 75_000);
  assert.equal(server.requestTimeout, 0);
});

test('TLS: a plain HTTP request is told to use HTTPS', async (t) => {
  const { raw, url } = await tlsServer(t);
  const socket = await raw();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const answer = await textUntilClosed(socket);
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(answer, /speaks HTTPS/);
  assert.equal((await secureRequest(url)).status, 200);
});

test('TLS: a connection that is neither is closed without an answer', async (t) => {
  const { raw, url } = await tlsServer(t);
  for (const garbage of ['\x16not a handshake\r\n\r\n', '\0\0\0\0\0\0\0\0', 'SSH-2.0-client\r\n']) {
    const socket = await raw();
    socket.write(garbage);
    assert.doesNotMatch(await textUntilClosed(socket), /HTTP/);
  }
  assert.equal((await secureRequest(url)).status, 200);
});

test('TLS: a malformed request gets the usual error body', async (t) => {
  const { server } = await tlsServer(t);
  const socket = connectTls({ port: portOf(server), host: '127.0.0.1', rejectUnauthorized: false });
  socket.write('NONSENSE\r\n\r\n');
  const answer = await textUntilClosed(socket);
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(answer, /"request: is malformed/);
});

test('TLS: HTTP/1.1 is agreed on, and TLS 1.1 is refused', async (t) => {
  const { server } = await tlsServer(t);
  const options = { port: portOf(server), host: '127.0.0.1', rejectUnauthorized: false };
  const socket = connectTls({ ...options, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(socket, 'secureConnect');
  assert.equal(socket.alpnProtocol, 'http/1.1');
  socket.destroy();
  const old = connectTls({ ...options, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
  await assert.rejects(once(old, 'secureConnect'));
});

test('TLS: connections without a handshake count, and their places become free', async (t) => {
  const { raw, refused, url } = await tlsServer(t);
  const open = await Promise.all(Array.from({ length: MAX_OF_ADDRESS }, raw));
  await assert.rejects(secureRequest(url));
  assert.deepEqual(refused, [{ address: '127.0.0.1', open: MAX_OF_ADDRESS }]);
  for (const socket of open.slice(0, 10)) socket.destroy();
  const isAnswered = () =>
    secureRequest(url).then(
      ({ status }) => status === 200,
      () => false,
    );
  for (let count = 0; count < 20; count++) await eventually('a place', isAnswered, 5_000);
});

test('TLS: a renewed pair serves new connections, and open ones go on', async (t) => {
  const { replace, ...files } = copiedPair(t);
  const { server, url } = await tlsServer(t, files);
  assert.ok(server instanceof TlsServer);
  const reread = makeRereader(server, files, createLog('silent'), Date.now);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  assert.equal((await secureRequest(url, { agent })).certificate, 'first.test');
  replace('second');
  reread();
  assert.equal((await secureRequest(url)).certificate, 'second.test');
  assert.equal((await secureRequest(url, { agent })).body, 'ok');
});

test('TLS: faulty files keep the certificate in use, and are logged once', (t) => {
  const { replace, ...files } = copiedPair(t);
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) });
  const used: unknown[] = [];
  const reread = makeRereader({ setSecureContext: (context) => used.push(context) }, files, log, Date.now);
  const logged = () => lines.splice(0).map(({ level, msg }) => `${level}: ${msg}`);
  reread();
  assert.deepEqual(logged(), ['info: TLS certificate']);
  writeFileSync(files.tlsKey, '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n');
  reread();
  reread();
  assert.doesNotMatch(JSON.stringify(lines), /c2VjcmV0/);
  assert.deepEqual(logged(), ['error: the TLS certificate in use stays: the files are faulty']);
  assert.equal(used.length, 1);
  replace('second');
  reread();
  reread();
  assert.deepEqual(logged(), ['info: TLS certificate']);
  assert.equal(used.length, 2);
});

test('TLS: an end within two weeks is logged once a day', () => {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line).msg) });
  let now = Date.UTC(3000, 0);
  const reread = makeRereader({ setSecureContext: () => undefined }, FIRST, log, () => now);
  reread();
  now += 3_600_000;
  reread();
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^the TLS certificate expired on 2\d{3}-/);
  now += 86_400_000;
  reread();
  assert.equal(lines.length, 2);
});
