import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHAT, type ChatApp, chat, chatApp } from '../../../support/chat.ts';
import { eventually } from '../../../support/process.ts';

/** A connection with a chat request of which the given part of the body is sent. */
function asking({ url, key }: ChatApp, body: string, { version = '1.1', sent = body } = {}): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = [
    `POST ${CHAT} HTTP/${version}`,
    `host: ${hostname}`,
    `x-api-key: ${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`);
  return socket;
}

test('POST /chat: in HTTP/1.0 an answer that breaks off resets the connection', async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ pieces: [{ type: 'text', text: 'half' }, { type: 'hold' }], fault: { type: 'cut', after: 2 } });
  const socket = asking(app, JSON.stringify(app.ask()), { version: '1.0' });
  let received = '';
  let code: string | undefined;
  socket.on('data', (bytes) => {
    received += bytes;
    if (received.endsWith('half')) app.upstream.release();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    code = error.code;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  assert.match(received, /^HTTP\/1\.1 200 .*\r\n\r\nhalf$/s);
  assert.equal(code, 'ECONNRESET');
  app.upstream.script({});
  const whole = asking(app, JSON.stringify(app.ask()), { version: '1.0' });
  assert.match((await whole.toArray()).join(''), /\r\n\r\nOlá mundo 🌍$/);
});

test('POST /chat: a client that disconnects during authentication frees its slot', async (t) => {
  const app = await chatApp(t, { chatStreams: 1 });
  const { keyAuthenticator } = app.runtime;
  const authenticate = keyAuthenticator.authenticate.bind(keyAuthenticator);
  const body = JSON.stringify(app.ask());
  const isAsked = Promise.withResolvers<void>();
  keyAuthenticator.authenticate = (key) => {
    isAsked.resolve();
    return authenticate(key);
  };
  const socket = asking(app, body, { sent: body.slice(0, -1) });
  await isAsked.promise;
  // Long enough that the key is verified again after the body, which is slow here.
  await sleep(600);
  keyAuthenticator.authenticate = async (key) => {
    socket.destroy();
    await sleep(50);
    keyAuthenticator.authenticate = authenticate;
    return authenticate(key);
  };
  socket.write(body.slice(-1));
  await once(socket, 'close');
  await eventually('a free place', async () => (await chat(app, app.ask())).text === 'Olá mundo 🌍', 5_000);
  assert.equal(app.upstream.requests.length, 1);
});
