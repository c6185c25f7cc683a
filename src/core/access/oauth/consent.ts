import type { AuditLog } from '../../base/audit/log.ts';
import type { AccessLimits } from '../../base/filters/limits.ts';
import { administers, type Caller, hasScope, requirePortal, SCOPES, type Scope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { forbidden, invalid, notFound, RuntimeError } from '../../base/shared/errors.ts';
import { formatUtc } from '../../base/time/time.ts';
import { hashSecret, newSecret } from '../auth/secrets.ts';
import type { TenantService } from '../auth/tenants.ts';
import { grantedLimits } from '../limits/schema.ts';
import type { UserStore } from '../users/store.ts';
import { grantDetails, shownClient } from './clients.ts';
import type { Allow, ShownRequest } from './schema.ts';
import type { ClientKind, OAuthStore, StoredGrant } from './store.ts';

/** An authorization request that waits for a person's answer. */
export interface PendingRequest {
  clientId: string;
  clientName: string | null;
  clientKind: ClientKind;
  redirectUri: string;
  resource: string;
  /** The requested scopes, known or not. */
  scopes: readonly string[];
  /** Epoch milliseconds. */
  expiresAt: number;
}

export interface AllowedRequest {
  userId: string;
  grantId: string;
  /**
   * The hash of the secret that the browser must send to go on: another browser may have begun the
   * request.
   */
  approvalHash: string;
}

/**
 * The authorization server. `allow` and `refuse` return the address at which the browser goes on.
 */
export interface PendingRequests {
  find(id: string): Promise<PendingRequest | null>;
  allow(id: string, allowed: AllowedRequest): Promise<string>;
  refuse(id: string): Promise<string>;
}

interface ConsentParts {
  requests: PendingRequests;
  store: Pick<OAuthStore, 'createGrant' | 'grants' | 'touchClient'>;
  tenants: Pick<TenantService, 'get'>;
  users: Pick<UserStore, 'find'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
  /** The lifetime of API keys in milliseconds, which limits grants as well; null: unlimited. */
  keyLifetimeMs: number | null;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 366;
/** Grants of a person that are looked through. */
const MAX_FORMER = 100;

/**
 * A person's answer to an application that asks for access. Nobody can allow more than they have.
 */
export class ConsentService {
  private readonly parts: ConsentParts;

  constructor(parts: ConsentParts) {
    this.parts = parts;
  }

  /** Throws `not_found` for an unknown, answered or expired request. */
  async describe(caller: Caller, id: string): Promise<ShownRequest> {
    requirePortal(caller, 'user');
    const request = await this.requestOf(id);
    const { name } = await this.parts.tenants.get(caller.tenantId);
    const maxDays = this.maxDaysOf(caller);
    return {
      client: shownClient(request),
      redirectTo: originOf(request.redirectUri),
      resource: request.resource,
      tenant: name,
      scopes: askedIn(request).map((scope) => ({ scope, grantable: hasScope(caller, scope) })),
      limits: await this.formerLimits(caller, request),
      defaultDays: Math.min(DEFAULT_DAYS, maxDays),
      maxDays,
      expiresAt: formatUtc(request.expiresAt),
    };
  }

  /**
   * `approval` is a secret for the browser, which it sends to `continueAt`. Throws `forbidden` for
   * scopes that the caller lacks.
   */
  async allow(
    caller: Caller,
    id: string,
    { scopes, limits: wanted, days }: Allow,
  ): Promise<{ continueAt: string; approval: string }> {
    requirePortal(caller, 'user');
    const request = await this.requestOf(id);
    const asked = askedIn(request);
    const foreign = scopes.filter((scope) => !asked.includes(scope));
    if (foreign.length > 0) throw invalid(`scopes: the application does not ask for ${foreign.join(', ')}`);
    const excess = scopes.filter((scope) => !hasScope(caller, scope));
    if (excess.length > 0) {
      throw forbidden(`You cannot allow scopes that you lack: ${excess.join(', ')}.`);
    }
    const maxDays = this.maxDaysOf(caller);
    if (days !== undefined && days > maxDays)
      throw invalid(`days: must be at most ${maxDays} (AGENT_RUNTIME_KEY_LIFETIME)`);
    const limits = grantedLimits(caller, wanted);
    const allowed = { scopes, limits, days: days ?? Math.min(DEFAULT_DAYS, maxDays) };
    const grant = await this.newGrant(caller, request, allowed);
    const { store, audit, requests } = this.parts;
    await store.createGrant(grant);
    if (grant.clientKind !== 'document') await store.touchClient(grant.clientId, grant.createdAt);
    await audit.record(caller, grant.tenantId, 'grant.created', grant.id, grantDetails(grant));
    const approval = newSecret();
    const answer = { userId: grant.userId, grantId: grant.id, approvalHash: hashSecret(approval) };
    return { continueAt: await requests.allow(id, answer), approval };
  }

  async refuse(caller: Caller, id: string): Promise<string> {
    requirePortal(caller, 'user');
    await this.requestOf(id);
    return this.parts.requests.refuse(id);
  }

  private async requestOf(id: string): Promise<PendingRequest> {
    const request = await this.parts.requests.find(id);
    if (request) return request;
    throw notFound('This request was answered already, or has expired. Start again in the application.');
  }

  /** An application that connects again may register itself again: its name is the same. */
  private async formerLimits({ tenantId, userId }: Caller, asked: PendingRequest): Promise<AccessLimits | null> {
    const { store, effects } = this.parts;
    const { items } = await store.grants({ tenantId, userId, now: effects.now() }, { limit: MAX_FORMER, offset: 0 });
    const isSame = ({ clientId, clientName }: StoredGrant) =>
      clientId === asked.clientId || (clientName !== null && clientName === asked.clientName);
    return items.find(isSame)?.limits ?? null;
  }

  private async newGrant(
    { tenantId, credential, role }: Caller,
    { clientId, clientName, clientKind, resource }: PendingRequest,
    { scopes, limits, days }: { scopes: Scope[]; limits: AccessLimits | null; days: number },
  ): Promise<StoredGrant> {
    const { users, effects, keyLifetimeMs } = this.parts;
    const user = await users.find(credential.id);
    if (!user) throw new RuntimeError('unauthenticated', 'There is no such user any more.');
    const { sessionVersion } = user;
    const createdAt = effects.now();
    const longest = keyLifetimeMs === null || administers(role) ? Number.POSITIVE_INFINITY : keyLifetimeMs;
    const times = {
      createdAt,
      expiresAt: createdAt + Math.min(days * DAY_MS, longest),
      activatedAt: null,
      lastUsedAt: null,
      endedAt: null,
    };
    const client = { clientId, clientName, clientKind, identityProvider: null };
    return {
      id: effects.newId(),
      tenantId,
      userId: user.id,
      sessionVersion,
      ...client,
      resource,
      scopes,
      limits,
      ...times,
    };
  }

  private maxDaysOf({ role }: Caller): number {
    const { keyLifetimeMs } = this.parts;
    if (keyLifetimeMs === null || administers(role)) return MAX_DAYS;
    return Math.min(MAX_DAYS, Math.max(1, Math.floor(keyLifetimeMs / DAY_MS)));
  }
}

/** In the order of `SCOPES`. Unknown scopes are left out, as RFC 6749 allows. */
function askedIn({ scopes }: PendingRequest): Scope[] {
  return SCOPES.filter((scope) => scopes.includes(scope));
}

/** An address with a scheme of its own, such as `cursor:`, is shown by its scheme alone. */
function originOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return /^https?:$/.test(protocol) ? `${protocol}//${host}` : protocol;
}
