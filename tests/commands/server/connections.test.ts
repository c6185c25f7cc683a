import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { listen } from '../../../src/commands/server/listen.ts';
import { eventually } from '../../support/process.ts';

const MAX_OF_ADDRESS = 512;

async function server(t: TestContext, trustedProxies: string[] = []) {
  const refused: { address: string; open: number }[] = [];
  const listener = await listen(
    (_request, response) => response.end('ok'),
    { host: '127.0.0.1', port: 0, trustedProxies },
    { onRefused: (one) => refused.push(one) },
  );
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  const { port } = listener.address() as { port: number };
  const open = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const isAnswered = async (socket: Socket) => {
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    return new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false));
      if (socket.destroyed) resolve(false);
    });
  };
  /** Connections with half a request. */
  const flood = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await open()).write('GET / HTTP/1.1\r\nhost: x\r\n')));
  return { refused, sockets, open, isAnswered, flood };
}

test('listen: one address has at most 512 connections; other addresses are unaffected', async (t) => {
  const { refused, sockets, open, isAnswered, flood } = await server(t);
  await flood(MAX_OF_ADDRESS);
  for (let count = 0; count < 3; count++) assert.equal(await isAnswered(await open()), false);
  // Elsewhere the loopback has one address alone.
  if (process.platform === 'linux') assert.equal(await isAnswered(await open('127.0.0.2')), true);
  assert.deepEqual(refused, [{ address: '127.0.0.1', open: MAX_OF_ADDRESS }], 'said once a minute');
  sockets[0]!.destroy();
  await eventually('a place', async () => isAnswered(await open()), 5_000);
});

test('listen: the connections of a trusted proxy are not counted', async (t) => {
  const { refused, open, isAnswered, flood } = await server(t, ['127.0.0.1/32']);
  await flood(MAX_OF_ADDRESS);
  assert.equal(await isAnswered(await open()), true);
  assert.deepEqual(refused, []);
});

const PLACE = { host: '127.0.0.1', port: 0 };
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

test('listen: a request that arrives during the preparation is answered after it', async (t) => {
  const order: string[] = [];
  const listener: RequestListener = (_request, response) => {
    order.push('answered');
    response.end('ok');
  };
  let early: Promise<string> | undefined;
  const server = await listen(listener, PLACE, {
    prepare: async (listening) => {
      early = fetch(urlOf(listening)).then((response) => response.text());
      await once(listening, 'request');
      order.push('prepared');
    },
  });
  t.after(() => server.close());
  assert.equal(await early, 'ok');
  assert.deepEqual(order, ['prepared', 'answered']);
  assert.equal(await (await fetch(urlOf(server))).text(), 'ok');
});

test('listen: when the preparation fails, nothing is answered and the port is free', async () => {
  let early: Promise<string> | undefined;
  let url = '';
  const failed = listen(() => assert.fail('answered'), PLACE, {
    prepare: async (listening) => {
      url = urlOf(listening);
      early = fetch(url).then(
        () => 'answered',
        () => 'closed',
      );
      await once(listening, 'request');
      throw new Error('no room');
    },
  });
  await assert.rejects(failed, /no room/);
  assert.equal(await early, 'closed');
  await assert.rejects(fetch(url));
});
