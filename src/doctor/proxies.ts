import type { Finding } from './findings.ts';

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
