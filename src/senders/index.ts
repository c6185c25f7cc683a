import type { MailSettings } from '../core/watch/deliveries/mail.ts';
import type { Sender, SendOutcome } from '../core/watch/deliveries/message.ts';

export interface SenderSettings {
  /** Null without a mail server. */
  mail: MailSettings | null;
  /** Private networks that webhooks may lie in, in CIDR notation. */
  networks: readonly string[];
}

const NO_MAIL_SERVER: SendOutcome = {
  kind: 'retry',
  error: 'No mail server is set: the operator sets AGENT_RUNTIME_SMTP_URL and AGENT_RUNTIME_SMTP_FROM.',
};

/** Loads what a kind of target needs with its first message: undici and nodemailer are large. */
export function makeSender({ mail, networks }: SenderSettings): Sender {
  let mailSender: Promise<Sender> | undefined;
  return {
    async send(target, message, context) {
      if (target.type !== 'email') {
        const { sendSlack, sendWebhook } = await import('./webhook.ts');
        const posted = { ...context, networks };
        return target.type === 'slack' ? sendSlack(target, message, posted) : sendWebhook(target, message, posted);
      }
      if (mail === null) return NO_MAIL_SERVER;
      mailSender ??= import('./email.ts').then(({ makeMailSender }) => makeMailSender(mail));
      return (await mailSender).send(target, message, context);
    },
  };
}
