import nodemailer from 'nodemailer';
import { TIMEOUTS_MS } from '../core/deliveries/attempt.ts';
import type { MailSettings } from '../core/deliveries/mail-settings.ts';
import type { Message } from '../core/deliveries/message.ts';
import type { SendContext, Sender } from '../core/deliveries/sender.ts';
import { oneLine } from '../core/shared/text.ts';
import { type MailFault, outcomeOfFault, outcomeOfRefusals } from './mail-faults.ts';

/** To connect. */
const TIMEOUT_MS = 15_000;

/** One connection for each message. */
export function makeMailSender(settings: MailSettings): Sender {
  const transport = nodemailer.createTransport({
    ...transportOptions(settings, TIMEOUT_MS),
    socketTimeout: TIMEOUTS_MS.email,
  });
  return {
    async send(target, message, context) {
      if (target.type !== 'email') throw new TypeError('the mail sender sends e-mail only');
      try {
        const mail = { ...mailOf(message, settings, context), to: target.to, signal: context.signal };
        const { rejectedErrors = [] } = await transport.sendMail(mail);
        return outcomeOfRefusals(target, rejectedErrors);
      } catch (error) {
        context.signal.throwIfAborted();
        return outcomeOfFault(target, error as MailFault);
      }
    },
  };
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
    disableFileAccess: true,
    disableUrlAccess: true,
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
  };
}
