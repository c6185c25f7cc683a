import type { SendOutcome } from '../core/watch/deliveries/sender.ts';
import type { Target } from '../core/watch/deliveries/targets.ts';

type EmailTarget = Extract<Target, { type: 'email' }>;

/** Of an error of nodemailer. */
export interface MailFault {
  code?: string | undefined;
  /** The code of the system: `ECONNREFUSED`. */
  originalCode?: string | undefined;
  command?: string | undefined;
  responseCode?: number | undefined;
  response?: string | undefined;
  /** 5yz: the same message would be refused again. */
  permanent?: boolean | undefined;
  recipient?: string | undefined;
  rejectedErrors?: readonly MailFault[] | undefined;
}

/** After the server took the message for all recipients but these. */
export function outcomeOfRefusals(target: EmailTarget, refusals: readonly MailFault[]): SendOutcome {
  if (refusals.length === 0) return { kind: 'sent' };
  const refusedAs = (address: string) =>
    refusals.find(({ recipient }) => recipient?.toLowerCase() === address.toLowerCase());
  const left = target.to.filter((address) => refusedAs(address) !== undefined);
  const accepted = target.to.length - left.length;
  const shown = left.map((address) => `${address} (${replyOf(refusedAs(address)!)})`).join(', ');
  const others = accepted === 0 ? '' : `; it accepted the message for the other ${accepted}`;
  const error = `The mail server refused ${shown}${others}.`;
  if (refusals.every(({ permanent }) => permanent)) return { kind: 'dead', error };
  return { kind: 'retry', error, ...(accepted > 0 && { rest: { type: 'email', to: left } }) };
}

/**
 * After nothing was sent. A refused recipient or message is final; a refused login or sender is
 * not, which the operator may mend.
 */
export function outcomeOfFault(target: EmailTarget, fault: MailFault): SendOutcome {
  const { code, command, rejectedErrors, permanent, responseCode } = fault;
  if (rejectedErrors && rejectedErrors.length > 0) return outcomeOfRefusals(target, rejectedErrors);
  if (command === 'DATA' && responseCode !== undefined) {
    const error = `The mail server refused the message (${replyOf(fault)}).`;
    return { kind: permanent ? 'dead' : 'retry', error };
  }
  const error = `${problemOf(code, command)} (${replyOf(fault)}).`;
  return { kind: 'retry', error, ...(code === 'ETIMEDOUT' && { timedOut: true as const }) };
}

/** For the operator, too (`doctor`). */
export function problemOf(code: string | undefined, command: string | undefined): string {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'The mail server refused the login';
  if (code === 'ETLS') return 'No encrypted connection to the mail server could be made';
  if (command === 'MAIL FROM') return 'The mail server refused the sender';
  if (command === undefined || command === 'CONN')
    return 'The mail server could not be reached, or ended the connection';
  return 'The mail server did not take the message';
}

/** The reply's codes: its text may repeat what it was sent. */
export function replyOf({ response, responseCode, originalCode, code }: MailFault): string {
  const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '') ?? [];
  if (responseCode !== undefined) return enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`;
  const known = originalCode ?? code ?? '';
  return /^[A-Z][A-Z_0-9]+$/.test(known) ? known : 'no code';
}
