import type { Effects } from '../../base/shared/effects.ts';
import type { DeliveryLimits } from './limits.ts';
import { type Recipients, WHO_MAY } from './mail.ts';
import type { Sender } from './message.ts';

export interface DirectMailParts {
  sender: Sender;
  recipients: Pick<Recipients, 'refused'>;
  limits: Pick<DeliveryLimits, 'countTest'>;
  effects: Effects;
}

/** A person waits for the answer. */
const TIMEOUT_MS = 20_000;

/** Sends one e-mail at once, for texts with a secret: nothing of it is stored, nor tried again. */
export class DirectMail {
  private readonly parts: DirectMailParts;

  constructor(parts: DirectMailParts) {
    this.parts = parts;
  }

  /** Why the address may not be written to; null if it may. Throws `rate_limited`. */
  async refusal(tenantId: string, address: string): Promise<string | null> {
    const { recipients, limits } = this.parts;
    const refused = await recipients.refused(tenantId, [address]);
    if (refused.length > 0) return `${address} is not allowed; ${WHO_MAY}`;
    await limits.countTest(tenantId);
    return null;
  }

  /** The error that the tenant may see; null if the mail server took it. */
  async send(tenantId: string, address: string, mail: { title: string; text: string }): Promise<string | null> {
    const { sender, effects } = this.parts;
    const now = effects.now();
    const message = { type: 'invitation', ...mail, data: {} };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const context = { tenantId, id: effects.newId(), createdAt: now, timestamp: now, signal };
    try {
      const outcome = await sender.send({ type: 'email', to: [address] }, message, context);
      return outcome.kind === 'sent' ? null : outcome.error;
    } catch (error) {
      if (signal.aborted) return 'The mail server did not answer in time.';
      throw error;
    }
  }
}
