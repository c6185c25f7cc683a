import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { OpenedProvider } from '../../src/core/access/sso/relying-party.ts';
import type { IdentityFetch, IdentityRequests } from '../../src/identity/fetch.ts';
import { OpenidRelyingParty } from '../../src/identity/relying-party.ts';

/* What no provider of a test can be: Microsoft and Google, whose answers are made here. */

const DIRECTORY = '0f0e0d0c-0b0a-4988-8766-554433221100';
const MICROSOFT = 'https://login.microsoftonline.com';
const SECRETS = { state: 's'.repeat(43), nonce: 'n'.repeat(43), codeVerifier: 'v'.repeat(43) };
const REDIRECT = 'https://here.example/callback';

function provider(members: Partial<OpenedProvider>): OpenedProvider {
  return {
    ...{
      uid: 'p',
      tenantId: 't',
      id: 'corp',
      sealedSecret: null,
      authority: 'ADMIN',
      revision: 1,
      createdAt: 0,
      updatedAt: 0,
    },
    ...{
      name: 'Corp',
      preset: 'other',
      issuer: '',
      clientId: 'client',
      clientAuthentication: 'auto',
      clientSecret: 'secret',
    },
    ...{ scopes: ['openid', 'email'], allowedDomains: [], allowedDirectories: [], roleClaim: null, roleMapping: [] },
    ...{
      defaultRole: null,
      createUsers: false,
      linkByEmail: false,
      enabled: true,
      mcp: false,
      tenantClaim: null,
      tenantMapping: [],
    },
    ...members,
  };
}

/** Answers as the provider at `base` would; discovery names `issuer`. */
async function answering(base: string, issuer: string, claims: object) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const asked: { url: string; body: string; authorization: string | null }[] = [];
  const fetch: IdentityFetch = async (url, init) => {
    const headers = new Headers(init.headers);
    asked.push({ url, body: String(init.body ?? ''), authorization: headers.get('authorization') });
    if (url.endsWith('/.well-known/openid-configuration')) {
      return Response.json({
        ...{
          issuer,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          jwks_uri: `${base}/keys`,
        },
        token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
      });
    }
    if (url.endsWith('/keys'))
      return Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' }] });
    const now = Math.floor(Date.now() / 1_000);
    const token = new SignJWT({ nonce: SECRETS.nonce, email: 'ada@corp.example', ...claims });
    token.setProtectedHeader({ alg: 'RS256', kid: 'k' }).setAudience('client').setSubject('ada');
    const id_token = await token
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .sign(privateKey);
    return Response.json({ access_token: 'a', token_type: 'Bearer', id_token });
  };
  const requests = { fetchFor: () => fetch, documentsFor: () => fetch } as unknown as IdentityRequests;
  return { party: new OpenidRelyingParty({ requests, now: Date.now }), asked };
}

const ANSWER = new URL(`${REDIRECT}?code=c&state=${SECRETS.state}`);

test('OpenidRelyingParty: an issuer of several directories names that of the person', async () => {
  const issuer = `${MICROSOFT}/organizations/v2.0`;
  const template = `${MICROSOFT}/{tenantid}/v2.0`;
  const right = { iss: `${MICROSOFT}/${DIRECTORY}/v2.0`, tid: DIRECTORY };
  const { party, asked } = await answering(`${MICROSOFT}/organizations`, template, right);
  const claims = await party.claims(provider({ issuer, preset: 'microsoft' }), ANSWER, SECRETS);
  assert.deepEqual([claims.iss, claims.tid, claims.sub], [right.iss, DIRECTORY, 'ada']);
  const token = asked.find(({ url }) => url.endsWith('/token'))!;
  assert.match(token.body, /client_secret=secret/);
  assert.equal(token.authorization, null);

  const wrong = await answering(`${MICROSOFT}/organizations`, template, { ...right, tid: DIRECTORY.replace('0', '1') });
  await assert.rejects(wrong.party.claims(provider({ issuer }), ANSWER, SECRETS), { kind: 'rejected' });
});

test('OpenidRelyingParty: asks Google for accounts of the only Workspace', async () => {
  const issuer = 'https://accounts.google.com';
  const { party } = await answering(issuer, issuer, {});
  const url = async (allowedDomains: string[]) =>
    (await party.authorizationUrl(provider({ issuer, allowedDomains }), REDIRECT, SECRETS)).searchParams.get('hd');
  assert.equal(await url(['corp.example']), 'corp.example');
  assert.equal(await url(['corp.example', 'other.example']), null);
  assert.equal(await url([]), null);
});

test('OpenidRelyingParty: sends the secret as the provider is set up to', async () => {
  const issuer = 'https://login.example.com';
  const sentBy = async (members: Partial<OpenedProvider>) => {
    const { party, asked } = await answering(issuer, issuer, { iss: issuer });
    await party.claims(provider({ issuer, ...members }), ANSWER, SECRETS);
    const { body, authorization } = asked.find(({ url }) => url.endsWith('/token'))!;
    return [new URLSearchParams(body).get('client_secret'), authorization];
  };
  assert.deepEqual(await sentBy({}), ['secret', null]);
  assert.deepEqual(await sentBy({ clientAuthentication: 'basic' }), [null, `Basic ${btoa('client:secret')}`]);
  assert.deepEqual(await sentBy({ clientSecret: null }), [null, null]);
});

test('OpenidRelyingParty: leads browsers to https addresses alone', async () => {
  const issuer = 'https://login.example.com';
  for (const base of ['javascript:alert(1)//', 'http://login.example.com', 'data:text/html,']) {
    const { party } = await answering(base, issuer, {});
    await assert.rejects(party.authorizationUrl(provider({ issuer }), REDIRECT, SECRETS), { kind: 'discovery' }, base);
  }
});
