import assert from 'node:assert/strict';
import type {
  CallPolicy,
  Transport,
  UpstreamAnswer,
  UpstreamRequest,
} from '../../../../../src/core/agents/connectors/call/transport.ts';
import type { TokenRequest } from '../../../../../src/core/agents/connectors/credentials/token-request.ts';
import { AccessTokens, type TokenParts } from '../../../../../src/core/agents/connectors/credentials/tokens.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
import { rejectionOf } from '../../../../outbound/support.ts';

export const SECRET = 's3cr:et/+ü';
export const STAYING = new AbortController().signal;

export function tokenRequest(change: Partial<TokenRequest> = {}, auth: Partial<TokenRequest['auth']> = {}) {
  return {
    policy: { tenantId: 'tenant', allowPrivateNetworks: [] },
    auth: {
      type: 'oauth2',
      tokenUrl: 'https://login.test/token',
      scopes: ['read', 'write'],
      clientAuthentication: 'basic',
      ...auth,
    },
    clientId: 'client 1',
    clientSecret: SECRET,
    version: 1,
    ...change,
  } satisfies TokenRequest;
}

/** The error of a rejected token request. */
export async function refusalOf(token: Promise<string>): Promise<RuntimeError> {
  const error = await rejectionOf(token);
  assert.ok(error instanceof RuntimeError, String(error.stack));
  return error;
}

export interface Endpoint {
  tokens: AccessTokens;
  /** The requests, in order. */
  asked: { policy: CallPolicy; request: UpstreamRequest }[];
  /** The clock of the cache, in epoch milliseconds. */
  clock: { now: number };
}

/** A token endpoint that answers by the number of the request. */
export function endpoint(
  answer: (count: number) => Promise<UpstreamAnswer> | UpstreamAnswer,
  parts: Partial<TokenParts> = {},
): Endpoint {
  const asked: Endpoint['asked'] = [];
  const clock = { now: 1_000_000 };
  const transport: Transport = {
    async send(policy, request) {
      asked.push({ policy, request });
      return answer(asked.length);
    },
  };
  return { tokens: new AccessTokens({ transport, effects: { now: () => clock.now }, ...parts }), asked, clock };
}

export function json(value: unknown, status = 200): UpstreamAnswer {
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { status, headers: { 'content-type': 'application/json' }, body };
}

export function issued(count: number, more: Record<string, unknown> = {}): UpstreamAnswer {
  return json({ access_token: `token-${count}`, token_type: 'Bearer', expires_in: 3_600, ...more });
}
