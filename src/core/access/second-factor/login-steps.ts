import { KeyedLimiter } from '../../base/concurrency/limiter.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import { formatUtc } from '../../base/time/time.ts';
import { Pending, type PendingStore } from '../../limits/rates/pending.ts';
import type { LoginClient } from '../auth/admission.ts';
import type { LoginAttempt } from '../auth/attempts.ts';
import type { LoginDetails, OpenedSession } from '../auth/logins.ts';
import type { Login } from '../auth/schema.ts';
import { hashSecret, newSecret } from '../auth/secrets.ts';
import type { TenantService } from '../auth/tenants.ts';
import type { StoredUser, UserStore } from '../users/store.ts';
import { noPasskeysHere, type PendingEnrolment, type SecondFactorEnrolment } from './enrolment.ts';
import { authenticationOptions, type Challenge, relyingPartyOf, type Site, type WebAuthnParty } from './passkeys.ts';
import type {
  ConfirmLoginEnrolment,
  Enrolled,
  Enrolment,
  EnrolmentMethod,
  Needed,
  PasskeyLogin,
  PasskeyLoginOptions,
  SecondFactorLogin,
} from './schema.ts';
import { hasFactor, requiresSecondFactor, type SecondFactorStore } from './store.ts';
import { type SecondFactorVerification, WrongSecondFactor } from './verification.ts';

export interface LoginStepsParts {
  store: SecondFactorStore;
  verification: SecondFactorVerification;
  enrolment: SecondFactorEnrolment;
  users: Pick<UserStore, 'find'>;
  tenants: Pick<TenantService, 'get' | 'isBlocked'>;
  logins: Logins;
  pending: PendingStore;
  effects: Pick<Effects, 'now'>;
  publicUrl: string | undefined;
}

interface Logins {
  authenticate(input: Login, client: LoginClient): Promise<StoredUser>;
  open(user: StoredUser, client: LoginClient, details: LoginDetails): Promise<OpenedSession>;
  recordFailure(user: StoredUser, client: LoginClient, reason: string): void;
  addressAttempt(client: LoginClient, user: StoredUser | null): Promise<LoginAttempt>;
}

/** The right password of a user who still needs a second factor. Plain data. */
interface Ticket {
  userId: string;
  sessionVersion: number | null;
  /** Whether it lets the user give a factor, or add the first. */
  purpose: 'verify' | 'enrol';
  /** Epoch milliseconds: an enrolment gives it more minutes, but not beyond. */
  voidAt: number;
  challenge: Challenge | null;
  enrolment: PendingEnrolment | null;
}

const TICKET_MS = 5 * 60_000;
const ENROLMENT_MS = 15 * 60_000;
const MAX_FAILURES = 5;
const TICKETS_OF_USER = 5;
const CHALLENGES_OF_ADDRESS = 20;
/** The limit of requests with one ticket. */
const REQUEST_LIMIT = {
  concurrency: 1,
  maxQueue: 16,
  rejection: 'Too many requests with this login at once. Try again.',
};

/** Logins with a password and a second factor, or with a passkey alone. */
export class LoginSteps {
  private readonly parts: LoginStepsParts;
  /** By the hash of the secret that the client has. */
  private readonly tickets: Pending<Ticket>;
  private readonly passkeyLogins: Pending<Challenge>;
  /**
   * One request at a time here; of requests at several nodes, the first to succeed takes the
   * ticket.
   */
  private readonly requests = new KeyedLimiter(REQUEST_LIMIT);

  constructor(parts: LoginStepsParts) {
    this.parts = parts;
    this.tickets = new Pending(parts.pending, { kind: 'login', perOwner: TICKETS_OF_USER });
    this.passkeyLogins = new Pending(parts.pending, { kind: 'passkey login', perOwner: CHALLENGES_OF_ADDRESS });
  }

  /**
   * Opens a session, unless a second factor is needed. Throws as `LoginService.authenticate` does.
   */
  async login(input: Login, client: LoginClient): Promise<OpenedSession | Needed> {
    return this.admit(await this.parts.logins.authenticate(input, client), client, {});
  }

  /** For somebody who has proven who they are: a session, unless a second factor is needed. */
  async admit(user: StoredUser, client: LoginClient, details: LoginDetails): Promise<OpenedSession | Needed> {
    return (await this.next(user, client.site)) ?? (await this.parts.logins.open(user, client, details));
  }

  /** Null if nothing else is needed. */
  private async next(user: StoredUser, site: Site | undefined): Promise<Needed | null> {
    const { store, verification } = this.parts;
    const factors = await store.find(user.id);
    if (hasFactor(factors)) {
      const { offer, challenge } = await verification.offer(factors, this.relyingParty(site));
      return this.issue(user, 'verify', { ...offer, challenge });
    }
    const { secondFactor } = await this.parts.tenants.get(user.tenantId);
    if (!requiresSecondFactor(secondFactor, user.role)) return null;
    return this.issue(user, 'enrol', { methods: [], passkeyOptions: null, challenge: null });
  }

  /** Throws `unauthenticated` (the ticket), `unprocessable` (the factor) or `rate_limited`. */
  async complete(
    { ticket: secret, session: _, ...proof }: SecondFactorLogin,
    client: LoginClient,
  ): Promise<OpenedSession> {
    const { users, verification, logins } = this.parts;
    const known = await this.tickets.get(hashSecret(secret));
    const owner = known && (await users.find(known.userId));
    const give = async (ticket: Ticket, user: StoredUser) => {
      const method = await verification.verify(user, proof, ticket.challenge).catch(async (error: unknown) => {
        await this.countFailure(secret, user, client, error);
        throw error;
      });
      if (!(await this.tickets.take(hashSecret(secret)))) throw voidTicket();
      return logins.open(user, client, { secondFactor: method });
    };
    return this.counted(client, owner, () => this.withTicket(secret, 'verify', give));
  }

  beginEnrolment(secret: string, method: EnrolmentMethod, site: Site | undefined): Promise<Enrolment> {
    return this.withTicket(secret, 'enrol', async (ticket, user) => {
      const { pending, enrolment } = await this.parts.enrolment.begin(user, method, this.relyingParty(site));
      // Five minutes more: people install an app now.
      const value = { ...ticket, enrolment: pending };
      await this.tickets.put(hashSecret(secret), { owner: user.id, value, lifetimeMs: TICKET_MS });
      return enrolment;
    });
  }

  confirmEnrolment(
    { ticket: secret, session: _, ...input }: ConfirmLoginEnrolment,
    client: LoginClient,
  ): Promise<OpenedSession & Enrolled> {
    return this.withTicket(secret, 'enrol', async (ticket, user) => {
      const { enrolment: pending } = ticket;
      if (!pending) throw unprocessable('ticket: nothing was begun with it. Begin the enrolment.');
      // Only the first: otherwise a password alone would add a factor to those of the user.
      const enrolled = await this.parts.enrolment.confirm(user, pending, input, { onlyFirst: true });
      await this.tickets.take(hashSecret(secret));
      const opened = await this.parts.logins.open(user, client, { secondFactor: pending.method });
      return { ...opened, ...enrolled };
    });
  }

  /**
   * For a login without e-mail and password. Throws `unprocessable` at an address that has no
   * passkeys.
   */
  async passkeyOptions({ address, site }: LoginClient): Promise<PasskeyLoginOptions> {
    const relyingParty = this.relyingParty(site);
    if (!relyingParty) throw noPasskeysHere();
    const passkeyOptions = await authenticationOptions(relyingParty, null);
    const ticket = newSecret();
    const value = { value: passkeyOptions.challenge, relyingParty };
    await this.passkeyLogins.put(hashSecret(ticket), { owner: address, value, lifetimeMs: TICKET_MS });
    return { ticket, passkeyOptions };
  }

  /** Both factors in one: what the user has, and the PIN or fingerprint that it asked for. */
  loginWithPasskey({ ticket, passkey: assertion }: PasskeyLogin, client: LoginClient): Promise<OpenedSession> {
    const { store, verification, logins } = this.parts;
    return this.counted(client, null, async () => {
      const challenge = await this.passkeyLogins.take(hashSecret(ticket));
      if (!challenge) throw voidTicket();
      const passkey = await store.findPasskey(assertion.id);
      const found = passkey && (await this.mayLogIn(passkey.userId));
      // Without a password, the identity provider alone decides who may log in.
      const user = found && found.passwordHash !== null && (await this.allowsPasswords(found)) ? found : null;
      if (!passkey || !user) throw new RuntimeError('unauthenticated', 'This passkey does not log in here.');
      await verification.usePasskey(passkey, { passkey: assertion }, challenge, true).catch((error: unknown) => {
        if (error instanceof WrongSecondFactor) logins.recordFailure(user, client, error.reason);
        throw error;
      });
      return logins.open(user, client, { secondFactor: 'passkey' });
    });
  }

  private async issue(
    user: StoredUser,
    purpose: Ticket['purpose'],
    { challenge, ...offer }: Omit<Needed['secondFactor'], 'ticket' | 'expiresAt' | 'enrol'> & Pick<Ticket, 'challenge'>,
  ): Promise<Needed> {
    const ticket = newSecret();
    const { id: userId, sessionVersion } = user;
    const voidAt = this.parts.effects.now() + ENROLMENT_MS;
    const value: Ticket = { userId, sessionVersion, purpose, voidAt, challenge, enrolment: null };
    const expiresAt = await this.tickets.put(hashSecret(ticket), { owner: userId, value, lifetimeMs: TICKET_MS });
    return { secondFactor: { ticket, expiresAt: formatUtc(expiresAt), enrol: purpose === 'enrol', ...offer } };
  }

  private withTicket<Result>(
    secret: string,
    purpose: Ticket['purpose'],
    work: (ticket: Ticket, user: StoredUser) => Promise<Result>,
  ): Promise<Result> {
    const key = hashSecret(secret);
    return this.requests.run(key, async () => {
      const ticket = await this.tickets.get(key);
      const user = ticket && (await this.mayLogIn(ticket.userId));
      if (ticket?.purpose !== purpose || user?.sessionVersion !== ticket.sessionVersion) throw voidTicket();
      // Passwords may have been switched off since.
      if (this.parts.effects.now() >= ticket.voidAt || !(await this.allowsPasswords(user))) throw voidTicket();
      return work(ticket, user);
    });
  }

  /** Failures slow the address, as wrong passwords do. */
  private async counted<Result>(
    client: LoginClient,
    user: StoredUser | null,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const attempt = await this.parts.logins.addressAttempt(client, user);
    try {
      const result = await work();
      await attempt.undo();
      return result;
    } catch (error) {
      const isFailure = error instanceof RuntimeError && ['unauthenticated', 'unprocessable'].includes(error.code);
      if (!isFailure) await attempt.undo();
      throw error;
    }
  }

  private async mayLogIn(userId: string): Promise<StoredUser | null> {
    const user = await this.parts.users.find(userId);
    return user?.isActive && !this.parts.tenants.isBlocked(user.tenantId) ? user : null;
  }

  private async allowsPasswords({ tenantId }: StoredUser): Promise<boolean> {
    return (await this.parts.tenants.get(tenantId)).passwordLogin;
  }

  private async countFailure(secret: string, user: StoredUser, client: LoginClient, error: unknown): Promise<void> {
    if (!(error instanceof WrongSecondFactor)) return;
    const key = hashSecret(secret);
    if ((await this.tickets.count(key)) >= MAX_FAILURES) await this.tickets.take(key);
    this.parts.logins.recordFailure(user, client, error.reason);
  }

  private relyingParty(site: Site | undefined): WebAuthnParty | null {
    return site ? relyingPartyOf(this.parts.publicUrl, site) : null;
  }
}

/** Does not tell the reason. */
function voidTicket(): RuntimeError {
  return new RuntimeError('unauthenticated', 'This login was completed, has expired or failed too often. Begin again.');
}
