import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { exportJWK, exportSPKI, type JWTPayload, SignJWT } from 'jose';
import { createLog } from '../../../src/logging/log.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { type FaultyProvider, startFaultyProvider } from '../../support/identity/faulty-provider.ts';
import { idJagClaims, JWT_BEARER, redeem, signed, TYP } from '../../support/identity/id-jag.ts';
import { defineProvider, LOOPBACK } from '../../support/identity/workspace.ts';
import { registerClient } from '../../support/oauth.ts';
import { changeUser, newUser } from '../../support/people.ts';
import { scopeOfThisFile } from '../../support/shared.ts';

/* Assertions that are forged, used before, or meant for others: each is refused for a reason of its own. */

interface Stage {
  app: TestApp;
  /** Of the provider `corp`. */
  issuer: FaultyProvider;
  /** Of the provider `other`. */
  other: FaultyProvider;
  clientId: string;
  /** Reasons of the server's log. */
  reasons: string[];
  claims(members?: JWTPayload): JWTPayload;
}

const scope = scopeOfThisFile();
let begun: Promise<Stage> | undefined;

function stage(): Promise<Stage> {
  begun ??= begin();
  return begun;
}

async function begin(): Promise<Stage> {
  const reasons: string[] = [];
  const log = createLog('warn', { write: (line) => void reasons.push(JSON.parse(line).reason) });
  const app = await testApp(scope, { rateLimit: 0, identityNetworks: LOOPBACK }, undefined, log);
  const [issuer, other] = [await startFaultyProvider(scope), await startFaultyProvider(scope)];
  await defineProvider(app, { issuer: issuer.issuer, mcp: true });
  await defineProvider(app, { id: 'other', issuer: other.issuer, mcp: true });
  const clientId = (await registerClient(app)).body.client_id;
  // Undefined leaves a claim out.
  const claims = (members = {}) =>
    JSON.parse(JSON.stringify({ ...idJagClaims(app, issuer.issuer, clientId), ...members }));
  return { app, issuer, other, clientId, reasons, claims };
}

const now = () => Math.floor(Date.now() / 1_000);
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const UNTRUSTED = /^assertion: no identity provider that logs people in here has signed it/;

type Case = [assertion: (stage: Stage) => string | Promise<string>, reason: RegExp];

/** Nothing that an assertion says counts before its signature: strangers learn from none of these who is trusted. */
const unsigned: Record<string, Case> = {
  'alg none': [
    ({ claims }) => `${encoded({ alg: 'none', typ: TYP })}.${encoded(claims())}.`,
    /ERR_JOSE_ALG_NOT_ALLOWED/,
  ],
  'HS256 with the public key': [
    async ({ issuer, claims }) => {
      const text = `${encoded({ alg: 'HS256', typ: TYP, kid: issuer.keys().kid })}.${encoded(claims())}`;
      const spki = await exportSPKI(issuer.keys().publicKey);
      return `${text}.${createHmac('sha256', spki).update(text).digest('base64url')}`;
    },
    /ERR_JOSE_ALG_NOT_ALLOWED/,
  ],
  'the key of another configured issuer': [({ other, claims }) => signed(other, claims()), /ERR_JWKS_NO_MATCHING_KEY/],
  'that key under the kid of the issuer': [
    ({ issuer, other, claims }) => signed(other, claims(), { kid: issuer.keys().kid }),
    /ERR_JWS_SIGNATURE_VERIFICATION_FAILED/,
  ],
  'a changed claim': [
    async ({ issuer, claims }) => {
      const [head, , signature] = (await signed(issuer, claims())).split('.');
      return `${head}.${encoded(claims({ sub: 'somebody-else' }))}.${signature}`;
    },
    /ERR_JWS_SIGNATURE_VERIFICATION_FAILED/,
  ],
  'an unknown kid': [({ issuer, claims }) => signed(issuer, claims(), { kid: 'unknown' }), /ERR_JWKS_NO_MATCHING_KEY/],
  'an embedded jwk': [
    async ({ other, claims }) =>
      signed(other, claims(), { kid: undefined as never, jwk: await exportJWK(other.keys().publicKey) }),
    /ERR_JWS_SIGNATURE_VERIFICATION_FAILED/,
  ],
  'a jku of its own': [
    ({ other, claims }) => signed(other, claims(), { jku: `${other.issuer}/keys` }),
    /ERR_JWKS_NO_MATCHING_KEY/,
  ],
  'an unknown critical header': [
    ({ issuer, claims }) => {
      const { kid, privateKey } = issuer.keys();
      const header = { alg: 'RS256', typ: TYP, kid, crit: ['exp'], exp: 1 };
      return new SignJWT(claims()).setProtectedHeader(header).sign(privateKey, { crit: { exp: true } });
    },
    /ERR_JOSE_NOT_SUPPORTED/,
  ],
  'an encrypted one': [
    ({ claims }) => `${encoded({ alg: 'dir', enc: 'A256GCM' })}.${encoded(claims())}.a.b.c`,
    /ERR_JWS_INVALID/,
  ],
  'one within another': [
    async ({ issuer, claims }) => {
      const inner = await signed(issuer, claims());
      return `${encoded({ alg: 'RS256', typ: TYP, cty: 'JWT' })}.${encoded({ ...claims(), jwt: inner })}.${'A'.repeat(342)}`;
    },
    /ERR_JWS_SIGNATURE_VERIFICATION_FAILED/,
  ],
  'an unknown issuer': [
    ({ issuer, claims }) => signed(issuer, claims({ iss: 'https://unknown.example' })),
    /no enabled identity provider has this issuer/,
  ],
};

/** Well signed: the answer names the claim. The reason in the log is the same text. */
const misdirected: Record<string, Case> = {
  'the issuer of another provider': [
    ({ other, issuer, claims }) => signed(other, claims({ iss: `${issuer.issuer}/` })),
    UNTRUSTED,
  ],
  'another typ': [({ issuer, claims }) => signed(issuer, claims(), { typ: 'JWT' }), /typ: must be oauth-id-jag\+jwt/],
  'no typ': [({ issuer, claims }) => signed(issuer, claims(), { typ: undefined as never }), /typ: must be/],
  'an ID token': [
    ({ issuer, claims }) => signed(issuer, claims({ aud: 'agent-runtime' }), { typ: undefined as never }),
    /typ: must be/,
  ],
  'an iss with a slash more': [
    ({ issuer, claims }) => signed(issuer, claims({ iss: `${issuer.issuer}/` })),
    /iss: must be/,
  ],
  expired: [
    ({ issuer, claims }) => signed(issuer, claims({ iat: now() - 400, exp: now() - 61 })),
    /exp: the assertion has expired/,
  ],
  'from the future': [
    ({ issuer, claims }) => signed(issuer, claims({ iat: now() + 90, exp: now() + 300 })),
    /iat: is in the future/,
  ],
  'not yet valid': [
    ({ issuer, claims }) => signed(issuer, claims({ nbf: now() + 90 })),
    /nbf: the assertion is not valid yet/,
  ],
  'an nbf that is a text': [
    ({ issuer, claims }) => signed(issuer, claims({ nbf: 'now' as never })),
    /nbf: must be a time/,
  ],
  'valid for too long': [
    ({ issuer, claims }) => signed(issuer, claims({ exp: now() + 3_700 })),
    /exp: must be at most 3600 seconds/,
  ],
  'without exp': [({ issuer, claims }) => signed(issuer, claims({ exp: undefined })), /exp, iat: must both be times/],
  'without iat': [({ issuer, claims }) => signed(issuer, claims({ iat: undefined })), /exp, iat: must both be times/],
  'for another server': [
    ({ issuer, claims }) => signed(issuer, claims({ aud: 'https://elsewhere.example' })),
    /aud: must be http/,
  ],
  'for several servers': [
    ({ app, issuer, claims }) => signed(issuer, claims({ aud: [app.url, 'https://elsewhere.example'] })),
    /aud: must be http/,
  ],
  'without aud': [({ issuer, claims }) => signed(issuer, claims({ aud: undefined })), /aud: must be http/],
  'for the REST API': [
    ({ app, issuer, claims }) => signed(issuer, claims({ resource: `${app.url}/api` })),
    /resource: must be http/,
  ],
  'for another resource': [
    ({ issuer, claims }) => signed(issuer, claims({ resource: 'https://elsewhere.example/mcp' })),
    /resource: must be http/,
  ],
  'without resource': [
    ({ issuer, claims }) => signed(issuer, claims({ resource: undefined })),
    /resource: must be http/,
  ],
  'of another client': [
    async ({ app, issuer, claims }) =>
      signed(issuer, claims({ client_id: (await registerClient(app)).body.client_id })),
    /client_id: must be the client/,
  ],
  'without client_id': [({ issuer, claims }) => signed(issuer, claims({ client_id: undefined })), /client_id: must be/],
  'without jti': [({ issuer, claims }) => signed(issuer, claims({ jti: undefined })), /jti: must be there/],
  'without sub': [({ issuer, claims }) => signed(issuer, claims({ sub: undefined })), /sub: must name the person/],
  'a scope that is a list': [
    ({ issuer, claims }) => signed(issuer, claims({ scope: ['mcp:read'] })),
    /scope: must be a text/,
  ],
  'bound to a key': [
    ({ issuer, claims }) => signed(issuer, claims({ cnf: { jkt: 'a' } })),
    /cnf: it is bound to a key/,
  ],
  'with details of what is allowed': [
    ({ issuer, claims }) => signed(issuer, claims({ authorization_details: [{ type: 'card' }] })),
    /authorization_details: are not understood/,
  ],
  'of a tenant of the issuer': [
    ({ issuer, claims }) => signed(issuer, claims({ tenant: 'another' })),
    /\(tenant, aud_tenant\) mean no tenant/,
  ],
  'for another tenant': [
    ({ issuer, claims }) => signed(issuer, claims({ aud_tenant: 'another' })),
    /aud_tenant\) mean no tenant/,
  ],
  'too long': [
    ({ issuer, claims }) => signed(issuer, claims({ filler: 'x'.repeat(16_000) })),
    /at most 16000 characters/,
  ],
  'no JWT at all': [() => 'not a token', /is not a signed JWT/],
};

async function refuses(
  { app, clientId, reasons }: Stage,
  assertion: string,
  answer: RegExp,
  reason: RegExp,
  name: string,
) {
  reasons.length = 0;
  const { status, body } = await redeem(app, clientId, assertion);
  assert.deepEqual([status, body.error], [400, 'invalid_grant'], `${name}: ${JSON.stringify(body)}`);
  assert.match(body.error_description, answer, name);
  // RFC 6749, 5.2: neither quotes nor backslashes.
  assert.match(body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, name);
  assert.equal(reasons.length, 1, name);
  assert.match(reasons[0]!, reason, name);
}

test('ID-JAG: one that is right gives a token', async () => {
  const { app, issuer, clientId, claims } = await stage();
  const { status, body } = await redeem(app, clientId, await signed(issuer, claims()));
  assert.equal(status, 200, JSON.stringify(body));
  // Small differences of clocks, and other ways to write the same, are no forgeries.
  const { id: tenantId } = await app.runtime.tenants.get('default');
  const others: Promise<string>[] = [
    signed(issuer, claims({ iat: now() + 50, nbf: now() + 50 })),
    signed(issuer, claims({ iat: now() - 350, exp: now() - 50 })),
    signed(issuer, claims({ aud: [`${app.url}/`], resource: [`${app.url}/mcp/`] })),
    signed(issuer, claims(), { typ: `application/${TYP}` }),
    signed(issuer, claims({ aud_tenant: tenantId })),
  ];
  for (const [index, assertion] of others.entries()) {
    const again = await redeem(app, clientId, await assertion);
    assert.equal(again.status, 200, JSON.stringify([index, again.body]));
  }
});

test('ID-JAG: without a good signature each gets the same answer', async () => {
  const all = await stage();
  for (const [name, [make, reason]] of Object.entries(unsigned))
    await refuses(all, await make(all), UNTRUSTED, reason, name);
});

test('ID-JAG: misdirected ones are refused by the claim that is wrong', async () => {
  const all = await stage();
  for (const [name, [make, reason]] of Object.entries(misdirected)) {
    const isUntrusted = reason === UNTRUSTED;
    await refuses(all, await make(all), reason, isUntrusted ? /ERR_JWKS_NO_MATCHING_KEY/ : reason, name);
  }
});

test('ID-JAG: each works once, also of many requests at the same time', async () => {
  const all = await stage();
  const { app, issuer, clientId, claims } = all;
  const assertion = await signed(issuer, claims());
  const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(app, clientId, assertion)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400]);
  await refuses(all, assertion, /jti: was used already/, /jti: was used already/, 'replayed');
  const { jti } = claims();
  assert.equal((await redeem(app, clientId, await signed(issuer, claims({ jti })))).status, 200);
  const other = await signed(issuer, claims({ jti, sub: 'person-2' }));
  await refuses(all, other, /jti: was used already/, /jti/, 'the jti of another assertion');
});

test('ID-JAG: the request names one assertion, and no other resource', async () => {
  const { app, issuer, clientId, claims } = await stage();
  const assertion = await signed(issuer, claims());
  const form = (pairs: [string, string][]) =>
    app.request('POST', '/oauth/token', String(new URLSearchParams(pairs)), {
      'x-api-key': '',
      'content-type': 'application/x-www-form-urlencoded',
    });
  const start: [string, string][] = [
    ['grant_type', JWT_BEARER],
    ['client_id', clientId],
  ];
  const twice = await form([...start, ['assertion', assertion], ['assertion', assertion]]);
  assert.deepEqual([twice.status, twice.body.error], [400, 'invalid_request']);
  const none = await form(start);
  assert.deepEqual([none.status, none.body.error], [400, 'invalid_request']);
  assert.match(none.body.error_description, /assertion/);
  const foreign = await redeem(app, clientId, assertion, { resource: `${app.url}/api` });
  assert.deepEqual([foreign.status, foreign.body.error], [400, 'invalid_target']);
  const unknown = await redeem(app, 'an-unknown-client', assertion);
  assert.deepEqual([unknown.status, unknown.body.error], [401, 'invalid_client']);
  assert.equal((await redeem(app, clientId, assertion, { resource: `${app.url}/mcp` })).status, 200);
});

test('ID-JAG: people whom a login would refuse are refused', async () => {
  const all = await stage();
  const { app, issuer, clientId, claims } = all;
  const leaver = await newUser(app, { email: 'leaver@corp.example' });
  await defineProvider(app, { issuer: issuer.issuer, mcp: true, allowedDomains: ['corp.example'] });
  const of = (sub: string, members: JWTPayload = {}) =>
    signed(issuer, claims({ sub, email: `${sub}@corp.example`, ...members }));
  assert.equal((await redeem(app, clientId, await of('leaver'))).status, 200, 'linked by the verified e-mail');
  await changeUser(app, leaver.id, { isActive: false });
  await refuses(all, await of('leaver'), /person cannot log in here/, /^deactivated$/, 'deactivated');
  await refuses(
    all,
    await of('stranger', { email: 's@elsewhere.example' }),
    /e-mail domain/,
    /another e-mail domain/,
    'domain',
  );
  await newUser(app, { email: 'taken@corp.example' });
  await refuses(all, await of('taken', { email_verified: undefined }), /e-mail/, /no verified e-mail/, 'not verified');
  await defineProvider(app, { issuer: issuer.issuer, mcp: true, createUsers: false });
  await refuses(all, await of('nobody'), /no user of this e-mail/, /no user of this e-mail/, 'unknown');
  await refuses(all, await of('nobody', { email: undefined }), /e-mail/, /without a verified e-mail/, 'no e-mail');
  const groups = { roleClaim: 'groups', roleMapping: [{ value: 'staff', role: 'USER' as const }], defaultRole: null };
  await defineProvider(app, { issuer: issuer.issuer, mcp: true, ...groups });
  await refuses(all, await of('newcomer', { groups: ['others'] }), /no role/, /no role for the claims/, 'no role');
});

test('ID-JAG: a provider must be there, enabled, and allowed', async () => {
  const all = await stage();
  const { app, issuer, claims } = all;
  const { identityProviders } = app.runtime;
  const make = () => signed(issuer, claims());
  await defineProvider(app, { issuer: issuer.issuer, mcp: false });
  await refuses(all, await make(), /corp may not let MCP clients act/, /\(enabled, mcp\)/, 'without mcp');
  await defineProvider(app, { issuer: issuer.issuer, mcp: true, enabled: false });
  await refuses(all, await make(), UNTRUSTED, /no enabled identity provider/, 'disabled');
  await identityProviders.remove(app.tenantId, 'corp', null);
  await refuses(all, await make(), UNTRUSTED, /no enabled identity provider/, 'removed');
  await defineProvider(app, { issuer: issuer.issuer, mcp: true });
});
