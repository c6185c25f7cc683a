import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditLog } from '../../base/audit/log.ts';
import { KeyedLimiter } from '../../base/concurrency/limiter.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, invalid, RuntimeError } from '../../base/shared/errors.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { Failures } from '../../limits/rates/failures.ts';
import { MemoryPendingStore, Pending, type PendingStore } from '../../limits/rates/pending.ts';
import type { ProofMethod } from '../second-factor/schema.ts';
import type { StoredUser, UserStore } from '../users/store.ts';
import {
  type Admitted,
  LoginAdmission,
  type LoginCandidate,
  type LoginClient,
  REAL_WAITING,
  UNCOUNTED,
  type Waiting,
} from './admission.ts';
import type { LoginAttempt } from './attempts.ts';
import type { DeviceCookies } from './device-cookies.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { LoggedIn, Login } from './schema.ts';
import { hashSecret, newSecret } from './secrets.ts';
import { type SessionService, sessionUser } from './sessions.ts';
import type { SessionIdentity } from './store.ts';
import type { TenantService } from './tenants.ts';

/** A new password changes the session version, and voids links as it voids sessions. */
type LinkOwner = Pick<StoredUser, 'id' | 'sessionVersion'>;

/** Beyond this a new link replaces the oldest. */
const MAX_LINKS = 100;

/** Secrets of login links, each valid once. */
export class LoginLinks {
  private readonly links: Pending<LinkOwner>;

  constructor(store: PendingStore) {
    this.links = new Pending(store, { kind: 'login link', perOwner: MAX_LINKS });
  }

  async issue({ id, sessionVersion }: LinkOwner, lifetimeMs: number): Promise<string> {
    const secret = newSecret();
    await this.links.put(hashSecret(secret), { owner: '', value: { id, sessionVersion }, lifetimeMs });
    return secret;
  }

  /** Uses the secret up. Null if it is unknown, used or expired. */
  take(secret: string): Promise<LinkOwner | null> {
    return this.links.take(hashSecret(secret));
  }
}

/** `device` is the value of the device cookie. */
export type OpenedSession = LoggedIn & { device: string };

/** How the user proved who they are; without any: by password. For the audit log. */
export interface LoginDetails {
  link?: true;
  invitation?: true;
  secondFactor?: ProofMethod;
  /** The identity provider. */
  provider?: string;
}

/** For the operator's log. Omits the e-mail, because users type passwords there. */
export interface FailedLogin {
  address: string;
  users: { tenantId: string; userId: string; reason: string }[];
}

interface LoginParts {
  users: UserStore;
  tenants: TenantService;
  sessions: SessionService;
  passwords: PasswordHasher;
  devices: DeviceCookies;
  audit: AuditLog;
  effects: Effects;
  onFailure: (failed: FailedLogin) => void;
  waiting?: Waiting;
  /** Default: those of this process. */
  failures?: Failures;
  pending?: PendingStore;
}

/** Per address of unknown clients, or per user with a known device. */
const CLIENT_LIMIT = { concurrency: 1, maxQueue: 16, rejection: 'Too many logins come from here at once. Try again.' };

export class LoginService {
  /** Called as a user's password is compared: what the first page needs can be opened. */
  onBegin: (tenantId: string) => void = () => undefined;
  private readonly parts: LoginParts;
  private readonly admission: LoginAdmission;
  private readonly clients = new KeyedLimiter(CLIENT_LIMIT);
  private readonly links: LoginLinks;
  private background: Promise<void> = Promise.resolve();

  constructor(parts: LoginParts) {
    this.parts = parts;
    const { devices, waiting = REAL_WAITING, failures, pending = new MemoryPendingStore(parts.effects.now) } = parts;
    this.links = new LoginLinks(pending);
    this.admission = new LoginAdmission({ devices, waiting, failures });
  }

  /**
   * The user with this e-mail and password, who may still need a second factor: `LoginSteps.login`
   * is the whole login. Throws `unauthenticated` (no reason), `invalid` (ambiguous tenant) or
   * `rate_limited`.
   */
  async authenticate(input: Login, client: LoginClient): Promise<StoredUser> {
    const tenant = input.tenant === undefined ? null : await this.parts.tenants.find(input.tenant);
    const known = await this.knownUsers(input, tenant?.id ?? null);
    const withoutPasswords = await this.tenantsWithoutPasswords(known);
    const target = { known, tenant: tenant?.id ?? input.tenant ?? null, email: input.email };
    const admitted = await this.admission.admit(target, client);
    const hashOf = (user: StoredUser) => (withoutPasswords.has(user.tenantId) ? null : comparableHash(user));
    const matching = await this.compare(admitted, input.password, hashOf, client).catch(async (error: unknown) => {
      await admitted.undo();
      throw error;
    });
    if (matching.length === 0) {
      const failed = known.map((user) => ({
        user,
        reason: withoutPasswords.has(user.tenantId) ? 'password logins are switched off' : reasonFor(user),
      }));
      this.recordFailures(failed, { address: client.address, isNamed: input.tenant !== undefined });
      throw wrongLogin();
    }
    for (const attempt of [admitted.ofAddress, ...matching.map((one) => one.attempt)]) await attempt.undo();
    const [only, another] = matching.map(({ user }) => user);
    if (another !== undefined) throw invalid('tenant: is needed here, because e-mail and password fit several tenants');
    return this.succeed(only!, input.password);
  }

  /** The secret of a link that logs the user in once. */
  issueLink(user: Pick<StoredUser, 'id' | 'sessionVersion'>, lifetimeMs: number): Promise<string> {
    return this.links.issue(user, lifetimeMs);
  }

  /**
   * For the operator: also where password logins are switched off. Throws `conflict` for a
   * deactivated user.
   */
  async issueOperatorLink({ id }: Pick<StoredUser, 'id'>, minutes: number) {
    const user = await this.parts.users.find(id);
    if (!user?.isActive) throw conflict('The user is deactivated. Activate them first.');
    const secret = await this.links.issue(user, minutes * 60_000);
    await this.parts.audit.record(null, user.tenantId, 'login_link.issued', user.id, { minutes });
    const { email, tenantId } = user;
    return { id, email, tenantId, secret, expiresAt: formatUtc(this.parts.effects.now() + minutes * 60_000) };
  }

  /**
   * Throws `unauthenticated` (no reason) or `rate_limited`: failures slow the address, as wrong
   * passwords do.
   */
  async loginWithLink(secret: string, client: LoginClient): Promise<OpenedSession> {
    const { users, tenants } = this.parts;
    const attempt = await this.admission.ofAddress(client);
    const owner = await this.links.take(secret);
    const found = owner && (await users.find(owner.id));
    const user = found && !tenants.isBlocked(found.tenantId) ? found : null;
    if (!user?.isActive || user.sessionVersion !== owner?.sessionVersion) {
      const reason = user?.isActive ? 'the link is older than the password' : 'deactivated';
      this.recordFailures(user ? [{ user, reason }] : [], { address: client.address, isNamed: true });
      throw wrongLink();
    }
    await attempt.undo();
    return this.open(user, client, { link: true });
  }

  /** Counts a failed login of the client's address unless it is undone. Throws `rate_limited`. */
  attemptOf(client: LoginClient): Promise<LoginAttempt> {
    return this.admission.ofAddress(client);
  }

  /**
   * For somebody whom an identity provider has authenticated. Throws `unauthenticated` if the user
   * has changed since.
   */
  async openFor(
    user: StoredUser,
    client: LoginClient,
    identity: SessionIdentity,
    details: { provider: string },
  ): Promise<OpenedSession> {
    const current = await this.parts.users.find(user.id);
    if (!current?.isActive || current.tenantId !== user.tenantId) throw wrongLogin();
    return this.open(current, client, details, identity);
  }

  async checkPassword(user: StoredUser, password: string): Promise<boolean> {
    const { passwordHash } = user;
    const { passwords } = this.parts;
    const attempt = await this.admission.withinSession(user);
    const fits = await passwords
      .verify(password, passwordHash ?? passwords.dummyHash, 'known')
      .catch(async (error: unknown) => {
        await attempt.undo();
        throw error;
      });
    if (fits) await attempt.undo();
    return fits && passwordHash !== null;
  }

  /**
   * Counts an attempt for the address, which failures slow, but not for known devices. Throws
   * `rate_limited`.
   */
  async addressAttempt(client: LoginClient, user: StoredUser | null): Promise<LoginAttempt> {
    const isKnown = user !== null && this.parts.devices.deviceOf(client.device, user) !== null;
    return isKnown ? UNCOUNTED : this.admission.ofAddress(client);
  }

  /** Counts an attempt at a second factor. Throws `rate_limited`. */
  secondFactorAttempt(user: StoredUser, method: 'code' | 'recoveryCode'): Promise<LoginAttempt> {
    return this.admission.ofSecondFactor(user, method);
  }

  /** Records the failure of a user whose password or identity was right. */
  recordFailure(user: StoredUser, { address }: LoginClient, reason: string): void {
    this.recordFailures([{ user, reason }], { address, isNamed: true });
  }

  async unlock(user: Pick<StoredUser, 'id' | 'tenantId' | 'email'>) {
    const { id, tenantId, email } = user;
    const failures = await this.admission.unlock(user);
    await this.parts.audit.record(null, tenantId, 'login.unlocked', id, { failures });
    return { id, email, tenantId, failures };
  }

  async settled(): Promise<void> {
    await this.background;
  }

  private async knownUsers({ email, tenant }: Login, tenantId: string | null): Promise<StoredUser[]> {
    const { tenants, users } = this.parts;
    if (tenant !== undefined && tenantId === null) return [];
    const named = await users.findByEmail(email, tenantId);
    return named.filter((user) => !tenants.isBlocked(user.tenantId));
  }

  private async tenantsWithoutPasswords(users: StoredUser[]): Promise<Set<string>> {
    const ids = new Set(users.map(({ tenantId }) => tenantId));
    const tenants = await Promise.all([...ids].map((id) => this.parts.tenants.find(id)));
    return new Set(tenants.flatMap((tenant) => (tenant && !tenant.passwordLogin ? [tenant.id] : [])));
  }

  /** Compares the dummy hash for unknown e-mails, so that they take the same time. */
  private compare(
    { candidates, knownUser }: Admitted,
    password: string,
    hashOf: (user: StoredUser) => string | null,
    { address, signal }: LoginClient,
  ): Promise<LoginCandidate[]> {
    const lane = knownUser === null ? 'unknown' : 'known';
    for (const { user } of candidates) this.onBegin(user.tenantId);
    const { passwords } = this.parts;
    const verify = (hash: string) => passwords.verify(password, hash, lane, signal);
    const key = knownUser === null ? `address ${address}` : `user ${knownUser}`;
    return this.clients.run(
      key,
      async () => {
        const matching: LoginCandidate[] = [];
        for (const one of candidates) {
          if (await verify(hashOf(one.user) ?? passwords.dummyHash)) matching.push(one);
        }
        if (candidates.length === 0) await verify(passwords.dummyHash);
        return matching;
      },
      { signal },
    );
  }

  private async succeed(user: StoredUser, password: string): Promise<StoredUser> {
    const { users, passwords } = this.parts;
    // The password may have changed while the login waited.
    const current = await users.find(user.id);
    if (!current?.isActive || current.sessionVersion !== user.sessionVersion) throw wrongLogin();
    if (passwords.isOutdated(current.passwordHash ?? passwords.dummyHash)) this.rehash(current, password);
    return current;
  }

  /**
   * Opens a session of somebody who has proven who they are: here, or at an identity provider,
   * which asks for second factors itself.
   */
  async open(
    user: StoredUser,
    client: LoginClient,
    details: LoginDetails = {},
    identity?: SessionIdentity,
  ): Promise<OpenedSession> {
    const { users, sessions, devices, audit, effects } = this.parts;
    const hasSecondFactor = details.secondFactor !== undefined;
    const { token, expiresAt } = await sessions.open(user, client, { hasSecondFactor, identity });
    await users.recordLogin(user.id, effects.now()).catch(() => undefined);
    const { address } = client;
    await audit.record(actorOf(user), user.tenantId, 'login.succeeded', user.id, { address, ...details });
    const device = devices.issue(client.device, user);
    return { token, expiresAt: formatUtc(expiresAt), user: sessionUser(user), device };
  }

  private rehash(user: StoredUser, password: string): void {
    const { users, passwords } = this.parts;
    this.inBackground(async () => {
      const passwordHash = await passwords.hash(password);
      await users.change(user, { passwordHash }, { updatedAt: user.updatedAt, requiresOtherAdministrator: false });
    });
  }

  /** With several tenants, only a login that names one shows whose audit log it belongs to. */
  private recordFailures(
    failed: { user: StoredUser; reason: string }[],
    { address, isNamed }: { address: string; isNamed: boolean },
  ): void {
    const { tenants, audit, onFailure } = this.parts;
    const users = failed.map(({ user, reason }) => ({ tenantId: user.tenantId, userId: user.id, reason }));
    onFailure({ address, users });
    this.inBackground(async () => {
      if (!isNamed && (await tenants.list(2)).length > 1) return;
      for (const { user, reason } of failed) {
        await audit.record(actorOf(user), user.tenantId, 'login.failed', user.id, { address, reason });
      }
    });
  }

  /** After the response, whose time would otherwise reveal a known e-mail. */
  private inBackground(work: () => Promise<void>): void {
    this.background = this.background
      .then(() => nextTurn())
      .then(work)
      .catch(() => undefined);
  }
}

function wrongLogin(): RuntimeError {
  return new RuntimeError('unauthenticated', 'The e-mail or the password is wrong, or this user may not log in.');
}

/** Does not tell the reason. */
function wrongLink(): RuntimeError {
  return new RuntimeError('unauthenticated', 'This link was used already, or has expired. Log in with a password.');
}

function comparableHash({ isActive, passwordHash }: StoredUser): string | null {
  return isActive ? passwordHash : null;
}

function reasonFor({ isActive, passwordHash }: StoredUser): string {
  if (!isActive) return 'deactivated';
  return passwordHash === null ? 'no password is set' : 'wrong password';
}

function actorOf({ id, email }: StoredUser) {
  return { kind: 'user', id, label: email } as const;
}
