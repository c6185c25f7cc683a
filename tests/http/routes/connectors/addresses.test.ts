import assert from 'node:assert/strict';
import dns from 'node:dns';
import { mock, type TestContext, test } from 'node:test';
import { LEAD_TO_LOOPBACK, LEAD_WITHIN } from '../../../outbound/hosts.ts';
import type { TestApp } from '../../../support/app.ts';
import { administratorOf } from '../../../support/connectors.ts';
import { call, petsAt, startApi } from '../../../support/outside-api.ts';

/** Answers of the fake name server. */
const NAMES: Record<string, string[]> = {
  'inside.test': ['127.0.0.1'],
  'localhost.inside.test': ['127.0.0.1'],
  'partly.inside.test': ['93.184.216.34', '127.0.0.1'],
  'six.inside.test': ['::1'],
  'mapped.inside.test': ['::ffff:127.0.0.1'],
  'metadata.inside.test': ['169.254.169.254'],
  'ten.inside.test': ['10.0.0.1'],
};

const realLookup = dns.lookup;
mock.method(dns, 'lookup', (host: string, options: dns.LookupOptions, callback: (...answer: unknown[]) => void) => {
  const addresses = NAMES[host.replace(/\.$/, '')]?.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  if (addresses) return process.nextTick(callback, null, addresses);
  if (host.endsWith('.test')) return process.nextTick(callback, Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
  return realLookup(host, options, callback as never);
});

const GET = { resource: 'getPet', data: { petId: 1 }, options: { timeout: 5_000 } };

/** A server with the fake lookup, which it reads when it is loaded. */
async function startApp(t: TestContext): Promise<TestApp> {
  const { testApp } = await import('../../../support/app.ts');
  return testApp(t);
}

/** The messages of the portal's refusal; null: the definition is applied. */
async function refusalOf({ runtime, tenantId }: TestApp, definition: object): Promise<string | null> {
  return runtime.connectors.apply(tenantId, definition, administratorOf(tenantId)).then(
    () => null,
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  );
}

const without = (definition: object) => ({ ...definition, allowPrivateNetworks: [] });

test('POST /connectors: no name or address form reaches a private network', async (t) => {
  const [app, canary] = [await startApp(t), await startApi(t)];
  const { port } = new URL(canary.url);
  const outcomes = { refused: 0, blocked: 0 };
  for (const host of [...LEAD_TO_LOOPBACK, ...LEAD_WITHIN, ...Object.keys(NAMES), 'inside.test.', 'INSIDE.test']) {
    const definition = without(petsAt(`http://${host}:${port}`, { retry: { attempts: 1 } }));
    const refusal = await refusalOf(app, definition);
    if (refusal !== null) {
      assert.match(refusal, /^invalid: .*environments\.production\.baseUrl: /, host);
      outcomes.refused += 1;
      continue;
    }
    const { status, body } = await call(app, GET);
    assert.equal(status, 502, `${host} ${JSON.stringify(body)}`);
    assert.match(
      body.error,
      /is not known, or not at a public address; only the operator may allow others .*[^.]\.$/,
      host,
    );
    assert.doesNotMatch(body.error, /127\.0|169\.254|10\.0/, host);
    outcomes.blocked += 1;
    await app.runtime.connectors.remove(app.tenantId, 'pets', null);
  }
  t.diagnostic(JSON.stringify(outcomes));
  assert.ok(outcomes.refused > 40 && outcomes.blocked >= Object.keys(NAMES).length);
  assert.equal(canary.asked.length, 0);
});

test('POST /connectors: private and unknown names have the same message', async (t) => {
  const app = await startApp(t);
  const errors = [];
  for (const host of ['inside.test', 'nobody.test']) {
    await app.runtime.connectors.apply(app.tenantId, without(petsAt(`http://${host}`)), administratorOf(app.tenantId));
    const { status, body } = await call(app, GET);
    errors.push(`${status} ${body.error.replaceAll(host, 'HOST')} ${body.metadata.attempts}`);
  }
  assert.equal(errors[0], errors[1]);
});

test('PUT /connectors: an administrator cannot allow private networks', async (t) => {
  const [app, canary] = [await startApp(t), await startApi(t)];
  const { port } = new URL(canary.url);
  assert.match((await refusalOf(app, petsAt(canary.url)))!, /allowPrivateNetworks: is only for the operator/);
  await app.runtime.credentials.set(
    app.tenantId,
    { name: 'shop', username: 'me', secret: 'client-s3cret', hosts: ['api.example.com', 'inside.test'] },
    null,
  );
  for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', '169.254.169.254', 'inside.test']) {
    const definition = petsAt('https://api.example.com', {
      environments: { production: { baseUrl: 'https://api.example.com', secret: { credential: 'shop' } } },
      auth: { type: 'oauth2', tokenUrl: `http://${host}:${port}/token` },
      ...{ credentials: ['shop'], allowPrivateNetworks: [] },
    });
    const refusal = await refusalOf(app, definition);
    if (refusal !== null) {
      assert.match(refusal, /auth\.tokenUrl: is in a private network/, host);
      continue;
    }
    assert.equal(host, 'inside.test');
    const { status, body } = await call(app, GET);
    assert.equal(status, 502);
    assert.match(
      body.error,
      /^No access token: the server of tokenUrl \(inside\.test:\d+\) is not known, or not where it may be reached/,
    );
  }
  assert.equal(canary.asked.length, 0);
});
