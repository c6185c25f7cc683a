import type { AuditLog } from '../../base/audit/log.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { forbidden, RuntimeError } from '../../base/shared/errors.ts';
import { formatUtc } from '../../base/time/time.ts';
import { Pending, type PendingStore } from '../../limits/rates/pending.ts';
import type { SessionStore } from '../auth/store.ts';
import { UserPermissions } from '../users/permissions.ts';
import type { UserStore } from '../users/store.ts';
import { type Challenge, relyingPartyOf, type Site } from './passkeys.ts';
import type { Proof, SteppedUp, StepUpOffer } from './schema.ts';
import type { SecondFactorStore } from './store.ts';
import { type SecondFactorVerification, WrongSecondFactor } from './verification.ts';

export interface StepUpParts {
  store: SecondFactorStore;
  sessions: Pick<SessionStore, 'find' | 'recordSecondFactor'>;
  users: Pick<UserStore, 'find'>;
  verification: SecondFactorVerification;
  pending: PendingStore;
  audit: Pick<AuditLog, 'record'>;
  effects: Pick<Effects, 'now'>;
  publicUrl: string | undefined;
}

const MAX_AGE_SECONDS = 600;
const CHALLENGE_MS = 5 * 60_000;

/** Asks for a second factor again before changes of keys, credentials and users. */
export class StepUp {
  private readonly parts: StepUpParts;
  private readonly permissions: UserPermissions;
  /** By session. */
  private readonly challenges: Pending<Challenge>;

  constructor(parts: StepUpParts) {
    this.parts = parts;
    this.permissions = new UserPermissions(parts.users);
    this.challenges = new Pending(parts.pending, { kind: 'step-up', perOwner: 1 });
  }

  /**
   * Throws `forbidden`, with `maxAge`, for a user whose second factor is older. API keys and users
   * without one pass.
   */
  async require(caller: Caller): Promise<void> {
    const { credential, sessionId = '' } = caller;
    if (credential.kind !== 'user' || !(await this.parts.store.has(credential.id))) return;
    const session = await this.parts.sessions.find(sessionId);
    const at = session?.secondFactorAt ?? Number.NEGATIVE_INFINITY;
    // The clock may have been set back.
    if (Math.abs(this.parts.effects.now() - at) < MAX_AGE_SECONDS * 1_000) return;
    throw new RuntimeError(
      'forbidden',
      'This needs your second factor, given within the last ten minutes: POST /api/v1/portal/me/step-up, then repeat the request.',
      { maxAge: MAX_AGE_SECONDS },
    );
  }

  /**
   * Whoever took over a session must not keep the account with a factor of their own. Throws
   * `forbidden`.
   */
  async requireFreshLogin({ sessionId = '' }: Caller): Promise<void> {
    const session = await this.parts.sessions.find(sessionId);
    const at = session?.createdAt ?? Number.NEGATIVE_INFINITY;
    if (Math.abs(this.parts.effects.now() - at) < MAX_AGE_SECONDS * 1_000) return;
    throw forbidden('Log out and in again first: your first second factor is added within ten minutes of a login.');
  }

  async offer(caller: Caller, site: Site): Promise<StepUpOffer> {
    const user = await this.permissions.self(caller);
    const { store, verification, publicUrl } = this.parts;
    const { offer, challenge } = await verification.offer(await store.find(user.id), relyingPartyOf(publicUrl, site));
    const session = caller.sessionId ?? '';
    if (challenge) {
      await this.challenges.put(session, { owner: session, value: challenge, lifetimeMs: CHALLENGE_MS });
    }
    return offer;
  }

  /** Throws `unprocessable` for a wrong factor, or `rate_limited`. */
  async confirm(caller: Caller, proof: Proof): Promise<SteppedUp> {
    const user = await this.permissions.self(caller);
    const challenge = proof.passkey ? await this.challenges.take(caller.sessionId ?? '') : null;
    const method = await this.parts.verification.verify(user, proof, challenge).catch(async (error: unknown) => {
      if (error instanceof WrongSecondFactor) await this.record(caller, 'second_factor.failed', error.reason);
      throw error;
    });
    const steppedUp = await this.note(caller);
    await this.record(caller, 'second_factor.confirmed', method);
    return steppedUp;
  }

  /** The user has just given a second factor in this session. */
  async note({ sessionId = '' }: Caller): Promise<SteppedUp> {
    const now = this.parts.effects.now();
    await this.parts.sessions.recordSecondFactor(sessionId, now);
    return { validUntil: formatUtc(now + MAX_AGE_SECONDS * 1_000) };
  }

  private async record(caller: Caller, action: string, what: string): Promise<void> {
    const details = action === 'second_factor.failed' ? { reason: what } : { method: what };
    await this.parts.audit.record(caller, caller.tenantId, action, caller.credential.id, details);
  }
}
