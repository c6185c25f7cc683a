import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { invalid, type RuntimeError } from '../../core/base/shared/errors.ts';

export interface CertificateFiles {
  tlsCertificate?: string | undefined;
  tlsKey?: string | undefined;
}

export interface Certificate {
  /** PEM, with the intermediate certificates. */
  cert: string;
  /** PEM. Never log it. */
  key: string;
  names: string;
  validTo: Date;
}

const WARNING_MS = 14 * 86_400_000;

const CERTIFICATE = 'tlsCertificate (AGENT_RUNTIME_TLS_CERTIFICATE)';
const KEY = 'tlsKey (AGENT_RUNTIME_TLS_KEY)';

/** Null without the settings. Throws `invalid`, which names the setting and quotes no content. */
export function readCertificate({ tlsCertificate, tlsKey }: CertificateFiles): Certificate | null {
  if (tlsCertificate === undefined || tlsKey === undefined) return null;
  const cert = read(CERTIFICATE, tlsCertificate);
  const key = read(KEY, tlsKey);
  const parsed = parseCertificate(cert, tlsCertificate);
  if (!parsed.checkPrivateKey(parseKey(key, tlsKey))) {
    throw invalid(
      `${KEY}: ${tlsKey} is not the key of the first certificate in ${tlsCertificate}. The server's own certificate comes first, then the intermediate ones.`,
    );
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw invalid(`${CERTIFICATE}: ${tlsCertificate} cannot be used (${(error as NodeJS.ErrnoException).code}).`);
  }
  return { cert, key, names: parsed.subjectAltName ?? parsed.subject, validTo: parsed.validToDate };
}

/** Null while it is valid for two weeks or longer. */
export function expiryWarning({ validTo }: Pick<Certificate, 'validTo'>, now: number): string | null {
  const date = validTo.toISOString();
  if (validTo.getTime() < now) return `the TLS certificate expired on ${date}, and clients refuse it: renew it`;
  return validTo.getTime() - now < WARNING_MS ? `the TLS certificate expires on ${date}: renew it` : null;
}

function parseCertificate(text: string, path: string): X509Certificate {
  try {
    if (text.includes('-----BEGIN CERTIFICATE-----')) return new X509Certificate(text);
  } catch {
    // Reported below.
  }
  throw notPem(CERTIFICATE, path, 'certificate');
}

function parseKey(text: string, path: string): KeyObject {
  if (/BEGIN ENCRYPTED|^Proc-Type: .*ENCRYPTED/m.test(text)) {
    throw invalid(`${KEY}: ${path} is encrypted. Decrypt it first: openssl pkey -in ${path} -out NEW_FILE`);
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw notPem(KEY, path, 'private key');
  }
}

function notPem(setting: string, path: string, what: string): RuntimeError {
  return invalid(`${setting}: ${path} does not have a ${what} in PEM form.`);
}

function read(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`${setting}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
