import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { fetchContent } from '../../src/outbound/content.ts';
import type { Dispatchers, NetworkPolicy } from '../../src/outbound/dispatchers.ts';
import { guardedFetch, streamingFetch } from '../../src/outbound/fetch.ts';
import { BlockedAddress, guardedLookup } from '../../src/outbound/guard.ts';
import { LEAD_TO_LOOPBACK, LEAD_WITHIN, NAMES } from './hosts.ts';
import {
  causesOf,
  lookupOf,
  rejectionOf,
  SEEMS_PUBLIC,
  startCanary,
  startRebound,
  testDispatchers,
} from './support.ts';

const GUARDED = { allowPrivateNetwork: false };

type Way = (connections: Dispatchers, policy: NetworkPolicy, url: string) => Promise<unknown>;

/** Every way out of this layer. */
const WAYS: Record<string, Way> = {
  streamingFetch: (connections, policy, url) => streamingFetch(policy, connections)(url),
  guardedFetch: (connections, policy, url) => guardedFetch(policy, connections)(url),
  nodeAgentsFor: (connections, policy, url) => getWithAgent(connections.nodeAgentsFor(policy).httpAgent, url),
};

for (const [name, ask] of Object.entries(WAYS)) {
  test(`${name}: a private address is blocked in every notation`, async (t) => {
    const [canary, connections] = [await startCanary(t), testDispatchers(t)];
    for (const host of [...LEAD_TO_LOOPBACK, ...LEAD_WITHIN]) {
      const error = await rejectionOf(ask(connections, GUARDED, `http://${host}:${canary.port}/`));
      assert.ok(isRefusal(error), `${host}: ${error}`);
    }
    assert.equal(canary.connections(), 0);
  });

  test(`${name}: a name with a private address among its addresses is blocked`, async (t) => {
    const [canary, connections] = [await startCanary(t), testDispatchers(t, { lookup: lookupOf(NAMES) })];
    for (const host of Object.keys(NAMES)) {
      const error = await rejectionOf(ask(connections, GUARDED, `http://${host}:${canary.port}/`));
      assert.ok(isRefusal(error), `${host}: ${error}`);
    }
    assert.equal(canary.connections(), 0);
  });

  test(`${name}: DNS rebinding to loopback is blocked`, async (t) => {
    const lookup = lookupOf({ 'rebinding.test': [[SEEMS_PUBLIC], ['127.0.0.1']] });
    const connections = testDispatchers(t, { lookup, mayReach: (address) => address === SEEMS_PUBLIC });
    const { reached, within } = await startRebound(t, (_request, response) => end(response));
    const url = `http://rebinding.test:${reached.port}/`;
    await ask(connections, GUARDED, url);
    assert.ok(isRefusal(await rejectionOf(ask(connections, GUARDED, url))));
    assert.deepEqual([reached.connections, within.connections], [1, 0]);
  });

  test(`${name}: private networks are reached if the operator allows it`, async (t) => {
    const [canary, connections] = [await startCanary(t), testDispatchers(t)];
    for (const host of LEAD_TO_LOOPBACK.filter((one) => !one.includes('@'))) {
      const before = canary.connections();
      await ask(connections, { allowPrivateNetwork: true }, `http://${host}:${canary.port}/`);
      await connections.closeDispatchers();
      assert.ok(canary.connections() > before, host);
    }
  });
}

test('guardAgent: a private host that no URL has normalized is blocked', async (t) => {
  const [canary, connections] = [await startCanary(t), testDispatchers(t)];
  const { httpAgent } = connections.nodeAgentsFor(GUARDED);
  const written = [...LEAD_TO_LOOPBACK, ...LEAD_WITHIN].map((host) => host.replace(/^\[(.*)\]$/, '$1'));
  for (const host of [...written, '::1%lo', '[::1]', '127.0.0.1\0']) {
    const error = await rejectionOf((async () => getWithAgent(httpAgent, { host, port: canary.port }))());
    // Not every system resolves what another one takes for an address.
    const unknown = /ENOTFOUND|EAI_|ERR_INVALID/.test((error as { code?: string }).code ?? '');
    assert.ok(unknown || isRefusal(error), `${host}: ${error}`);
  }
  assert.equal(canary.connections(), 0);
});

test('fetchContent: a blocked address is reported by the given name only', async (t) => {
  const canary = await startCanary(t);
  const connections = testDispatchers(t);
  for (const host of [...LEAD_TO_LOOPBACK, ...LEAD_WITHIN]) {
    const url = `http://${host}:${canary.port}/`;
    const error = await rejectionOf(fetchContent(url, { ...GUARDED, maxBytes: 1, timeoutMs: 60_000 }, connections));
    assert.match(error.message, /is not at a public address|full http and https|user name/, `${host}: ${error}`);
  }
  assert.equal(canary.connections(), 0);
});

test('BlockedAddress: the message has the name and the remedy, no address', async (t) => {
  const connections = testDispatchers(t, { lookup: lookupOf({ 'inside.test': [['10.9.8.7']] }) });
  const error = await rejectionOf(streamingFetch(GUARDED, connections)('http://inside.test/'));
  assert.ok(error instanceof BlockedAddress);
  assert.match(error.message, /^inside\.test .*allowPrivateNetwork/);
  assert.doesNotMatch(`${error.stack}`, /10\.9\.8\.7/);
});

test('guardedLookup: returns the checked addresses, all or the first', async () => {
  const answer = ['93.184.216.34', '2606:4700:4700::1111'];
  const lookup = guardedLookup(lookupOf({ 'public.test': [answer] }), () => true);
  const asked = (all: boolean) =>
    new Promise((resolve, reject) => {
      lookup('public.test', { all }, (error, address, family) => (error ? reject(error) : resolve([address, family])));
    });
  assert.deepEqual(await asked(false), ['93.184.216.34', 4]);
  assert.deepEqual(await asked(true), [
    [
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ],
    undefined,
  ]);
});

test('guardedLookup: a failed lookup is reported as such', async (t) => {
  const connections = testDispatchers(t, { lookup: lookupOf({}) });
  for (const [name, ask] of Object.entries(WAYS)) {
    const error = await rejectionOf(ask(connections, GUARDED, 'http://unknown.test/'));
    assert.ok(
      causesOf(error).some((one) => (one as { code?: string }).code === 'ENOTFOUND'),
      `${name}: ${error}`,
    );
  }
});

/** Blocked, or not a valid address. */
function isRefusal(error: unknown): boolean {
  return causesOf(error).some(
    (one) =>
      one instanceof BlockedAddress ||
      (one as { code?: string }).code === 'ERR_INVALID_URL' ||
      (one instanceof TypeError && /includes credentials/.test(one.message)),
  );
}

function getWithAgent(agent: http.Agent, to: string | http.RequestOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = typeof to === 'string' ? http.get(to, { agent }) : http.get({ ...to, agent });
    request.on('response', (response) => resolve(response.resume())).on('error', reject);
  });
}

function end(response: http.ServerResponse): void {
  response.writeHead(200, { connection: 'close' }).end();
}
