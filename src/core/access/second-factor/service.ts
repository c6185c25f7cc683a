import type { AuditLog } from '../../base/audit/log.ts';
import { type Caller, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, notFound, type RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import { formatUtc } from '../../base/time/time.ts';
import { Pending, type PendingStore } from '../../limits/rates/pending.ts';
import type { SessionService } from '../auth/sessions.ts';
import type { TenantService } from '../auth/tenants.ts';
import { nextVersion, UserPermissions } from '../users/permissions.ts';
import type { StoredUser, UserStore } from '../users/store.ts';
import { newRecoveryCodes } from './codes.ts';
import type { PendingEnrolment, SecondFactorEnrolment } from './enrolment.ts';
import { relyingPartyOf, type Site } from './passkeys.ts';
import type {
  ConfirmEnrolment,
  Enrolled,
  Enrolment,
  EnrolmentMethod,
  FactorsOfUser,
  Reset,
  SecondFactors,
  ShownPasskey,
  ShownRecoveryCodes,
} from './schema.ts';
import type { StepUp } from './step-up.ts';
import {
  hasFactor,
  type RemovedFactors,
  requiresSecondFactor,
  type SecondFactorStore,
  type StoredPasskey,
} from './store.ts';

export interface SecondFactorParts {
  store: SecondFactorStore;
  users: UserStore;
  tenants: Pick<TenantService, 'get'>;
  sessions: Pick<SessionService, 'endOf'>;
  enrolment: SecondFactorEnrolment;
  stepUp: StepUp;
  pending: PendingStore;
  audit: Pick<AuditLog, 'record'>;
  effects: Pick<Effects, 'now'>;
  publicUrl: string | undefined;
}

const ENROLMENT_MS = 15 * 60_000;

/** The second factors of users. Changes need a step-up, which the routes declare. */
export class SecondFactorService {
  private readonly parts: SecondFactorParts;
  private readonly permissions: UserPermissions;
  /** By session. */
  private readonly pending: Pending<PendingEnrolment>;

  constructor(parts: SecondFactorParts) {
    this.parts = parts;
    this.permissions = new UserPermissions(parts.users);
    this.pending = new Pending(parts.pending, { kind: 'enrolment', perOwner: 1 });
  }

  async list(caller: Caller, site: Site): Promise<SecondFactors> {
    const user = await this.permissions.self(caller);
    const { totp, passkeys, recoveryCodes } = await this.parts.store.find(user.id);
    return {
      required: await this.isRequired(user),
      totp: totp && shownUse(totp),
      passkeys: passkeys.map(shownPasskey),
      recoveryCodes,
      passkeyHost: relyingPartyOf(this.parts.publicUrl, site)?.id ?? null,
    };
  }

  async beginEnrolment(caller: Caller, method: EnrolmentMethod, site: Site): Promise<Enrolment> {
    const user = await this.permissions.self(caller);
    if (!(await this.parts.store.has(user.id))) await this.parts.stepUp.requireFreshLogin(caller);
    const relyingParty = relyingPartyOf(this.parts.publicUrl, site);
    const { pending, enrolment } = await this.parts.enrolment.begin(user, method, relyingParty);
    const session = caller.sessionId ?? '';
    await this.pending.put(session, { owner: session, value: pending, lifetimeMs: ENROLMENT_MS });
    return enrolment;
  }

  /**
   * Throws `unprocessable`. A wrong code leaves what was begun, so that the next one can be tried.
   */
  async confirmEnrolment(caller: Caller, input: ConfirmEnrolment): Promise<Enrolled> {
    const user = await this.permissions.self(caller);
    const session = caller.sessionId ?? '';
    const pending = await this.pending.get(session);
    if (!pending) throw unprocessable('Nothing was begun in this session, or it has expired. Begin again.');
    const enrolled = await this.parts.enrolment.confirm(user, pending, input, { onlyFirst: false });
    await this.pending.take(session);
    await this.parts.stepUp.note(caller);
    return enrolled;
  }

  async renamePasskey(caller: Caller, id: string, name: string): Promise<ShownPasskey> {
    const user = await this.permissions.self(caller);
    const renamed = await this.parts.store.renamePasskey(user.id, id, name);
    if (!renamed) throw noSuch('passkey');
    return shownPasskey(renamed);
  }

  async removePasskey(caller: Caller, id: string): Promise<void> {
    const user = await this.permissions.self(caller);
    const keepsOne = await this.isRequired(user);
    await this.removed(caller, 'passkey', await this.parts.store.removePasskey(user.id, id, { keepsOne }));
  }

  async removeTotp(caller: Caller): Promise<void> {
    const user = await this.permissions.self(caller);
    const keepsOne = await this.isRequired(user);
    await this.removed(caller, 'code', await this.parts.store.removeTotp(user.id, { keepsOne }));
  }

  /** Throws `unprocessable` for a user without a factor. */
  async newRecoveryCodes(caller: Caller): Promise<ShownRecoveryCodes> {
    const user = await this.permissions.self(caller);
    const { store } = this.parts;
    if (!hasFactor(await store.find(user.id))) {
      throw unprocessable('Recovery codes come with a second factor. Add one first.');
    }
    const { codes, hashes } = newRecoveryCodes();
    await store.replaceRecoveryCodes(user.tenantId, user.id, hashes);
    await this.record(caller, user, 'second_factor.recovery_codes_replaced');
    return { recoveryCodes: codes };
  }

  /** For administrators: what another user has, without its details. */
  async ofUser(caller: Caller, userId: string): Promise<FactorsOfUser> {
    requirePortal(caller, 'administrator');
    const user = await this.permissions.userOf(caller, userId);
    const { totp, passkeys } = await this.parts.store.find(user.id);
    return { totp: totp !== null, passkeys: passkeys.length, required: await this.isRequired(user) };
  }

  /**
   * For the operator (null), and for administrators who may set the user's password. Ends the
   * user's sessions and grants.
   */
  async reset(by: Caller | null, userId: string): Promise<Reset> {
    if (by) requirePortal(by, 'administrator');
    const user = await this.permissions.userOf(by, userId);
    await this.permissions.requireGuarded(by, user, ['second factor']);
    const removed = await this.parts.store.removeAll(user.id);
    const { ended } = await this.parts.sessions.endOf(by, user, null);
    await this.endGrants(user);
    await this.record(by, user, 'second_factor.reset', { removed });
    return { removed, ended };
  }

  /** OAuth grants and known browsers carry the version, as sessions do. */
  private async endGrants(user: StoredUser): Promise<void> {
    const { users, effects } = this.parts;
    for (let seen: StoredUser | null = user; seen; seen = await users.find(user.id)) {
      const now = effects.now();
      const options = { updatedAt: now, requiresOtherAdministrator: false };
      if ((await users.change(seen, { sessionVersion: nextVersion(seen, now) }, options)) !== 'stale') return;
    }
  }

  private async removed(caller: Caller, method: EnrolmentMethod, result: RemovedFactors): Promise<void> {
    if (result === 'unknown') throw noSuch(method === 'code' ? 'authenticator app' : 'passkey');
    if (result === 'last') {
      throw conflict('Your tenant requires a second factor, and this is your only one. Add another first.');
    }
    await this.record(caller, await this.permissions.self(caller), 'second_factor.removed', { method });
  }

  private async isRequired({ tenantId, role }: StoredUser): Promise<boolean> {
    const { secondFactor } = await this.parts.tenants.get(tenantId);
    return requiresSecondFactor(secondFactor, role);
  }

  private async record(by: Caller | null, { id, tenantId }: StoredUser, action: string, details = {}): Promise<void> {
    await this.parts.audit.record(by, tenantId, action, id, details);
  }
}

function noSuch(what: string): RuntimeError {
  return notFound(`You have no such ${what}.`);
}

function shownUse({ createdAt, lastUsedAt }: { createdAt: number; lastUsedAt: number | null }) {
  return { createdAt: formatUtc(createdAt), lastUsedAt: lastUsedAt === null ? null : formatUtc(lastUsedAt) };
}

function shownPasskey(passkey: StoredPasskey): ShownPasskey {
  const { id, name, host } = passkey;
  return { id, name, host, ...shownUse(passkey) };
}
