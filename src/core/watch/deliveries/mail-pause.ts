import type { SendOutcome } from './sender.ts';

/** After so many attempts in a row that the mail server did not answer in time. */
const TIMEOUTS = 3;
const PAUSE_MS = 60_000;

/**
 * Circuit breaker of the mail server, which all tenants share: messages wait, and lose no attempts
 * to one that hangs.
 */
export class MailPause {
  private timeouts = 0;
  private until = Number.NEGATIVE_INFINITY;

  note(outcome: SendOutcome, now: number): void {
    this.timeouts = outcome.kind === 'retry' && outcome.timedOut ? this.timeouts + 1 : 0;
    if (this.timeouts >= TIMEOUTS) this.until = now + PAUSE_MS;
  }

  /**
   * Milliseconds until e-mails may be sent again; a clock that was set back does not prolong them.
   */
  left(now: number): number {
    const left = this.until - now;
    return left > PAUSE_MS ? 0 : Math.max(0, left);
  }
}
