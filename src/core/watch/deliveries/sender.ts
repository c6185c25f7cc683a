import type { Message } from './message.ts';
import type { Target } from './targets.ts';

export type SendOutcome =
  | { kind: 'sent' }
  /**
   * Another attempt may succeed. `retryAfterMs`: not before. `rest`: the part of the target that
   * has not accepted it, if another part has. `timedOut`: the receiver did not answer in time.
   */
  | { kind: 'retry'; error: string; retryAfterMs?: number | null; rest?: Target; timedOut?: true }
  /** No attempt will succeed. */
  | { kind: 'dead'; error: string };

export interface SendContext {
  tenantId: string;
  /** Of the delivery; the same in each attempt, so that receivers can drop a repeated one. */
  id: string;
  /** Of the delivery, in epoch milliseconds. */
  createdAt: number;
  /** Of the attempt, in epoch milliseconds. */
  timestamp: number;
  signal: AbortSignal;
}

/**
 * Sends a message once. Errors of outcomes are shown to the tenant: they disclose neither secrets
 * nor internal addresses. Rejects with the signal's reason when it is aborted, and has closed its
 * connection then; any other rejection is a defect.
 */
export interface Sender {
  send(target: Target, message: Message, context: SendContext): Promise<SendOutcome>;
}
