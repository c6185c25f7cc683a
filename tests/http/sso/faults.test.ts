import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createLog } from '../../../src/logging/log.ts';
import { testApp } from '../../support/app.ts';
import {
  type Faults,
  type FaultyProvider,
  SUBJECT,
  startFaultyProvider,
} from '../../support/identity/faulty-provider.ts';
import { CLIENT, startProvider } from '../../support/identity/provider.ts';
import { CookieJar, placeOf, refusalOf, signIn, untilCallback, visit } from '../../support/identity/sign-in.ts';
import { addressesAt, defineProvider, LOOPBACK, somebody, whoIsIn } from '../../support/identity/workspace.ts';
import { rareTest } from '../../support/rare.ts';
import { appOfThisFile, scopeOfThisFile } from '../../support/shared.ts';

const sharedApp = appOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1', identityNetworks: LOOPBACK });
const scope = scopeOfThisFile();
let faulty: Promise<FaultyProvider> | undefined;

async function setUp(faults: Partial<Faults> = {}) {
  const app = await sharedApp();
  faulty ??= startFaultyProvider(scope);
  const provider = await faulty;
  // A new revision, so that no earlier discovery document counts.
  await defineProvider(app, { issuer: provider.issuer });
  provider.faults = faults;
  provider.requests.length = 0;
  return { app, provider };
}

const now = () => Math.floor(Date.now() / 1_000);

/** What a callback is refused with: a table of attacks and defects, whose times count from now. */
const faultTable = (): Record<string, [faults: Partial<Faults>, refused: string | null]> => ({
  'none at all': [{}, null],
  'wrong nonce': [{ idToken: { nonce: 'another' } }, 'untrusted'],
  'no nonce': [{ idToken: { nonce: undefined } }, 'untrusted'],
  'wrong audience': [{ idToken: { aud: 'another-client' } }, 'untrusted'],
  'several audiences without azp': [{ idToken: { aud: [CLIENT.clientId, 'another'] } }, 'untrusted'],
  'several audiences, another azp': [{ idToken: { aud: [CLIENT.clientId, 'another'], azp: 'another' } }, 'untrusted'],
  'wrong issuer in the token': [{ idToken: { iss: 'https://another.example' } }, 'untrusted'],
  'no subject': [{ idToken: { sub: undefined } }, 'untrusted'],
  'no time of issue': [{ idToken: { iat: undefined } }, 'untrusted'],
  'no expiry': [{ idToken: { exp: undefined } }, 'untrusted'],
  'mix-up: another issuer in the answer': [{ answer: { iss: 'https://another.example' } }, 'untrusted'],
  'mix-up: no issuer in the answer': [{ answer: { iss: null } }, 'untrusted'],
  'wrong state': [{ answer: { state: 'another' } }, 'expired'],
  'no state': [{ answer: { state: null } }, 'expired'],
  'no code': [{ answer: { code: null } }, 'untrusted'],
  'unknown code': [{ answer: { code: 'made-up' } }, 'untrusted'],
  'an ID token in the address': [{ answer: { id_token: 'a.b.c' } }, 'untrusted'],
  'the person refuses': [{ answer: { code: null, error: 'access_denied' } }, 'cancelled'],
  'another error': [{ answer: { code: null, error: 'invalid_scope' } }, 'misconfigured'],
  'signed with a foreign key': [{ signature: 'foreign key' }, 'untrusted'],
  'signed with an unknown key': [{ signature: 'unknown key' }, 'untrusted'],
  'a broken signature': [{ signature: 'broken' }, 'untrusted'],
  'signed with the client secret': [{ signature: 'secret' }, 'untrusted'],
  'not signed': [{ signature: 'none' }, 'untrusted'],
  'clock 50 s behind': [{ idToken: { iat: now() - 350, exp: now() - 50 } }, null],
  'clock 50 s ahead': [{ idToken: { iat: now() + 50, exp: now() + 350 } }, null],
  expired: [{ idToken: { iat: now() - 900, exp: now() - 300 } }, 'clock'],
  'from the future': [{ idToken: { iat: now() + 300, exp: now() + 900 } }, 'clock'],
  'not valid yet': [{ idToken: { nbf: now() + 300 } }, 'clock'],
  'an empty subject': [{ idToken: { sub: '', email: 'empty@corp.example', email_verified: true } }, 'untrusted'],
  'a blank subject': [
    { idToken: { sub: ' \t\u00a0', email: 'blank@corp.example', email_verified: true } },
    'untrusted',
  ],
  'an invisible subject': [
    { idToken: { sub: '\u200b\u0000', email: 'invisible@corp.example', email_verified: true } },
    'untrusted',
  ],
  'a subject that is a number': [{ idToken: { sub: 0 as never, email: 'zero@corp.example' } }, 'untrusted'],
  'a subject of 255 characters': [{ idToken: { sub: 's'.repeat(255), email: 'long@corp.example' } }, null],
  'a subject of 256 characters': [{ idToken: { sub: 's'.repeat(256), email: 'longer@corp.example' } }, 'untrusted'],
  'an e-mail that lower-cases to another': [
    { idToken: { sub: 'kelvin', email: '\u212Aim@corp.example', email_verified: true } },
    'no_email',
  ],
  'claims of wrong types': [
    { idToken: { email: { a: 1 } as never, sub: 'wrong-types', name: ['x'] as never } },
    'no_email',
  ],
  'an e-mail that is none': [{ idToken: { email: 'no e-mail at all', sub: 'no-email' } }, 'no_email'],
});

test('single sign-on: every fault of a provider is refused, small clock skew is not', async () => {
  for (const [name, [faults, expected]] of Object.entries(faultTable())) {
    const { app } = await setUp(faults);
    const { end, jar } = await signIn(app, 'corp');
    assert.equal(refusalOf(end), expected, name);
    assert.equal(jar.get('ar_session') === undefined, expected !== null, name);
    // An answer of another state must not end the login that waits.
    assert.equal(jar.get('ar_sso') !== undefined, expected === 'expired', name);
  }
});

type Respond = Faults['respond'];
const at =
  (path: string, answer: (response: ServerResponse, request: IncomingMessage) => unknown): Respond =>
  (request, response) => {
    if (!request.url?.startsWith(path)) return false;
    answer(response, request);
    return true;
  };

test('single sign-on: a provider that is down or defective leads to the login page', async () => {
  const huge = Buffer.alloc(600 * 1024, ' ');
  const cases: Record<string, [faults: Partial<Faults>, refused: string]> = {
    'discovery 503': [{ respond: at('/.well-known', (response) => response.writeHead(503).end()) }, 'unreachable'],
    'discovery 404': [{ respond: at('/.well-known', (response) => response.writeHead(404).end()) }, 'misconfigured'],
    'discovery cut off': [{ respond: at('/.well-known', (response) => response.destroy()) }, 'unreachable'],
    'discovery is HTML': [
      {
        respond: at('/.well-known', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')),
      },
      'misconfigured',
    ],
    'discovery is huge': [
      {
        respond: at('/.well-known', (response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(huge),
        ),
      },
      'misconfigured',
    ],
    'discovery redirects': [
      { respond: at('/.well-known', (response) => response.writeHead(302, { location: '/keys' }).end()) },
      'misconfigured',
    ],
    'discovery names another issuer': [{ discovery: { issuer: 'http://127.0.0.1:1' } }, 'misconfigured'],
    'token endpoint 500': [{ respond: at('/token', (response) => response.writeHead(500).end()) }, 'unreachable'],
    'token endpoint cut off': [{ respond: at('/token', (response) => response.destroy()) }, 'unreachable'],
    'keys 500': [{ respond: at('/keys', (response) => response.writeHead(500).end()) }, 'unreachable'],
    'keys are none': [
      { respond: at('/keys', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')) },
      'untrusted',
    ],
    'client is refused': [
      {
        respond: at('/token', (response) =>
          response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}'),
        ),
      },
      'misconfigured',
    ],
  };
  for (const [name, [faults, expected]] of Object.entries(cases)) {
    const { app } = await setUp(faults);
    const jar = new CookieJar();
    const start = await visit(jar, `${app.url}${placeOf(app.tenantId, 'corp')}/start`);
    const end = start.location.startsWith(app.url) ? start : (await signIn(app, 'corp')).end;
    assert.equal(refusalOf(end), expected, name);
  }
});

test('single sign-on: a code that was used is refused by the provider', async () => {
  const { app, provider } = await setUp();
  const { callback } = await signIn(app, 'corp');
  const { jar, callback: fresh } = await untilCallback(app, 'corp');
  const replayed = new URL(fresh);
  replayed.searchParams.set('code', new URL(callback).searchParams.get('code')!);
  assert.equal(refusalOf(await visit(jar, replayed.href)), 'untrusted');
  assert.equal(provider.requests.filter(({ path }) => path === '/token').length, 2);
});

test('single sign-on: rotated keys are read at once', async () => {
  const { app, provider } = await setUp();
  assert.equal(refusalOf((await signIn(app, 'corp')).end), null);
  await provider.rotate();
  assert.equal(refusalOf((await signIn(app, 'corp')).end), null);
});

test('single sign-on: an answer of one provider is refused at the address of another', async (t) => {
  const { app, provider } = await setUp();
  const other = await startFaultyProvider(t);
  await defineProvider(app, { id: 'other', issuer: other.issuer });
  const { jar, callback } = await untilCallback(app, 'corp');
  const moved = new URL(callback);
  moved.pathname = `${placeOf(app.tenantId, 'other')}/callback`;
  const cookie = jar.header(callback);
  assert.equal(refusalOf(await visit(new CookieJar(), moved.href, { headers: { cookie } })), 'expired');
  const { jar: own, callback: honest } = await untilCallback(app, 'other');
  const mixed = new URL(honest);
  mixed.searchParams.set('code', new URL(callback).searchParams.get('code')!);
  mixed.searchParams.set('iss', provider.issuer);
  assert.equal(refusalOf(await visit(own, mixed.href)), 'untrusted');
  assert.ok(!other.requests.some(({ path }) => path === '/token'), 'the code is sent to nobody');
});

test('single sign-on: an issuer that is changed has other people', async (t) => {
  const { app } = await setUp();
  const first = await signIn(app, 'corp');
  const { user } = await whoIsIn(app, first.jar);
  const takeover = await startFaultyProvider(t);
  await defineProvider(app, { issuer: takeover.issuer });
  const { end } = await signIn(app, 'corp');
  assert.equal(refusalOf(end), 'not_linked', `the subject ${SUBJECT} of another issuer is not ${user.id}`);
});

test('single sign-on: private addresses are refused unless the operator allows them', async (t) => {
  const provider = await startFaultyProvider(t);
  const app = await testApp(t, { rateLimit: 0 });
  await assert.rejects(defineProvider(app, { issuer: provider.issuer }), { code: 'unprocessable' });
  await defineProvider(app, { issuer: provider.issuer.replace('http:', 'https:') });
  const { location } = await visit(new CookieJar(), `${app.url}${placeOf(app.tenantId, 'corp')}/start`);
  assert.equal(new URL(location).searchParams.get('refused'), 'unreachable');
  assert.deepEqual(provider.requests, []);
});

test('single sign-on: secrets, codes and tokens reach no log', async (t) => {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => lines.push(line) });
  const app = await testApp(t, { rateLimit: 0, identityNetworks: LOOPBACK }, undefined, log);
  const provider = await startFaultyProvider(t);
  await defineProvider(app, { issuer: provider.issuer });
  const { jar, callback, end } = await signIn(app, 'corp');
  assert.equal(refusalOf(end), null);
  provider.faults = { idToken: { nonce: 'another' } };
  const failed = await signIn(app, 'corp');
  assert.equal(refusalOf(failed.end), 'untrusted');
  const all = lines.join('');
  assert.match(all, /single sign-on failed/);
  const secrets = [callback, failed.callback].flatMap((url) =>
    ['code', 'state'].map((name) => new URL(url).searchParams.get(name)!),
  );
  for (const secret of [...secrets, CLIENT.clientSecret, jar.get('ar_session')!, 'an-access-token']) {
    assert.ok(!all.includes(secret), secret);
  }
});

rareTest('single sign-on: a provider that comes back with new keys works again', async (t) => {
  const { app } = await setUp();
  const first = await startProvider(t, addressesAt(app));
  await defineProvider(app, { issuer: first.issuer });
  const person = somebody();
  await first.use(person);
  const { jar } = await signIn(app, 'corp');
  const { user } = await whoIsIn(app, jar);
  await first.end();
  const pending = await visit(new CookieJar(), `${app.url}${placeOf(app.tenantId, 'corp')}/start`);
  assert.equal(pending.status, 303, 'discovery is known, so the browser is led to a provider that does not answer');
  assert.equal((await whoIsIn(app, jar)).user.id, user.id, 'sessions go on');
  const again = await startProvider(t, { ...addressesAt(app), port: first.port });
  await again.use(person);
  assert.equal((await whoIsIn(app, (await signIn(app, 'corp')).jar)).user.id, user.id);
});
