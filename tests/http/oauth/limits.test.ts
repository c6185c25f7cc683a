import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import express, { type ErrorRequestHandler } from 'express';
import { TokenBuckets } from '../../../src/core/limits/rates/buckets.ts';
import { mountOAuth, type OAuthParts } from '../../../src/http/oauth/mount.ts';
import { ClientMetadataFetcher } from '../../../src/identity/client-metadata-fetcher.ts';

/** The endpoints over an authorization server that answers as the address asks, with a clock that stands. */
async function endpoints(t: TestContext) {
  const app = express().set('trust proxy', true);
  const answering = {
    handle: async (asked: express.Request, answer: express.Response) => answer.sendStatus(Number(asked.query.as)),
  };
  mountOAuth(app, {
    servers: { at: async () => answering } as unknown as OAuthParts['servers'],
    baseOf: () => 'https://example.com',
    isLimited: true,
    buckets: new TokenBuckets(() => 0),
  });
  const refuse: ErrorRequestHandler = (error, _request, response, _next) =>
    response.status(429).end(String(error.code));
  app.use(refuse);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  t.after(() => {
    agent.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send = (method: string, path: string, from: string, status: number) =>
    new Promise<number>((resolve, reject) => {
      const options = { port, method, path: `${path}?as=${status}`, agent, headers: { 'x-forwarded-for': from } };
      request(options, (response) => response.resume().once('end', () => resolve(response.statusCode!)))
        .on('error', reject)
        .end();
    });
  return send;
}

test('OAuth limits: strangers do not use up what others need', async (t) => {
  const send = await endpoints(t);
  for (const [method, path, ofAll, ofAddress, done] of [
    ['POST', '/oauth/register', 600, 30, 201],
    ['GET', '/oauth/authorize', 1_200, 120, 303],
  ] as const) {
    const strangers = (ofAll / ofAddress) * 1.5;
    const flood = (status: number, network: number) =>
      Promise.all(
        Array.from({ length: strangers * ofAddress }, (_, one) =>
          send(method, path, `203.0.${network}.${(one % strangers) + 1}`, status),
        ),
      );
    await flood(400, 113);
    assert.equal(await send(method, path, '203.0.113.1', done), 429, 'an address is limited by what is refused, too');
    await flood(done, 114);
    assert.equal(await send(method, path, '203.0.114.1', done), 429);
    for (const quiet of ['198.51.100.1', '198.51.100.1', '2001:db8:1:2::1', '2001:db8:1:3::1']) {
      assert.equal(await send(method, path, quiet, done), done, `${path}: an address that was quiet`);
    }
    const many = Array.from({ length: 100 }, (_, one) => send(method, path, `2001:db8:9:${one}::1`, done));
    const got = (await Promise.all(many)).filter((status) => status === done).length;
    assert.ok(got <= 50, `${path}: ${got} of 100 networks of one customer`);
  }
});

test('OAuth limits: strangers do not keep documents of others from being fetched', () => {
  const documents = new ClientMetadataFetcher([], () => 0);
  const admit = (one: number, address: string) =>
    documents.admit(`https://host-${one}.example.com/a`, 'https://example.com', address);
  const admitted = Array.from({ length: 1_000 }, (_, one) => admit(one, `203.0.113.${one % 10}`)).filter(
    Boolean,
  ).length;
  assert.ok(admitted < 200, `${admitted} at once`);
  assert.equal(admit(2_000, '203.0.113.1'), false);
  assert.equal(admit(2_001, '198.51.100.1'), true);
});
