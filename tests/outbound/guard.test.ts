import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { fetchContent } from '../../src/outbound/content.ts';
import type { Dispatchers, NetworkPolicy } from '../../src/outbound/dispatchers.ts';
import { guardedFetch, streamingFetch } from '../../src/outbound/fetch.ts';
import { BlockedAddress, guardedLookup, isPublicAddress } from '../../src/outbound/guard.ts';
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

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '168.63.129.15',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
];

const NOT_PUBLIC: Record<string, string[]> = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::', '0:0:0:0:0:0:0:0'],
  loopback: ['127.0.0.1', '127.0.0.2', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'link-local, with the metadata of clouds': ['169.254.0.1', '169.254.169.254', '169.254.170.2', 'fe80::1', 'febf::1'],
  'metadata elsewhere': ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  'shared by carriers': ['100.64.0.0', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1'],
  broadcast: ['255.255.255.255'],
  reserved: ['240.0.0.1', '192.0.0.1', '192.88.99.1', '4000::1', 'e000::1', '5f00::1', '100::1', '2001:1::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'unique local': ['fc00::1', 'fdff:ffff::1'],
  'site-local of old': ['fec0::1'],
  'IPv4 mapped into IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::ffff:10.0.0.1',
    '::FFFF:0:0',
  ],
  'IPv4-compatible': ['::127.0.0.1', '::10.0.0.1', '::8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  'behind NAT64': ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b::10.0.0.1'],
  'behind NAT64 of a local network': ['64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff::1'],
  '6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  Teredo: ['2001:0:7f00:1::', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'with a zone': ['fe80::1%eth0', '::1%lo', '2606:4700:4700::1111%eth0'],
  'no full address': [
    '',
    ' ',
    '127.1',
    '1.1',
    '2130706433',
    '134744072',
    '0x7f000001',
    '0x08080808',
    '010.8.8.8',
    '8.8.8',
  ],
  'no address at all': [
    'localhost',
    'example.com',
    '8.8.8.8:80',
    '[::1]',
    '[2606:4700:4700::1111]',
    '8.8.8.8/32',
    ' 8.8.8.8',
  ],
};

test('isPublicAddress: public addresses up to the borders of reserved networks', () => {
  assert.deepEqual(
    PUBLIC.filter((address) => !isPublicAddress(address)),
    [],
  );
});

for (const [kind, addresses] of Object.entries(NOT_PUBLIC)) {
  test(`isPublicAddress: not public: ${kind}`, () => {
    assert.deepEqual(addresses.filter(isPublicAddress), []);
  });
}

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
