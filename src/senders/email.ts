import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import { oneLine } from '../core/base/shared/text.ts';
import { TIMEOUTS_MS } from '../core/watch/deliveries/attempt.ts';
import type { MailSettings } from '../core/watch/deliveries/mail-settings.ts';
import type { Message } from '../core/watch/deliveries/message.ts';
import type { SendContext, Sender } from '../core/watch/deliveries/sender.ts';
import { type MailFault, outcomeOfFault, outcomeOfRefusals } from './mail-faults.ts';

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

/** Rejects with a `MailFault`, or with the reason of the signal; the connection is closed then. */
function deliver(
  mail: Mail,
  settings: MailSettings,
  timeouts: MailTimeouts,
  signal: AbortSignal,
): Promise<SMTPConnectionSendInfo> {
  const message = new MailComposer(mail).compile();
  const connection = new SMTPConnection({
    ...transportOptions(settings, timeouts.connect),
    socketTimeout: timeouts.command,
  });
  const { promise, resolve, reject } = Promise.withResolvers<SMTPConnectionSendInfo>();
  const onAbort = () => reject(signal.reason);
  const send = () => {
    const content = message.createReadStream();
    content.once('end', () => {
      if (connection._socket) connection._socket.setTimeout(timeouts.end);
    });
    connection.send(message.getEnvelope(), content, (error, info) => (info ? resolve(info) : reject(error)));
  };
  const { login } = settings.server;
  // It stays: an error after the end must not end the process.
  connection.on('error', reject);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  else {
    connection.connect((refused) => {
      if (refused) reject(refused);
      else if (login === null) send();
      // Also where the server offers none: else a message would be sent without it.
      else
        connection.login({ credentials: { user: login.user, pass: login.password } }, (error) =>
          error ? reject(error) : send(),
        );
    });
  }
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
    connection.close();
  });
}

export function transportOptions({ server }: MailSettings, timeoutMs: number) {
  const { host, port, isTls, mustStartTls, login } = server;
  return {
    host,
    port,
    secure: isTls,
    requireTLS: mustStartTls,
    connectionTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Otherwise a server that offers no login is used without one.
    ...(login && { auth: { user: login.user, pass: login.password }, forceAuth: true }),
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
