import { mailSettings } from '../core/watch/deliveries/mail.ts';
import { type CertificateFiles, expiryWarning, readCertificate } from '../storage/installation/certificate.ts';
import type { Finding } from './findings.ts';

export function findingsOfCertificate(files: CertificateFiles, now: number): Finding[] {
  const finding = (status: Finding['status'], message: string): Finding[] => [
    { check: 'TLS certificate', status, message },
  ];
  try {
    const certificate = readCertificate(files);
    if (certificate === null) return [];
    const warning = expiryWarning(certificate, now);
    if (warning !== null) return finding('warning', warning);
    return finding('ok', `${certificate.names}, valid until ${certificate.validTo.toISOString()}`);
  } catch (error) {
    return finding('failed', (error as Error).message);
  }
}

/** Warns of a public URL without trusted proxies and without a certificate of its own. */
export function findingsOfProxies({
  publicUrl,
  tlsCertificate,
  trustedProxies,
}: {
  publicUrl?: string | undefined;
  tlsCertificate?: string | undefined;
  trustedProxies: readonly string[];
}): Finding[] {
  const check = 'trusted proxies';
  if (trustedProxies.length > 0) return [{ check, status: 'ok', message: trustedProxies.join(', ') }];
  if (publicUrl === undefined || tlsCertificate !== undefined) return [];
  const message =
    'none, though AGENT_RUNTIME_PUBLIC_URL is set: all clients of a proxy count as its one address. Name it in AGENT_RUNTIME_TRUSTED_PROXIES';
  return [{ check, status: 'warning', message }];
}

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
