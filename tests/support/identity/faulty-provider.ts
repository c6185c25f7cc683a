import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { CLIENT } from './provider.ts';

/*
 * An identity provider that does what no library's does: each member of `faults` changes one of its answers. By default
 * all are right.
 */

export interface Faults {
  /** Members in place of those of the ID token; undefined leaves one out. */
  idToken: JWTPayload;
  /** Of the ID token: signed with a key that the key set does not have under the id, with the secret, or not at all. */
  signature: 'right' | 'foreign key' | 'unknown key' | 'secret' | 'none' | 'broken';
  /** Members in place of those of the discovery document. */
  discovery: Record<string, unknown>;
  /** Parameters in place of those of the answer at the redirect URI; null leaves one out. */
  answer: Record<string, string | null>;
  /** In place of an answer: of every path, or of those that it begins with. */
  respond: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface FaultyProvider {
  issuer: string;
  faults: Partial<Faults>;
  /** Paths that were asked for, with their bodies. */
  requests: { path: string; body: string }[];
  /** Those of the key set, to sign whatever a test wants. */
  keys(): Keys;
  /** New keys; the key set has the new one alone. */
  rotate(): Promise<void>;
  /** A logout token; members in place of its own. */
  logoutToken(claims: JWTPayload, options?: { signature?: Faults['signature']; typ?: string }): Promise<string>;
  close(): Promise<void>;
}

export interface Keys {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

async function newKeys(): Promise<Keys> {
  return { kid: randomUUID(), ...(await generateKeyPair('RS256', { extractable: true })) };
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
export const SUBJECT = 'faulty-person';

export async function startFaultyProvider(t: Pick<TestContext, 'after'>, port = 0): Promise<FaultyProvider> {
  let keys = await newKeys();
  const foreign = await newKeys();
  const codes = new Map<string, { nonce: string }>();
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sign = async (claims: JWTPayload, signature: Faults['signature'], typ?: string): Promise<string> => {
    const header = { ...(typ === undefined ? {} : { typ }) };
    const token = new SignJWT(claims);
    if (signature === 'secret') {
      return token.setProtectedHeader({ ...header, alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT.clientSecret));
    }
    if (signature === 'none') {
      const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
      return `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`;
    }
    const kid = signature === 'unknown key' ? 'unknown' : keys.kid;
    const key = signature === 'foreign key' || signature === 'unknown key' ? foreign : keys;
    const signed = await token.setProtectedHeader({ ...header, alg: 'RS256', kid }).sign(key.privateKey);
    if (signature !== 'broken') return signed;
    const [head, body, tail = ''] = signed.split('.');
    return `${head}.${body}.${tail.startsWith('A') ? 'B' : 'A'}${tail.slice(1)}`;
  };

  const provider: FaultyProvider = {
    issuer,
    faults: {},
    requests: [],
    keys: () => keys,
    rotate: async () => {
      keys = await newKeys();
    },
    logoutToken: (claims, { signature = 'right', typ = 'logout+jwt' } = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const own = {
        iss: issuer,
        aud: CLIENT.clientId,
        iat: now,
        exp: now + 120,
        jti: randomUUID(),
        events: { [EVENT]: {} },
      };
      return sign({ ...own, ...claims }, signature, typ);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  t.after(() => provider.close());

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    const body = await text(request);
    provider.requests.push({ path: pathname, body });
    const { faults } = provider;
    if (faults.respond?.(request, response)) return;
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (pathname === '/.well-known/openid-configuration') {
      json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        authorization_response_iss_parameter_supported: true,
        ...faults.discovery,
      });
    } else if (pathname === '/keys') {
      json({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: keys.kid, alg: 'RS256', use: 'sig' }] });
    } else if (pathname === '/authorize') {
      const code = randomUUID();
      codes.set(code, { nonce: searchParams.get('nonce') ?? '' });
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      const given = { code, state: searchParams.get('state'), iss: issuer, ...faults.answer };
      for (const [name, value] of Object.entries(given)) if (value !== null) back.searchParams.set(name, value);
      response.writeHead(303, { location: back.href }).end();
    } else if (pathname === '/token') {
      const form = new URLSearchParams(body);
      const known = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      if (form.get('client_secret') !== CLIENT.clientSecret) return void json({ error: 'invalid_client' }, 401);
      if (!known) return void json({ error: 'invalid_grant' }, 400);
      const now = Math.floor(Date.now() / 1_000);
      const claims = {
        ...{ iss: issuer, aud: CLIENT.clientId, sub: SUBJECT, iat: now, exp: now + 300, nonce: known.nonce },
        ...{ email: 'faulty@corp.example', email_verified: true, name: 'Faulty', sid: 'session-1' },
        ...faults.idToken,
      };
      const idToken = await sign(claims, faults.signature ?? 'right');
      json({ access_token: 'an-access-token', token_type: 'Bearer', expires_in: 300, id_token: idToken });
    } else json({ error: 'not_found' }, 404);
  }
  return provider;
}
