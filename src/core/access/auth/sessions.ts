import type { AuditLog } from '../../base/audit/log.ts';
import { type Caller, ROLES, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { notFound, RuntimeError } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { formatUtc } from '../../base/time/time.ts';
import { type RoleLimits, scopesWithin } from '../limits/schema.ts';
import { UserPermissions } from '../users/permissions.ts';
import type { StoredUser, UserStore } from '../users/store.ts';
import { mayGiveRole, SCOPES_OF_ROLE } from './rights.ts';
import {
  type EndedSessions,
  MAX_COUNTED_SESSIONS,
  type PageQuery,
  type Session,
  type SessionOfUser,
  type SessionsOfAllQuery,
  type SessionUser,
  type ShownSession,
} from './schema.ts';
import type { SessionIdentity, SessionStore, SessionsOf, StoredSession } from './store.ts';
import type { TenantService } from './tenants.ts';
import type { Tokens } from './tokens.ts';

interface SessionParts {
  users: UserStore;
  tenants: TenantService;
  sessions: SessionStore;
  tokens: Tokens;
  audit: AuditLog;
  effects: Effects;
}

/** Precise enough for people; saves a write per request. */
const SEEN_INTERVAL_MS = 5 * 60_000;
const MAX_SESSIONS = 200;
const PRUNE_INTERVAL_MS = 3_600_000;
const MAX_USER_AGENT = 200;

export class SessionService {
  private readonly parts: SessionParts;
  private readonly permissions: UserPermissions;
  private prunedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.permissions = new UserPermissions(parts.users);
  }

  /** `expiresAt` is epoch milliseconds. */
  async open(
    user: StoredUser,
    client: { address: string; userAgent?: string | undefined },
    { hasSecondFactor = false, identity }: { hasSecondFactor?: boolean; identity?: SessionIdentity | undefined } = {},
  ): Promise<{ token: string; expiresAt: number }> {
    const { sessions, tokens, effects } = this.parts;
    const now = effects.now();
    await this.pruneHourly(now);
    const id = effects.newId();
    const { token, expiresAt } = await tokens.issue(user, id);
    const session: StoredSession = {
      id,
      tenantId: user.tenantId,
      userId: user.id,
      sessionVersion: user.sessionVersion,
      createdAt: now,
      lastSeenAt: now,
      expiresAt,
      address: client.address,
      userAgent: client.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      revokedAt: null,
      secondFactorAt: hasSecondFactor ? now : null,
    };
    await sessions.create(session, MAX_SESSIONS, identity);
    return { token, expiresAt };
  }

  /** Throws `unauthenticated`. Reads session and rights from the store each time. */
  async authenticate(token: string): Promise<Caller> {
    const { users, tenants, sessions, tokens, effects } = this.parts;
    const claims = await tokens.verify(token);
    const session = claims && (await sessions.find(claims.sessionId));
    const user = session && (await users.find(session.userId));
    const tenant = user && (await tenants.find(user.tenantId));
    const now = effects.now();
    const isValid =
      user?.isActive &&
      user.id === claims?.userId &&
      user.tenantId === claims.tenantId &&
      user.sessionVersion === claims.sessionVersion &&
      session?.revokedAt === null &&
      session.expiresAt > now &&
      !tenants.isBlocked(user.tenantId);
    if (!user || !tenant || !session || !isValid)
      throw invalidToken(tenant && !tenants.isBlocked(tenant.id) ? user : null);
    // A full disk must not end sessions.
    if (now - session.lastSeenAt >= SEEN_INTERVAL_MS) await sessions.touch(session.id, now).catch(() => undefined);
    const limits = tenant.roleLimits?.[user.role as keyof RoleLimits];
    return {
      tenantId: tenant.id,
      agentId: null,
      label: user.email,
      scopes: SCOPES_OF_ROLE[user.role],
      timezone: tenant.timezone,
      credential: { kind: 'user', id: user.id },
      userId: user.id,
      role: user.role,
      sessionId: session.id,
      ...(limits && { limits: [limits] }),
    };
  }

  async session(caller: Caller): Promise<Session> {
    const { tenants } = this.parts;
    const [user, tenant, operates] = await Promise.all([
      this.permissions.self(caller),
      tenants.get(caller.tenantId),
      tenants.operates(caller),
    ]);
    const { id, name, timezone } = tenant;
    const limits = [...(caller.limits ?? [])];
    return { user: sessionUser(user), tenant: { id, name, timezone }, scopes: scopesWithin(caller), limits, operates };
  }

  async list(caller: Caller, query: PageQuery): Promise<Page<ShownSession>> {
    const user = await this.permissions.self(caller);
    const { items, total } = await this.parts.sessions.page(caller.tenantId, this.sessionsOf(user), query);
    return { items: items.map((session) => shownSession(session, caller)), total };
  }

  async logout(caller: Caller): Promise<void> {
    await this.end(caller, caller.sessionId ?? '');
  }

  /** Throws `not_found` unless it is a live session of the caller. */
  async end(caller: Caller, id: string): Promise<void> {
    const user = await this.permissions.self(caller);
    const ended = await this.parts.sessions.end(caller.tenantId, this.sessionsOf(user), { id });
    if (ended === 0) throw notFound(`You have no session with the id ${JSON.stringify(id)}.`);
    await this.record(caller, user, { session: id });
  }

  async endAll(caller: Caller, { all }: { all: boolean }): Promise<EndedSessions> {
    return this.endOf(caller, await this.permissions.self(caller), all ? null : (caller.sessionId ?? null));
  }

  /** For administrators who may set the user's password. */
  async endOfUser(caller: Caller, id: string): Promise<EndedSessions> {
    requirePortal(caller, 'administrator');
    const user = await this.permissions.userOf(caller, id);
    await this.permissions.requireGuarded(caller, user, ['sessions']);
    return this.endOf(caller, user, null);
  }

  /** Sessions of another user, for administrators. */
  async listOfUser(caller: Caller, id: string, query: PageQuery): Promise<Page<ShownSession>> {
    requirePortal(caller, 'administrator');
    const user = await this.permissions.userOf(caller, id);
    const { items, total } = await this.parts.sessions.page(caller.tenantId, this.sessionsOf(user), query);
    return { items: items.map((session) => shownSession(session, caller)), total };
  }

  /** For administrators who may set the user's password. Throws `not_found` unless it is live. */
  async endOneOfUser(caller: Caller, id: string, session: string): Promise<void> {
    requirePortal(caller, 'administrator');
    const user = await this.permissions.userOf(caller, id);
    await this.permissions.requireGuarded(caller, user, ['sessions']);
    const ended = await this.parts.sessions.end(caller.tenantId, this.sessionsOf(user), { id: session });
    if (ended === 0) throw notFound(`The user has no session with the id ${JSON.stringify(session)}.`);
    await this.record(caller, user, { session });
  }

  /** Sessions of everybody in the tenant. */
  async listOfAll(caller: Caller, { search = '', ...asked }: SessionsOfAllQuery): Promise<Page<SessionOfUser>> {
    requirePortal(caller, 'administrator');
    const of = { search, now: this.parts.effects.now() };
    const paging = { ...asked, countAtMost: MAX_COUNTED_SESSIONS };
    const { items, total } = await this.parts.sessions.pageOfAll(caller.tenantId, of, paging);
    return { items: items.map((session) => ({ ...shownSession(session, caller), user: session.user })), total };
  }

  /** All but the caller's own, and those of users whose password the caller may not set. */
  async endOfAll(caller: Caller): Promise<EndedSessions> {
    requirePortal(caller, 'administrator');
    const { sessions, audit, effects } = this.parts;
    const { id } = await this.permissions.self(caller);
    const roles = ROLES.filter((role) => mayGiveRole(caller, caller.role, role));
    const ended = await sessions.endOfAll(caller.tenantId, { roles, exceptUser: id, now: effects.now() });
    if (ended > 0) await audit.record(caller, caller.tenantId, 'session.ended', null, { sessions: ended, roles });
    return { ended };
  }

  /** The caller has checked the right to it; null is the operator. */
  async endOf(caller: Caller | null, user: StoredUser, except: string | null): Promise<EndedSessions> {
    const ended = await this.parts.sessions.end(user.tenantId, this.sessionsOf(user), { except });
    if (ended > 0) await this.record(caller, user, { sessions: ended });
    return { ended };
  }

  private sessionsOf({ id, sessionVersion }: StoredUser): SessionsOf {
    return { userId: id, sessionVersion, now: this.parts.effects.now() };
  }

  private async record(caller: Caller | null, user: StoredUser, details: Record<string, unknown>): Promise<void> {
    await this.parts.audit.record(caller, user.tenantId, 'session.ended', user.id, details);
  }

  private async pruneHourly(now: number): Promise<void> {
    if (Math.abs(now - this.prunedAt) < PRUNE_INTERVAL_MS) return;
    this.prunedAt = now;
    await this.parts.sessions.prune(now);
  }
}

/** Does not tell the reason. */
function invalidToken(user: StoredUser | null | undefined): RuntimeError {
  const message = 'The token is not valid any more, or never was. Log in again.';
  if (!user) return new RuntimeError('unauthenticated', message);
  const { tenantId, id, email: label } = user;
  return new RuntimeError('unauthenticated', message, { refused: { tenantId, kind: 'user', id, label } });
}

export function sessionUser({ id, email, name, role, tenantId, language }: StoredUser): SessionUser {
  return { id, email, name, role, tenantId, language };
}

function shownSession(session: StoredSession, { sessionId }: Caller): ShownSession {
  const { id, createdAt, lastSeenAt, expiresAt, address, userAgent } = session;
  return {
    id,
    current: id === sessionId,
    createdAt: formatUtc(createdAt),
    lastSeenAt: formatUtc(lastSeenAt),
    expiresAt: formatUtc(expiresAt),
    address,
    userAgent,
  };
}
