import type { AuditLog } from '../../base/audit/log.ts';
import { type SealingKeys, seal } from '../../base/sealing/sealing.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, invalid, notFound, type RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import type { TenantService } from '../auth/tenants.ts';
import type { StoredUser } from '../users/store.ts';
import { newRecoveryCodes, newTotpSecret, stepOfCode, totpPlace, totpUri } from './codes.ts';
import { type Challenge, registrationOptions, verifyRegistration, type WebAuthnParty } from './passkeys.ts';
import type { ConfirmEnrolment, Enrolled, Enrolment, EnrolmentMethod } from './schema.ts';
import type { Added, SecondFactorStore } from './store.ts';

export interface EnrolmentParts {
  store: SecondFactorStore;
  tenants: Pick<TenantService, 'get'>;
  sealingKeys: Pick<SealingKeys, 'active'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

/** An enrolment that was begun, until it is confirmed. */
export type PendingEnrolment = { method: 'code'; secret: string } | { method: 'passkey'; challenge: Challenge };

const MAX_PASSKEYS = 20;

/** Adds a factor in two steps: it is stored once the user has shown that it works. */
export class SecondFactorEnrolment {
  private readonly parts: EnrolmentParts;

  constructor(parts: EnrolmentParts) {
    this.parts = parts;
  }

  /** Throws `unprocessable` for a passkey at an address that has none. */
  async begin(
    user: StoredUser,
    method: EnrolmentMethod,
    relyingParty: WebAuthnParty | null,
  ): Promise<{ pending: PendingEnrolment; enrolment: Enrolment }> {
    if (method === 'code') {
      const secret = await newTotpSecret();
      const uri = await totpUri(secret, await this.entryOf(user, relyingParty));
      return { pending: { method, secret }, enrolment: { totp: { secret, uri }, passkeyOptions: null } };
    }
    if (!relyingParty) throw noPasskeysHere();
    const { passkeys } = await this.parts.store.find(user.id);
    if (passkeys.length >= MAX_PASSKEYS) {
      throw unprocessable(`A user has at most ${MAX_PASSKEYS} passkeys. Remove one first.`);
    }
    const here = passkeys.filter(({ host }) => host === relyingParty.id);
    const passkeyOptions = await registrationOptions(user, relyingParty, here);
    const challenge = { value: passkeyOptions.challenge, relyingParty };
    return { pending: { method, challenge }, enrolment: { totp: null, passkeyOptions } };
  }

  /**
   * Throws `unprocessable`, and `conflict` where the user has a factor against `onlyFirst`. Durable
   * when it resolves.
   */
  async confirm(
    user: StoredUser,
    pending: PendingEnrolment,
    input: ConfirmEnrolment,
    { onlyFirst }: { onlyFirst: boolean },
  ): Promise<Enrolled> {
    const { codes, hashes } = newRecoveryCodes();
    const options = { recoveryCodes: hashes, onlyFirst };
    const added =
      pending.method === 'code'
        ? await this.addTotp(user, pending.secret, input, options)
        : await this.addPasskey(user, pending.challenge, input, options);
    if (added === 'not first') throw conflict('The user has a second factor already. Log in again.');
    if (added === 'duplicate') throw unprocessable('passkey: is in use already.');
    if (added === 'unknown user') throw notFound('The user is no longer there.');
    const { audit } = this.parts;
    const { id, tenantId, email } = user;
    const details = { method: pending.method };
    await audit.record({ kind: 'user', id, label: email }, tenantId, 'second_factor.added', id, details);
    return { recoveryCodes: added === 'first' ? codes : null };
  }

  private async addTotp(
    { id, tenantId }: StoredUser,
    secret: string,
    { code }: ConfirmEnrolment,
    options: { recoveryCodes: string[]; onlyFirst: boolean },
  ): Promise<Added> {
    if (code === undefined) throw invalid('code: is needed, since an authenticator app was begun');
    const { store, sealingKeys, effects } = this.parts;
    const now = effects.now();
    const step = await stepOfCode(secret, code.replace(' ', ''), now);
    if (step === null) {
      const clock = 'Check that the clocks of your device and of the server are right.';
      throw unprocessable(`code: does not fit. ${clock}`);
    }
    const sealed = seal(await sealingKeys.active(), secret, totpPlace(tenantId, id));
    const totp = { tenantId, userId: id, sealed, lastStep: step, createdAt: now, lastUsedAt: null };
    return store.addTotp(totp, options);
  }

  private async addPasskey(
    { id: userId, tenantId }: StoredUser,
    challenge: Challenge,
    { passkey, name = 'Passkey' }: ConfirmEnrolment,
    options: { recoveryCodes: string[]; onlyFirst: boolean },
  ): Promise<Added> {
    if (passkey === undefined) throw invalid('passkey: is needed, since a passkey was begun');
    const { store, effects } = this.parts;
    const registered = await verifyRegistration(passkey, challenge);
    if (!registered) throw unprocessable('passkey: is not accepted. Begin again.');
    const times = { createdAt: effects.now(), lastUsedAt: null };
    return store.addPasskey({ id: effects.newId(), tenantId, userId, ...registered, name, ...times }, options);
  }

  /** Some apps replace an entry of the same issuer and label. */
  private async entryOf(user: StoredUser, relyingParty: WebAuthnParty | null) {
    const { name } = await this.parts.tenants.get(user.tenantId);
    const isNamed = relyingParty !== null && relyingParty.id !== 'localhost';
    return {
      issuer: isNamed ? `Agent Runtime (${relyingParty.id})` : 'Agent Runtime',
      label: name === 'default' ? user.email : `${user.email} (${name})`,
    };
  }
}

export function noPasskeysHere(): RuntimeError {
  return unprocessable(
    'Passkeys need a host name and https, or localhost: browsers refuse IP addresses. Open the portal at its public URL or at http://localhost.',
  );
}
