import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import { oneLine } from '../core/base/shared/text.ts';
import { TIMEOUTS_MS } from '../core/watch/deliveries/attempt.ts';
import type { MailSettings } from '../core/watch/deliveries/mail.ts';
import type { Message, SendContext, Sender, SendOutcome } from '../core/watch/deliveries/message.ts';
import type { Target } from '../core/watch/deliveries/targets.ts';

export interface MailTimeouts {
  /** Milliseconds to connect, and to be greeted. */
  connect: number;
  /** For each reply before the end of the message, and for each pause of a server that reads it. */
  command: number;
  /**
   * For the reply to the final dot: a server may check the message first, and an aborted one may
   * have been accepted.
   */
  end: number;
}

/** A user waits for a probe. */
const PROBE_TIMEOUT_MS = 5_000;
const TIMEOUTS: MailTimeouts = { connect: 15_000, command: 30_000, end: TIMEOUTS_MS.email };

/** One connection for each message. */
export function makeMailSender(settings: MailSettings, timeouts = TIMEOUTS): Sender {
  return {
    async send(target, message, context) {
      if (target.type !== 'email') throw new TypeError('the mail sender sends e-mail only');
      try {
        const mail = { ...mailOf(message, settings, context), to: target.to };
        const { rejectedErrors = [] } = await deliver(mail, settings, timeouts, context.signal);
        return outcomeOfRefusals(target, rejectedErrors);
      } catch (error) {
        context.signal.throwIfAborted();
        return outcomeOfFault(target, error as MailFault);
      }
    },
  };
}

type Mail = ConstructorParameters<typeof MailComposer>[0];

function deliver(
  mail: Mail,
  settings: MailSettings,
  timeouts: MailTimeouts,
  signal: AbortSignal,
): Promise<SMTPConnectionSendInfo> {
  const message = new MailComposer(mail).compile();
  const options = { ...connectionOptions(settings, timeouts.connect), socketTimeout: timeouts.command };
  return withConnection(options, settings, signal, (connection, { resolve, reject }) => {
    const content = message.createReadStream();
    content.once('end', () => {
      if (connection._socket) connection._socket.setTimeout(timeouts.end);
    });
    connection.send(message.getEnvelope(), content, (error, info) => (info ? resolve(info) : reject(error)));
  });
}

/** Connects and logs in. Null: it works. */
export async function probeMailServer(settings: MailSettings, timeoutMs = PROBE_TIMEOUT_MS): Promise<string | null> {
  const { signal } = new AbortController();
  try {
    await withConnection<void>(connectionOptions(settings, timeoutMs), settings, signal, (_, { resolve }) => resolve());
    return null;
  } catch (error) {
    const fault = error as MailFault;
    return `${problemOf(fault.code, fault.command)} (${replyOf(fault)})`;
  }
}

/**
 * Uses a connection that is logged in. Rejects with a `MailFault`, or with the reason of the
 * signal; the connection is closed then.
 */
function withConnection<Result>(
  options: SMTPConnection.Options,
  { server: { login } }: MailSettings,
  signal: AbortSignal,
  use: (connection: SMTPConnection, end: Pick<PromiseWithResolvers<Result>, 'resolve' | 'reject'>) => void,
): Promise<Result> {
  const connection = new SMTPConnection(options);
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onAbort = () => reject(signal.reason);
  // It stays: an error after the end must not end the process.
  connection.on('error', reject);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  else {
    connection.connect((refused) => {
      if (refused) reject(refused);
      else if (login === null) use(connection, { resolve, reject });
      // Logs in even where the server offers no login: else a message would be sent without it.
      else
        connection.login({ credentials: { user: login.user, pass: login.password } }, (error) =>
          error ? reject(error) : use(connection, { resolve, reject }),
        );
    });
  }
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
    connection.close();
  });
}

function connectionOptions({ server }: MailSettings, timeoutMs: number) {
  const { host, port, isTls, mustStartTls } = server;
  return {
    host,
    port,
    secure: isTls,
    requireTLS: mustStartTls,
    connectionTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  };
}

function mailOf({ title, text, html, pictures = [] }: Message, { from }: MailSettings, context: SendContext) {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    from,
    subject: oneLine(title),
    text,
    ...(html !== undefined && { html }),
    attachments: pictures.map(({ name, png, cid }) => ({
      filename: name,
      content: png,
      encoding: 'base64' as const,
      contentType: 'image/png',
      cid,
      contentDisposition: 'inline' as const,
    })),
    messageId: `<${context.id}@${domain}>`,
    date: new Date(context.createdAt),
    // No automatic answers (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

type EmailTarget = Extract<Target, { type: 'email' }>;

/** The members of nodemailer's errors that count. */
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
