import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { ProviderFault } from '../../../src/core/agents/chat/provider.ts';
import { closeDispatchers } from '../../../src/outbound/dispatchers.ts';
import { scopeOfThisFile } from '../../support/shared.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { API_KEY, type Asked, ask, BEDROCK, tell, watchRejections } from '../support.ts';

const scope = scopeOfThisFile();
const upstream = await fakeUpstream(scope);
watchRejections(scope);
scope.after(() => closeDispatchers());

const NOTHING = {
  AWS_CONFIG_FILE: '/nonexistent',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
};
const KEYS = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'of-the-environment' };

/** Sets the environment as AWS knows it, and nothing else of AWS; as it was after the test. */
function setAws(t: TestContext, variables: Record<string, string>): void {
  const before = { ...process.env };
  t.after(() => {
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    for (const [name, value] of Object.entries(before)) if (name.startsWith('AWS_')) process.env[name] = value;
  });
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, NOTHING, variables);
}

const sentHeaders = () => upstream.requests.at(-1)!.headers;

test('bedrock: an API key is a bearer token, whatever the environment has', async (t) => {
  setAws(t, { ...KEYS, AWS_BEARER_TOKEN_BEDROCK: 'of-the-environment' });
  assert.equal((await tell(BEDROCK, upstream, { connection: { region: 'eu-west-1' } })).fault, null);
  assert.equal(sentHeaders().authorization, `Bearer ${API_KEY}`);
  assert.doesNotMatch(JSON.stringify(sentHeaders()), /of-the-environment|AKIAEXAMPLE/);
});

test("bedrock: without a key requests are signed with the environment's credentials", async (t) => {
  setAws(t, { ...KEYS, AWS_REGION: 'us-west-2' });
  await tell(BEDROCK, upstream, { connection: { apiKey: null, region: 'eu-west-2', headers: { 'X-Team': 'orders' } } });
  const { authorization } = sentHeaders();
  assert.match(authorization!, /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d+\/eu-west-2\/bedrock\/aws4_request/);
  assert.match(authorization!, /SignedHeaders=[^,]*x-team/);
  assert.equal(sentHeaders()['x-team'], 'orders');
  await tell(BEDROCK, upstream, { connection: { apiKey: null, region: null } });
  assert.match(sentHeaders().authorization!, /\/us-west-2\/bedrock\//);
});

test('bedrock: an address in the environment is ignored', async (t) => {
  setAws(t, { AWS_ENDPOINT_URL: upstream.url });
  const before = upstream.requests.length;
  // An invalid region, so that nothing is sent to AWS either.
  const { fault } = await tell(BEDROCK, upstream, { connection: { baseUrl: null, region: 'xx-nowhere-1' } });
  assert.equal(fault?.kind, 'unavailable');
  assert.equal(upstream.requests.length, before);
});

test('bedrock: an HTML page instead of a stream allocates no memory', async () => {
  upstream.script({ fault: { type: 'html' } });
  const before = process.memoryUsage().arrayBuffers;
  assert.equal((await tell(BEDROCK, upstream)).fault?.kind, 'broken');
  // Its first bytes, read as a length, are a gigabyte.
  assert.ok(process.memoryUsage().arrayBuffers - before < 256 * 1024 * 1024);
  upstream.script({});
});

for (const [what, connection, told] of [
  ['credentials', { apiKey: null, region: 'sa-east-1' }, /^There are no AWS credentials here/],
  ['a region', { region: null }, /^region: .*AWS_REGION$/],
  ['a region that is one', { region: 'not a region' }, /^region: .*AWS_REGION$/],
] as [string, Asked['connection'], RegExp][]) {
  test(`bedrock: without ${what} nothing is sent, and the operator is told why`, async (t) => {
    setAws(t, {});
    const before = upstream.requests.length;
    const { fault } = await tell(BEDROCK, upstream, { connection });
    assert.equal(fault?.kind, 'credential');
    assert.match(fault!.message, told);
    assert.equal(upstream.requests.length, before);
  });
}

test("bedrock: credentials from AWS's chain are loaded once and cached", async (t) => {
  const { asked } = await credentialServer(t, true);
  for (let times = 0; times < 3; times++) {
    const { fault } = await tell(BEDROCK, upstream, { connection: { apiKey: null, region: 'eu-north-1' } });
    assert.equal(fault, null);
  }
  assert.match(sentHeaders().authorization!, /Credential=AKIAELSEWHERE\//);
  assert.equal(asked(), 1);
});

test('bedrock: an abort while credentials load rejects at once', async (t) => {
  const { whenAsked } = await credentialServer(t, false);
  const caller = new AbortController();
  const asking = ask(BEDROCK, upstream, {
    connection: { apiKey: null, region: 'eu-south-1' },
    signal: caller.signal,
  });
  await whenAsked;
  caller.abort();
  // The SDK would look on, and find none.
  await assert.rejects(asking, ({ name, kind }: ProviderFault) => name === 'ProviderFault' && kind !== 'credential');
});

test('bedrock: warnings about the request come with the first events', async () => {
  const { events } = await ask(BEDROCK, upstream, { temperature: 2 });
  const [first] = await Array.fromAsync(events);
  assert.equal(first![0]!.type, 'warning');
});

test("bedrock: an error instead of the first event loses the SDK's hint", async () => {
  upstream.script({ fault: { type: 'failure', after: 'headers' } });
  assert.equal((await tell(BEDROCK, upstream)).fault?.message, 'The service failed.');
});

async function credentialServer(t: TestContext, answers: boolean) {
  let count = 0;
  let tell = () => {};
  const whenAsked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = createServer((_, response) => {
    count += 1;
    tell();
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    const credentials = { AccessKeyId: 'AKIAELSEWHERE', SecretAccessKey: 'secret', Token: 'token', Expiration };
    if (answers) response.setHeader('content-type', 'application/json').end(JSON.stringify(credentials));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  setAws(t, { AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/credentials` });
  return { asked: () => count, whenAsked };
}
