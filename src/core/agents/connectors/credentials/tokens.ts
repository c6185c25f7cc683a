import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { abortable } from '../../../base/concurrency/timers.ts';
import type { Effects } from '../../../base/shared/effects.ts';
import { RuntimeError } from '../../../base/shared/errors.ts';
import { type Transport, TransportFault } from '../call/transport.ts';
import { issuedToken, refusal, type TokenRequest, tokenRequestOf } from './token-request.ts';

const REQUEST_MS = 10_000;
/** Calls fail without another request for so long after a failure. */
const PAUSE_MS = 1_000;
const MAX_MARGIN_MS = 60_000;
const MAX_TOKENS = 10_000;

export interface TokenParts {
  transport: Transport;
  effects: Pick<Effects, 'now'>;
  timeoutMs?: number;
  maxTokens?: number;
}

/** Times are epoch milliseconds. */
interface Entry {
  token: string | null;
  renewAt: number;
  expiresAt: number;
  pending: Promise<string> | null;
  failure: { error: unknown; until: number } | null;
}

/** An LRU cache of OAuth 2 access tokens, with single-flight requests. */
export class AccessTokens {
  private readonly transport: Transport;
  private readonly effects: Pick<Effects, 'now'>;
  private readonly timeoutMs: number;
  private readonly entries: LRUCache<string, Entry>;

  constructor({ transport, effects, timeoutMs = REQUEST_MS, maxTokens = MAX_TOKENS }: TokenParts) {
    this.transport = transport;
    this.effects = effects;
    this.timeoutMs = timeoutMs;
    this.entries = new LRUCache({ max: maxTokens });
  }

  /** Rejects with a RuntimeError or the signal's reason, which does not cancel a shared request. */
  async tokenFor(request: TokenRequest, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const entry = this.entryOf(keyOf(request));
    const now = this.effects.now();
    const isFresh = entry.token !== null && now < entry.renewAt;
    if (!isFresh && !isPaused(entry, now)) this.startRenewal(entry, request);
    if (entry.token !== null && now < entry.expiresAt) return entry.token;
    if (entry.pending === null) throw entry.failure?.error;
    return abortable(entry.pending, signal);
  }

  /** After the API refused the token. A newer token stays. */
  forget(request: TokenRequest, token: string): void {
    const entry = this.entries.get(keyOf(request));
    if (entry?.token === token) entry.token = null;
  }

  private entryOf(key: string): Entry {
    const cached = this.entries.get(key);
    if (cached) return cached;
    const entry: Entry = { token: null, renewAt: 0, expiresAt: 0, pending: null, failure: null };
    this.entries.set(key, entry);
    return entry;
  }

  private startRenewal(entry: Entry, request: TokenRequest): void {
    entry.pending ??= this.renew(entry, request).finally(() => {
      entry.pending = null;
    });
    // While the old token is valid, no caller awaits the new one.
    entry.pending.catch(() => {});
  }

  private async renew(entry: Entry, request: TokenRequest): Promise<string> {
    const requestedAt = this.effects.now();
    try {
      const { token, lifetimeMs } = await this.request(request);
      entry.token = token;
      entry.expiresAt = requestedAt + lifetimeMs;
      entry.renewAt = entry.expiresAt - Math.min(MAX_MARGIN_MS, lifetimeMs / 10);
      entry.failure = null;
      return token;
    } catch (error) {
      entry.failure = { error, until: this.effects.now() + PAUSE_MS };
      throw error;
    }
  }

  private async request(request: TokenRequest) {
    const timeout = AbortSignal.timeout(this.timeoutMs);
    try {
      return issuedToken(await this.transport.send(request.policy, tokenRequestOf(request, timeout)), request);
    } catch (error) {
      if (timeout.aborted) throw timeoutError(this.timeoutMs, error);
      throw error instanceof TransportFault ? refusal(FAULTS[error.kind], request, error) : error;
    }
  }
}

function isPaused({ failure }: Entry, now: number): boolean {
  return failure !== null && now < failure.until;
}

/** Hashes the secret, too, so that the key does not disclose it. */
function keyOf({ policy, auth, clientId, clientSecret, version }: TokenRequest): string {
  const { tokenUrl, scopes, audience = null, clientAuthentication } = auth;
  const { tenantId, allowPrivateNetworks } = policy;
  const client = [clientId, clientSecret, version, clientAuthentication];
  const parts = [tenantId, allowPrivateNetworks, tokenUrl, client, scopes, audience];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

function timeoutError(timeoutMs: number, cause: unknown): RuntimeError {
  const message = `No access token: the server of tokenUrl did not answer within ${timeoutMs} ms.`;
  return new RuntimeError('timeout', message, { cause });
}

const FAULTS: Record<TransportFault['kind'], string> = {
  blocked: 'is not known, or not where it may be reached; only the operator may allow it (allowPrivateNetworks)',
  unreachable: 'could not be reached',
  broken: 'broke the connection off, or does not speak HTTP',
  'too large': 'answered with more than a token',
  undecodable: 'answered with what could not be decompressed',
};
