import { openWith, type SealingKeys, UnopenableSecret } from '../../base/sealing/sealing.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError } from '../../base/shared/errors.ts';
import type { LoginAttempt } from '../auth/attempts.ts';
import type { StoredUser } from '../users/store.ts';
import { hashOfRecoveryCode, stepOfCode, totpPlace } from './codes.ts';
import { authenticationOptions, type Challenge, verifyAssertion, type WebAuthnParty } from './passkeys.ts';
import type { Proof, ProofMethod, StepUpOffer } from './schema.ts';
import type { SecondFactorStore, StoredFactors, StoredPasskey, StoredTotp } from './store.ts';

export interface VerificationParts {
  store: SecondFactorStore;
  sealingKeys: Pick<SealingKeys, 'keyFor'>;
  effects: Pick<Effects, 'now'>;
  /** Counts an attempt. Throws `rate_limited`. */
  attempt: (user: StoredUser, method: 'code' | 'recoveryCode') => Promise<LoginAttempt>;
}

/** `reason` is for the audit log. */
export class WrongSecondFactor extends RuntimeError {
  readonly reason: string;

  constructor(message: string, reason: string) {
    super('unprocessable', message);
    this.reason = reason;
  }
}

export class SecondFactorVerification {
  private readonly parts: VerificationParts;

  constructor(parts: VerificationParts) {
    this.parts = parts;
  }

  /** The methods of the user at this relying party, and the challenge for a passkey. */
  async offer(
    { totp, passkeys, recoveryCodes }: StoredFactors,
    relyingParty: WebAuthnParty | null,
  ): Promise<{ offer: StepUpOffer; challenge: Challenge | null }> {
    const usable = passkeys.filter(({ host }) => host === relyingParty?.id);
    const passkeyOptions = relyingParty && usable.length > 0 ? await authenticationOptions(relyingParty, usable) : null;
    const methods: ProofMethod[] = [
      ...(totp ? (['code'] as const) : []),
      ...(passkeyOptions ? (['passkey'] as const) : []),
      ...(recoveryCodes > 0 ? (['recoveryCode'] as const) : []),
    ];
    const challenge = relyingParty && passkeyOptions ? { value: passkeyOptions.challenge, relyingParty } : null;
    return { offer: { methods, passkeyOptions }, challenge };
  }

  /**
   * Throws a WrongSecondFactor, or `rate_limited`. The use is durable when it resolves: a code
   * works once, also for two requests at once and after a crash.
   */
  async verify(user: StoredUser, proof: Proof, challenge: Challenge | null): Promise<ProofMethod> {
    if (proof.code !== undefined) return this.counted(user, 'code', () => this.useCode(user, proof.code!));
    if (proof.recoveryCode !== undefined) {
      return this.counted(user, 'recoveryCode', () => this.useRecoveryCode(user, proof.recoveryCode!));
    }
    const passkey = proof.passkey && (await this.parts.store.findPasskey(proof.passkey.id));
    if (!challenge || passkey?.userId !== user.id) throw wrongPasskey('a passkey that is not the user’s');
    await this.usePasskey(passkey, proof, challenge, false);
    return 'passkey';
  }

  /** Throws a WrongSecondFactor. */
  async usePasskey(passkey: StoredPasskey, proof: Proof, challenge: Challenge, isWholeLogin: boolean): Promise<void> {
    const { store, effects } = this.parts;
    const counter = await verifyAssertion(proof.passkey!, challenge, { passkey, isWholeLogin });
    if (counter === null) throw wrongPasskey('the passkey does not fit');
    const isCounting = counter > 0 || passkey.counter > 0;
    if (isCounting && counter <= passkey.counter) throw wrongPasskey('the counter of the passkey went back: a copy?');
    // Compare-and-set: of two answers at once with one counter, one counts.
    if (!(await store.usePasskey(passkey, counter, effects.now())))
      throw wrongPasskey('the passkey was used at the same time');
  }

  private async counted(
    user: StoredUser,
    method: 'code' | 'recoveryCode',
    use: () => Promise<void>,
  ): Promise<ProofMethod> {
    const attempt = await this.parts.attempt(user, method);
    try {
      await use();
    } catch (error) {
      if (!(error instanceof WrongSecondFactor)) await attempt.undo();
      throw error;
    }
    await attempt.undo();
    return method;
  }

  private async useCode(user: StoredUser, code: string): Promise<void> {
    const { store, effects } = this.parts;
    const { totp } = await store.find(user.id);
    if (!totp) throw wrongCode('no authenticator app');
    const now = effects.now();
    const step = await stepOfCode(this.secretOf(totp), code.replace(' ', ''), now);
    if (step === null) throw wrongCode('wrong code');
    // Compare-and-set in one statement: of two requests with one code, one counts, in whatever
    // process.
    if (!(await store.useTotp(totp, step, now))) throw wrongCode('a code that was used already');
  }

  private async useRecoveryCode({ id }: StoredUser, code: string): Promise<void> {
    if (await this.parts.store.useRecoveryCode(id, hashOfRecoveryCode(code))) return;
    throw new WrongSecondFactor('recoveryCode: is wrong, or was used already.', 'wrong recovery code');
  }

  private secretOf({ tenantId, userId, sealed }: StoredTotp): string {
    try {
      return openWith(this.parts.sealingKeys, sealed, totpPlace(tenantId, userId));
    } catch (error) {
      if (!(error instanceof UnopenableSecret)) throw error;
      const remedy = 'Use a recovery code or a passkey, or have the second factor reset';
      throw new RuntimeError('unavailable', `The stored secret of the authenticator app ${error.message}. ${remedy}.`);
    }
  }
}

function wrongCode(reason: string): WrongSecondFactor {
  return new WrongSecondFactor('code: is wrong, or was used already. Wait for the next one.', reason);
}

function wrongPasskey(reason: string): WrongSecondFactor {
  return new WrongSecondFactor('passkey: is not accepted. Try again, or use another way.', reason);
}
