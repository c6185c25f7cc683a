import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CircuitBreakers } from '../../../../../src/core/agents/connectors/call/circuit-breakers.ts';
import { type EndedCall, recordCall } from '../../../../../src/core/agents/connectors/call/running-call.ts';
import {
  followRedirects,
  type Transport,
  TransportFault,
  type UpstreamRequest,
} from '../../../../../src/core/agents/connectors/call/transport.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
import { rejectionOf } from '../../../../outbound/support.ts';

const POLICY = { tenantId: 'tenant', allowPrivateNetworks: [] };

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

const metadata = {
  connector: 'pets',
  resource: 'getPet',
  environment: 'staging' as const,
  status: 200,
  duration: 12.5,
  attempts: 1,
  mocked: false,
  retrySafe: true,
};
const caller = { tenantId: 't', agentId: null } as EndedCall['caller'];
const ended: EndedCall = { caller, metadata, credential: 'pets-key', error: null, fallback: false };

test('recordCall: a call becomes an event without its data', () => {
  const recorded: [string, object][] = [];
  const outbox = {
    record: (_caller: unknown, name: string, properties: object) => recorded.push([name, properties]),
  };
  recordCall(outbox as never, ended);
  const error = { code: 'upstream', message: 'x'.repeat(600) };
  recordCall(outbox as never, { ...ended, error, fallback: true });
  const [executed, failed] = recorded;
  assert.deepEqual(executed, [
    'runtime.connector_executed',
    {
      ...{ connector: 'pets', resource: 'getPet', environment: 'staging', status: 200, durationMs: 12.5, attempts: 1 },
      ...{ mocked: false, fallback: false, credential: 'pets-key' },
    },
  ]);
  assert.equal(failed![0], 'runtime.connector_failed');
  const { errorCode, error: text, fallback } = failed![1] as Record<string, string>;
  assert.deepEqual([errorCode, text!.length, fallback], ['upstream', 500, true]);
});

function breakersAt(start = 1_000_000) {
  const clock = { now: start };
  return { clock, breakers: new CircuitBreakers({ now: () => clock.now }) };
}

/** A circuit that five failures have opened, so much later. */
function openFor(ms: number) {
  const { breakers, clock } = breakersAt();
  fail(breakers, 5);
  clock.now += ms;
  return { breakers, clock };
}

function fail(breakers: CircuitBreakers, times: number, key = 'a'): void {
  for (let index = 0; index < times; index += 1) breakers.failed(key);
}

test('CircuitBreakers: five consecutive failures open the circuit of one API', () => {
  const { breakers } = breakersAt();
  fail(breakers, 4);
  assert.equal(breakers.retryIn('a'), 0);
  fail(breakers, 1);
  assert.equal(breakers.retryIn('a'), 5_000);
  assert.equal(breakers.retryIn('b'), 0);
});

test('CircuitBreakers: a success resets the count', () => {
  const { breakers } = breakersAt();
  fail(breakers, 4);
  breakers.succeeded('a');
  fail(breakers, 4);
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: after the pause one probe closes the circuit', () => {
  const { breakers } = openFor(5_000);
  assert.equal(breakers.retryIn('a'), 0);
  assert.ok(breakers.retryIn('a') > 0);
  breakers.succeeded('a');
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: each failed probe doubles the pause up to a minute', () => {
  const { breakers, clock } = openFor(0);
  const pauses = [];
  for (let index = 0; index < 6; index += 1) {
    pauses.push(breakers.retryIn('a'));
    clock.now += breakers.retryIn('a');
    assert.equal(breakers.retryIn('a'), 0);
    breakers.failed('a');
  }
  assert.deepEqual(pauses, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

test('CircuitBreakers: failures of earlier calls do not extend the pause', () => {
  const { breakers } = openFor(3_000);
  fail(breakers, 20);
  assert.equal(breakers.retryIn('a'), 2_000);
});

test('CircuitBreakers: a cancelled probe passes to the next caller', () => {
  const { breakers } = openFor(5_000);
  assert.equal(breakers.retryIn('a'), 0);
  breakers.cancelProbe('a');
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: a clock that is set back extends no pause', () => {
  const { breakers } = openFor(-3_600_000);
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: isOpen never makes its caller the probe', () => {
  const { breakers, clock } = breakersAt();
  assert.equal(breakers.isOpen('a'), false);
  fail(breakers, 5);
  assert.equal(breakers.isOpen('a'), true);
  clock.now += 5_000;
  assert.equal(breakers.isOpen('a'), false);
  assert.equal(breakers.retryIn('a'), 0);
});

test('CircuitBreakers: evicts the circuit that failed the longest ago', () => {
  const { breakers } = breakersAt();
  fail(breakers, 5, 'first');
  fail(breakers, 5, 'again');
  for (let index = 0; index < 9_998; index += 1) breakers.failed(`other ${index}`);
  breakers.failed('again');
  breakers.failed('one more');
  assert.deepEqual([breakers.retryIn('first'), breakers.retryIn('again')], [0, 5_000]);
});
