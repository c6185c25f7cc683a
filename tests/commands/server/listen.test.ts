import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { listen } from '../../../src/commands/server/listen.ts';

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
