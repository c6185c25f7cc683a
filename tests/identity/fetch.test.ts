import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenedProvider } from '../../src/core/access/sso/relying-party.ts';
import { IdentityRequests } from '../../src/identity/fetch.ts';
import { startFaultyProvider } from '../support/identity/faulty-provider.ts';
import { LOOPBACK } from '../support/identity/workspace.ts';

const NETWORKS = LOOPBACK.split(',');
const provider = (members: Partial<OpenedProvider> = {}) =>
  ({ uid: 'p', revision: 1, tenantId: 't', ...members }) as OpenedProvider;

test('IdentityRequests: documents are read once, and again of another revision', async (t) => {
  const server = await startFaultyProvider(t);
  const requests = new IdentityRequests(NETWORKS);
  const read = async (revision: number) => {
    const fetch = requests.documentsFor(provider({ revision }), 60_000);
    return (await (await fetch(`${server.issuer}/keys`, {})).json()) as { keys: object[] };
  };
  const all = await Promise.all(Array.from({ length: 20 }, () => read(1)));
  assert.ok(all.every(({ keys }) => keys.length === 1));
  assert.equal(server.requests.length, 1);
  await read(2);
  assert.equal(server.requests.length, 2);
});

test('IdentityRequests: a failure counts for many, too', async (t) => {
  const server = await startFaultyProvider(t);
  server.faults = { respond: (_request, response) => Boolean(response.destroy()) };
  const fetch = new IdentityRequests(NETWORKS).documentsFor(provider(), 60_000);
  for (let count = 0; count < 5; count += 1) {
    await assert.rejects(fetch(`${server.issuer}/keys`, {}), { kind: 'unreachable' });
  }
  assert.equal(server.requests.length, 1);
});

test('IdentityRequests: private addresses only within the networks', async (t) => {
  const server = await startFaultyProvider(t);
  const { port } = new URL(server.issuer);
  const fetch = new IdentityRequests([]).fetchFor(provider());
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0', '169.254.169.254']) {
    const problem = { kind: 'unreachable', message: /not known, or not at a public address/ };
    await assert.rejects(fetch(`http://${host}:${port}/keys`, {}), problem, host);
  }
  assert.deepEqual(server.requests, []);
});

test('IdentityRequests: follows no redirect and reads no more than 512 KB', async (t) => {
  const server = await startFaultyProvider(t);
  const fetch = new IdentityRequests(NETWORKS).fetchFor(provider());
  server.faults = {
    respond: (request, response) => {
      if (request.url === '/huge') response.end(Buffer.alloc(600 * 1024));
      else response.writeHead(302, { location: '/elsewhere' }).end();
      return true;
    },
  };
  assert.equal((await fetch(`${server.issuer}/keys`, {})).status, 302);
  await assert.rejects(fetch(`${server.issuer}/huge`, {}), { kind: 'discovery' });
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['/keys', '/huge'],
  );
});

test('IdentityRequests: a provider that does not answer ends with the signal', async (t) => {
  const server = await startFaultyProvider(t);
  server.faults = { respond: () => true };
  const fetch = new IdentityRequests(NETWORKS).fetchFor(provider());
  const aborted = new AbortController();
  const asking = fetch(`${server.issuer}/keys`, { signal: aborted.signal });
  aborted.abort();
  await assert.rejects(asking, { kind: 'unreachable', message: /did not answer in time/ });
});
