import { unprocessable } from '../../base/shared/errors.ts';
import type { Target } from './targets.ts';

/**
 * The size of the message as JSON. Mail servers take 10 MB at least, and base64 is a third longer
 * than a picture.
 */
const MAX_BYTES = 10 * 1024 * 1024;

/** For e-mail: `html` shows it with `<img src="cid:...">`. */
export interface MessagePicture {
  name: string;
  /** Base64. */
  png: string;
  cid: string;
}

/** The message to deliver. Each kind of target takes from it what it can show. */
export interface Message {
  /** `alert.alerting`, `alert.ok` or `digest` for example. */
  type: string;
  /** A single line: the subject of an e-mail. */
  title: string;
  /** Plain lines. */
  text: string;
  /** For webhooks. */
  data: Record<string, unknown>;
  /** For e-mail, beside the text. */
  html?: string;
  pictures?: MessagePicture[];
}

/** Throws `unprocessable` for a message that is too large. */
export function storedMessage(message: Message): string {
  const body = JSON.stringify(message);
  if (Buffer.byteLength(body) <= MAX_BYTES) return body;
  throw unprocessable(
    `The message has more than ${MAX_BYTES / 1024 / 1024} MB. Send it with fewer or smaller pictures.`,
  );
}

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
  /** The id of the delivery, equal in each attempt, so that receivers can drop a repeated one. */
  id: string;
  /** The time of the delivery, in epoch milliseconds. */
  createdAt: number;
  /** The time of the attempt, in epoch milliseconds. */
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
