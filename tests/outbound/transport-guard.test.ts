import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallPolicy, followRedirects } from '../../src/core/agents/connectors/call/transport.ts';
import { AccessTokens } from '../../src/core/agents/connectors/credentials/tokens.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { makeTransport } from '../../src/outbound/transport.ts';
import { LEAD_TO_LOOPBACK, LEAD_WITHIN, NAMES } from './hosts.ts';
import {
  lookupOf,
  rejectionOf,
  SEEMS_PUBLIC,
  startCanary,
  startRebound,
  startServer,
  testDispatchers,
} from './support.ts';
import { faultOf, PUBLIC_ONLY, send, told } from './transport-support.ts';

/** In addition to the hosts that every client is tested with. */
const MORE_HOSTS = [
  '①②⑦.⓪.⓪.①',
  '１２７.０.０.１',
  '127．0．0．1',
  '127｡0｡0｡1',
  '0177.0x0.0.1',
  '0x7f.0.1',
  '127.0.0.1%2e',
  '[::ffff:7f00:0001]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:10.1.2.3]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[fc00::1]',
  '[fd12:3456:789a:1::1]',
  '[fec0::1]',
  '[ff05::2]',
  '[100::1]',
  '[3fff::1]',
  '192.0.0.192',
  '203.0.113.7',
  '198.51.100.7',
  '169.254.170.2',
  '0.1.2.3',
  'public.test@127.0.0.1',
  'public.test:80@127.0.0.1',
  'public.test%20@127.0.0.1',
  '127.0.0.1\t',
  '1\n27.0.0.1',
];

/** The fake DNS. Resolvers follow a CNAME, so only its target is visible. */
const MORE_NAMES = {
  ...NAMES,
  localhost: [['127.0.0.1', '::1']],
  'app.localhost': [['127.0.0.1']],
  'deep.app.localhost.': [['::1']],
  'xn--bcher-kva.test': [['127.0.0.1']],
  'cname-to-loopback.test': [['127.0.0.1']],
  'public-first.test': [['93.184.216.34', '10.0.0.1']],
  'public-last.test': [['10.0.0.1', '93.184.216.34']],
  'azure.test': [['168.63.129.16']],
  'shared.test': [['100.64.0.1']],
  'compatible.test': [['::7f00:1']],
  'unique-local.test': [['fd00::1']],
  'empty-text.test': [['']],
};

const WRITTEN_NAMES: Record<string, string> = { 'xn--bcher-kva.test': 'bücher.test', localhost: 'ＬＯＣＡＬＨＯＳＴ' };

test('Transport: a private address is blocked in every notation, with one message', async (t) => {
  const canary = await startCanary(t);
  const connections = testDispatchers(t, { lookup: lookupOf(MORE_NAMES) });
  const hosts = [...LEAD_TO_LOOPBACK, ...LEAD_WITHIN, ...MORE_HOSTS];
  assert.ok(hosts.length >= 80);
  for (const host of hosts) {
    for (const scheme of ['http', 'https']) {
      const address = `${scheme}://${host}:${canary.port}/`;
      // An invalid address is not called.
      if (URL.parse(address) === null) continue;
      const fault = await faultOf(send(t, address, { policy: PUBLIC_ONLY, connections }));
      assert.deepEqual(told(fault), ['blocked', false, null], address);
      assert.match(fault.message, /not at a public address|with a user name/, address);
      assert.doesNotMatch(fault.message, /127\.|10\.|169\.254|::/, address);
    }
  }
  assert.equal(canary.connections(), 0);
});

test('Transport: a name with any private address is blocked', async (t) => {
  const canary = await startCanary(t);
  const connections = testDispatchers(t, { lookup: lookupOf(MORE_NAMES) });
  for (const name of Object.keys(MORE_NAMES)) {
    const address = `http://${WRITTEN_NAMES[name] ?? name}:${canary.port}/`;
    const fault = await faultOf(send(t, address, { policy: PUBLIC_ONLY, connections }));
    assert.deepEqual(told(fault), ['blocked', false, null], address);
  }
  assert.equal(canary.connections(), 0);
});

test('Transport: unknown and blocked names look alike unless networks are allowed', async (t) => {
  const lookup = lookupOf({ 'known.test': [['10.9.8.7']], 'inner.test': [['10.1.0.1']] });
  const connections = testDispatchers(t, { lookup });
  const say = async (host: string, allowPrivateNetworks: string[] = []) => {
    const policy = { ...PUBLIC_ONLY, allowPrivateNetworks };
    const { message, ...fault } = await faultOf(send(t, `http://${host}/`, { policy, connections }));
    return { kind: fault.kind, maybeSent: fault.maybeSent, message: message.replace(host, 'HOST') };
  };
  assert.deepEqual(await say('known.test'), await say('unknown.test'));
  const [known, unknown] = [await say('known.test', ['10.1.0.0/16']), await say('unknown.test', ['10.1.0.0/16'])];
  assert.match(known.message, /nor in a network that the definition allows/);
  assert.deepEqual([unknown.kind, unknown.message], ['unreachable', 'HOST could not be reached (ENOTFOUND).']);
});

test('Transport: a name is looked up for every new connection', async (t) => {
  const lookup = lookupOf({ 'rebinding.test': [[SEEMS_PUBLIC], ['127.0.0.1']] });
  const connections = testDispatchers(t, { lookup, mayReach: (address) => address === SEEMS_PUBLIC });
  const answer = (_request: unknown, response: import('node:http').ServerResponse) =>
    response.writeHead(200, { connection: 'close' }).end('public');
  const { reached, within } = await startRebound(t, answer);
  const ask = () => send(t, `http://rebinding.test:${reached.port}/`, { policy: PUBLIC_ONLY, connections });
  assert.equal((await ask()).body.toString(), 'public');
  assert.equal((await faultOf(ask())).kind, 'blocked');
  assert.deepEqual([reached.connections, within.connections], [1, 0]);
});

test('Transport: only http and https without credentials', async (t) => {
  const connections = testDispatchers(t);
  for (const address of ['file:///etc/passwd', 'ftp://a.test/', 'gopher://a.test/', 'data:,a', 'ws://a.test/']) {
    const fault = await faultOf(send(t, address, { policy: PUBLIC_ONLY, connections }));
    assert.deepEqual(told(fault), ['blocked', false, null], address);
    assert.match(fault.message, /only http and https/);
  }
  const fault = await faultOf(send(t, 'http://u:s3cret@a.test/', { policy: PUBLIC_ONLY, connections }));
  assert.match(fault.message, /user name/);
  assert.doesNotMatch(fault.message, /s3cret/);
});

/** Networks that are allowed, a host or a name, and whether it may be reached. */
const ALLOWED: [string[], string, boolean][] = [
  [['127.0.0.1/32'], '127.0.0.1', true],
  [['127.0.0.1/32'], '2130706433', true],
  [['127.0.0.1/32'], '[::ffff:127.0.0.1]', true],
  [['127.0.0.0/8'], 'loopback.test', true],
  [['127.0.0.0/8'], 'mapped.test', true],
  [['127.0.0.0/8'], 'localhost', false],
  [['127.0.0.0/8', '::1/128'], 'localhost', true],
  [['127.0.0.2/32'], '127.0.0.1', false],
  [['10.1.0.0/16'], '127.0.0.1', false],
  [['10.1.0.0/16'], '10.2.0.1', false],
  [['10.1.0.0/16'], 'other-ten.test', false],
  [['10.0.0.0/8'], '169.254.169.254', false],
  [['::1/128'], '127.0.0.1', false],
  [['::/0'], '127.0.0.1', false],
  [['::ffff:0:0/96'], '127.0.0.1', false],
  [['127.0.0.0/8'], '[::127.0.0.1]', false],
  [['127.0.0.0/8'], 'nat64.test', false],
  [['fe80::/10'], 'zone.test', false],
];

for (const [networks, host, isReached] of ALLOWED) {
  test(`Transport: ${networks.join(' and ')} ${isReached ? 'reaches' : 'blocks'} ${host}`, async (t) => {
    const canary = await startCanary(t);
    const names = { ...MORE_NAMES, 'other-ten.test': [['10.2.0.1']] };
    const connections = testDispatchers(t, { lookup: lookupOf(names) });
    const policy: CallPolicy = { tenantId: 'tenant', allowPrivateNetworks: networks };
    const sent = send(t, `http://${host}:${canary.port}/`, { policy, connections });
    if (isReached) assert.equal((await sent).body.toString(), 'reached');
    else assert.equal((await faultOf(sent)).kind, 'blocked');
    assert.equal(canary.connections() > 0, isReached);
  });
}

test('Transport: a policy gets no connection of another one, of any tenant', async (t) => {
  const canary = await startCanary(t);
  const transport = makeTransport({ connections: testDispatchers(t) });
  const url = `http://127.0.0.1:${canary.port}/`;
  const allowing: CallPolicy = { tenantId: 'tenant', allowPrivateNetworks: ['127.0.0.0/8'] };
  assert.equal((await send(t, url, { policy: allowing, transport })).status, 200);
  const before = canary.connections();
  for (const tenantId of ['tenant', 'another']) {
    const policy = { tenantId, allowPrivateNetworks: [] };
    assert.equal((await faultOf(send(t, url, { policy, transport }))).kind, 'blocked');
  }
  assert.equal(canary.connections(), before);
});

test('followRedirects: a redirect to a private address is blocked', async (t) => {
  const canary = await startCanary(t);
  let location = '';
  const server = await startServer(
    t,
    (_request, response) => response.writeHead(302, { location: encodeURI(location) }).end(),
    SEEMS_PUBLIC,
  );
  const lookup = lookupOf({ ...MORE_NAMES, 'api.test': [[SEEMS_PUBLIC]] });
  const connections = testDispatchers(t, { lookup, mayReach: (address) => address === SEEMS_PUBLIC });
  const transport = followRedirects(makeTransport({ connections }));
  for (const host of [...LEAD_TO_LOOPBACK, ...LEAD_WITHIN, ...Object.keys(MORE_NAMES)]) {
    for (const target of [`http://${host}:${canary.port}/`, `//${host}:${canary.port}/`]) {
      location = target;
      const fault = await faultOf(send(t, `http://api.test:${server.port}/`, { policy: PUBLIC_ONLY, transport }));
      assert.deepEqual(told(fault), ['blocked', true, 302], target);
      assert.match(fault.message, /another origin|invalid address/, target);
    }
  }
  assert.equal(canary.connections(), 0);
});

test('followRedirects: a redirect within its origin is looked up again', async (t) => {
  const lookup = lookupOf({ 'api.test': [[SEEMS_PUBLIC], ['127.0.0.1']] });
  const connections = testDispatchers(t, { lookup, mayReach: (address) => address === SEEMS_PUBLIC });
  const server = await startServer(
    t,
    (_request, response) => response.writeHead(307, { location: '/next', connection: 'close' }).end(),
    SEEMS_PUBLIC,
  );
  const transport = followRedirects(makeTransport({ connections }));
  const fault = await faultOf(send(t, `http://api.test:${server.port}/`, { policy: PUBLIC_ONLY, transport }));
  // Nothing listens there: an attempt to connect would have been `unreachable`.
  assert.equal(fault.kind, 'blocked');
  assert.match(fault.message, /public address/);
  assert.equal(server.connections, 1);
});

test('Transport: a token endpoint at a private address is blocked', async (t) => {
  const canary = await startCanary(t);
  const connections = testDispatchers(t, { lookup: lookupOf(MORE_NAMES) });
  const tokens = new AccessTokens({ transport: makeTransport({ connections }), effects: realEffects });
  for (const host of ['127.0.0.1', '2130706433', '169.254.169.254', '[::ffff:7f00:1]', 'loopback.test', 'mixed.test']) {
    const tokenUrl = `http://${host}:${canary.port}/token`;
    const auth = { type: 'oauth2', tokenUrl, scopes: [], clientAuthentication: 'basic' } as const;
    const request = {
      policy: PUBLIC_ONLY,
      auth: { ...auth, scopes: [] },
      clientId: 'a',
      clientSecret: 's',
      version: 1,
    };
    const error = await rejectionOf(tokens.tokenFor(request, new AbortController().signal));
    assert.ok(error instanceof RuntimeError && error.code === 'upstream', String(error));
    assert.match(error.message, /not where it may be reached/);
    assert.doesNotMatch(error.message, /127\.|169\./);
  }
  assert.equal(canary.connections(), 0);
});
