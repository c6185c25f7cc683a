import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditLog } from '../audit.ts';
import { type Caller, requirePortal } from '../caller.ts';
import type { Effects } from '../effects.ts';
import { invalid, RuntimeError } from '../errors.ts';
import { formatUtc } from '../events/time.ts';
import { Gate, Gates } from '../gate.ts';
import type { StoredUser, UserStore } from '../users/store.ts';
import { LoginAttempts } from './attempts.ts';
import { SCOPES_OF_ROLE } from './rights.ts';
import type { LoggedIn, Login, Session, SessionUser } from './schema.ts';
import { NOBODYS_PASSWORD, type verifyPassword } from './secrets.ts';
import type { AuthService } from './service.ts';
import type { TenantStore } from './store.ts';
import type { Tokens } from './tokens.ts';

export interface SessionParts {
  auth: AuthService;
  users: UserStore;
  tenants: TenantStore;
  tokens: Tokens;
  audit: AuditLog;
  effects: Effects;
  verifyPassword: typeof verifyPassword;
}

/** Each comparison holds a thread of a few, and 16 MB, for a twentieth of a second. */
const COMPARISONS = { width: 2, room: 16, refusal: 'Too many passwords are being checked at once. Try again.' };

/** Who sends many logins at once waits for themselves, and not the others. */
const LOGINS_OF_ADDRESS = { width: 1, room: 16, refusal: 'Too many logins come from here at once. Try again.' };

/** Sessions of portal users: a login gives a token, and a token the Caller behind it. */
export class SessionService {
  private readonly parts: SessionParts;
  private readonly attempts: LoginAttempts;
  private readonly comparisons = new Gate(COMPARISONS);
  private readonly logins = new Gates(LOGINS_OF_ADDRESS);
  private background: Promise<void> = Promise.resolve();

  constructor(parts: SessionParts) {
    this.parts = parts;
    this.attempts = new LoginAttempts(parts.effects.now);
  }

  /**
   * A token for whom e-mail and password fit. Throws `unauthenticated`, which does not tell why; `invalid` when the tenant
   * must be named; `rate_limited` after too many failures. `address` is where it comes from.
   */
  async login(input: Login, address: string): Promise<LoggedIn> {
    const attempt = this.attempts.count(input.email, address);
    const { known, able, fitting } = await this.logins
      .pass(address, () => this.compare(input))
      .catch((error: unknown) => {
        attempt.takeBack();
        throw error;
      });
    // Otherwise a user of one's own would let one guess, again and again, at the password of its namesake elsewhere.
    if (fitting.length === able.length && fitting.length > 0) attempt.takeBack();
    const [user, another] = fitting;
    if (user === undefined) {
      this.afterwards(() => this.recordFailure(known, address));
      throw wrongLogin();
    }
    if (another !== undefined) throw invalid('tenant: is needed here, because e-mail and password fit several tenants');
    return this.open(user, address);
  }

  /** The caller behind a token. Throws `unauthenticated`. What the user may do is read anew each time. */
  async authenticate(token: string): Promise<Caller> {
    const { auth, users, tenants, tokens } = this.parts;
    const claims = await tokens.verify(token);
    const user = claims && (await users.find(claims.userId));
    const tenant = user && (await tenants.find(user.tenantId));
    const isOfNow =
      user?.isActive &&
      user.tenantId === claims?.tenantId &&
      !auth.isShut(user.tenantId) &&
      user.sessionVersion === claims.sessionVersion;
    if (!user || !tenant || !isOfNow) throw voidToken(tenant && !auth.isShut(tenant.id) ? user : null);
    return {
      tenantId: tenant.id,
      agentId: null,
      label: user.email,
      scopes: SCOPES_OF_ROLE[user.role],
      timezone: tenant.timezone,
      credential: { kind: 'user', id: user.id },
      userId: user.id,
      role: user.role,
    };
  }

  /** Who the caller is. */
  async session(caller: Caller): Promise<Session> {
    requirePortal(caller, 'user');
    const [user, tenant] = await Promise.all([
      this.parts.users.find(caller.credential.id),
      this.parts.auth.tenant(caller.tenantId),
    ]);
    if (!user) throw new RuntimeError('unauthenticated', 'There is no such user any more.');
    const { id, name, timezone } = tenant;
    return { user: sessionUser(user), tenant: { id, name, timezone }, scopes: [...caller.scopes] };
  }

  /** Whether it is the user's own password. Counts as an attempt of theirs when it is not. */
  async checkPassword({ id, passwordHash }: StoredUser, password: string): Promise<boolean> {
    const attempt = this.attempts.count(id, 'their own session');
    const known = passwordHash ?? NOBODYS_PASSWORD;
    const fits = await this.comparisons
      .pass(() => this.parts.verifyPassword(password, known))
      .catch((error: unknown) => {
        attempt.takeBack();
        throw error;
      });
    if (fits) attempt.takeBack();
    return fits && passwordHash !== null;
  }

  /** Resolves when everything is written that answers did not wait for. */
  async settled(): Promise<void> {
    await this.background;
  }

  /**
   * Whom the e-mail names, who of them can log in at all, and whose password it is. There is a comparison also where there is
   * nothing to compare with: an answer must not come sooner for an e-mail that nobody has.
   */
  private async compare({ email, password, tenant: idOrName }: Login) {
    const { auth, users, tenants, verifyPassword: verify } = this.parts;
    const tenant = idOrName === undefined ? null : await tenants.find(idOrName);
    const isElsewhere = idOrName !== undefined && tenant === null;
    const named = isElsewhere ? [] : await users.findByEmail(email, tenant?.id ?? null);
    const known = named.filter(({ tenantId }) => !auth.isShut(tenantId));
    const hashes = known.length > 0 ? known.map(comparedWith) : [NOBODYS_PASSWORD];
    const fitting = await this.comparisons.pass(async () => {
      const found: StoredUser[] = [];
      for (const [index, hash] of hashes.entries()) if (await verify(password, hash)) found.push(known[index]!);
      return found;
    });
    return { known, able: hashes.filter((hash) => hash !== NOBODYS_PASSWORD), fitting };
  }

  private async open(user: StoredUser, address: string): Promise<LoggedIn> {
    const { users, tokens, audit, effects } = this.parts;
    // It may have waited for its comparison while the password was changed.
    const current = await users.find(user.id);
    if (!current?.isActive || current.passwordHash !== user.passwordHash) throw wrongLogin();
    const { token, expiresAt } = await tokens.issue(current);
    // A disk that takes no writes must not lock people out.
    await users.recordLogin(user.id, effects.now()).catch(() => undefined);
    await audit.record(actorOf(user), user.tenantId, 'login.succeeded', user.id, { address });
    return { token, expiresAt: formatUtc(expiresAt), user: sessionUser(user) };
  }

  private async recordFailure(known: StoredUser[], address: string): Promise<void> {
    for (const user of known) {
      const details = { address, reason: reasonFor(user) };
      await this.parts.audit.record(actorOf(user), user.tenantId, 'login.failed', user.id, details);
    }
  }

  /** After the answer, which would otherwise be later for an e-mail that somebody has. */
  private afterwards(work: () => Promise<void>): void {
    this.background = this.background.then(() => nextTurn()).then(work);
  }
}

/** Every refusal of a token reads the same; `user` is whose it was, where that is known. */
function voidToken(user: StoredUser | null | undefined): RuntimeError {
  const message = 'The token is not valid any more, or never was. Log in again.';
  if (!user) return new RuntimeError('unauthenticated', message);
  const { tenantId, id, email: label } = user;
  return new RuntimeError('unauthenticated', message, { refused: { tenantId, kind: 'user', id, label } });
}

function wrongLogin(): RuntimeError {
  return new RuntimeError('unauthenticated', 'The e-mail or the password is wrong, or this user may not log in.');
}

/** The hash of the user's password; nobody's for who cannot log in. */
function comparedWith({ isActive, passwordHash }: StoredUser): string {
  return isActive && passwordHash !== null ? passwordHash : NOBODYS_PASSWORD;
}

function reasonFor({ isActive, passwordHash }: StoredUser): string {
  if (!isActive) return 'deactivated';
  return passwordHash === null ? 'no password is set' : 'wrong password';
}

function actorOf({ id, email }: StoredUser) {
  return { kind: 'user', id, label: email } as const;
}

function sessionUser({ id, email, name, role, tenantId }: StoredUser): SessionUser {
  return { id, email, name, role, tenantId };
}
