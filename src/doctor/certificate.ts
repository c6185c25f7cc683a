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
