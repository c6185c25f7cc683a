import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  followRedirects,
  type Transport,
  TransportFault,
  type UpstreamRequest,
} from '../../../../../src/core/agents/connectors/call/transport.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
import { rejectionOf } from '../../../../outbound/support.ts';

const POLICY = { tenantId: 'tenant', allowPrivateNetworks: [] };

/** The transport of an API that redirects along the paths, and its requests. */
function api(locations: Record<string, string | undefined>, status = 302) {
  const asked: UpstreamRequest[] = [];
  const transport: Transport = {
    async send(_policy, request) {
      asked.push(request);
      const path = request.url.pathname;
      const redirects = path in locations;
      const headers = redirects ? { location: locations[path] } : {};
      return { status: redirects ? status : 200, headers, body: Buffer.from(path) };
    },
  };
  const get = (address: string, method = 'GET') =>
    followRedirects(transport).send(POLICY, {
      method,
      url: new URL(address),
      headers: ['x-api-key', 'secret'],
      body: null,
      maxBytes: 10,
      signal: new AbortController().signal,
    });
  return { get, asked };
}

test('followRedirects: three within an origin keep headers and caps', async () => {
  const { get, asked } = api({ '/a': '/b?page=2', '/b': 'https://api.test:443/c#part', '/c': 'd' });
  assert.equal((await get('https://api.test/a?page=1')).body.toString(), '/d');
  assert.deepEqual(
    asked.map(({ url }) => url.pathname + url.search),
    ['/a?page=1', '/b?page=2', '/c', '/d'],
  );
  assert.ok(
    asked.every(({ headers, maxBytes, method }) => headers[1] === 'secret' && maxBytes === 10 && method === 'GET'),
  );
});

test('followRedirects: a fourth redirect or a circle is a fault', async () => {
  for (const locations of [{ '/a': '/b', '/b': '/c', '/c': '/d', '/d': '/e' }, { '/a': '/a' }]) {
    const { get, asked } = api(locations);
    const error = await rejectionOf(get('https://api.test/a'));
    assert.ok(error instanceof TransportFault);
    assert.match(error.message, /api\.test redirects more than 3 times/);
    assert.equal(asked.length, 4);
  }
});

for (const [location, message] of [
  ['https://other.test/a', /another origin/],
  ['https://api.test.evil.test/', /another origin/],
  ['//other.test/', /another origin/],
  ['https://api.test:8443/', /another origin/],
  ['\\\\other.test/', /another origin/],
  ['https://api.test@other.test/', /another origin/],
  ['http://api.test/', /from https to http/],
  ['http://other.test/', /from https to http/],
  ['file:///etc/passwd', /another origin/],
  ['javascript:1', /another origin/],
  ['https://', /invalid address/],
  ['https://[::1/', /invalid address/],
] as const) {
  test(`followRedirects: to ${location} is a fault without the target`, async () => {
    const { get, asked } = api({ '/a': location });
    const error = await rejectionOf(get('https://api.test/a'));
    assert.ok(error instanceof TransportFault);
    assert.deepEqual([error.kind, error.maybeSent, error.status, asked.length], ['blocked', true, 302, 1]);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /other\.test|evil|passwd/);
  });
}

test('followRedirects: a fault after a redirect may have been sent', async () => {
  const unsent = new TransportFault('unreachable', 'api.test could not be reached.', { maybeSent: false });
  const noRoom = new RuntimeError('unavailable', 'Too much is being sent at once.');
  for (const fault of [unsent, noRoom]) {
    const transport: Transport = {
      send: async (_policy, { url }) => {
        if (url.pathname === '/b') throw fault;
        return { status: 302, headers: { location: '/b' }, body: Buffer.alloc(0) };
      },
    };
    const request = { method: 'GET', headers: [], body: null, maxBytes: 10, signal: new AbortController().signal };
    const sent = (path: string) =>
      rejectionOf(followRedirects(transport).send(POLICY, { ...request, url: new URL(path, 'https://api.test') }));
    assert.equal(await sent('/b'), fault);
    const error = await sent('/a');
    assert.ok(error instanceof TransportFault);
    assert.deepEqual([error.maybeSent, error.message], [true, fault.message]);
  }
});

test('followRedirects: only GET and HEAD, redirect statuses and a location', async () => {
  const following: number[] = [];
  for (const status of [300, 301, 302, 303, 304, 305, 307, 308, 201]) {
    const { get } = api({ '/a': '/b' }, status);
    if ((await get('https://api.test/a', 'HEAD')).status === 200) following.push(status);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal((await get('https://api.test/a', method)).status, status);
    }
  }
  assert.deepEqual(following, [301, 302, 303, 307, 308]);
  assert.equal((await api({ '/a': undefined }).get('https://api.test/a')).status, 302);
});
