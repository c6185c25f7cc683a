import type { Finding } from './findings.ts';

/** Warns of a public URL without trusted proxies. */
export function findingsOfProxies({
  publicUrl,
  trustedProxies,
}: {
  publicUrl?: string | undefined;
  trustedProxies: readonly string[];
}): Finding[] {
  const check = 'trusted proxies';
  if (trustedProxies.length > 0) return [{ check, status: 'ok', message: trustedProxies.join(', ') }];
  if (publicUrl === undefined) return [];
  const message =
    'none, though AGENT_RUNTIME_PUBLIC_URL is set: all clients of a proxy count as its one address. Name it in AGENT_RUNTIME_TRUSTED_PROXIES';
  return [{ check, status: 'warning', message }];
}
