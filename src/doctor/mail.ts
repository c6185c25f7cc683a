import { mailSettings } from '../core/watch/deliveries/mail.ts';
import type { Finding } from './findings.ts';

const check = 'mail server';

/** Connects and logs in; sends nothing. Without a mail server, nothing is found. */
export async function findingsOfMail(config: {
  smtpUrl?: string | undefined;
  smtpFrom?: string | undefined;
}): Promise<Finding[]> {
  const settings = mailSettings(config);
  if (settings === null) return [];
  const { host, port } = settings.server;
  const { probeMailServer } = await import('../senders/email.ts');
  const problem = await probeMailServer(settings);
  const where = `${host}:${port}`;
  if (problem === null) {
    const what = settings.server.login === null ? 'answers' : 'answers, and accepts the login';
    return [{ check, status: 'ok', message: `${where} ${what}` }];
  }
  return [{ check, status: 'failed', message: `${where}: ${problem}. ${REMEDY}` }];
}

const REMEDY = 'Correct AGENT_RUNTIME_SMTP_URL, or the server; e-mails are tried again for 40 hours';
