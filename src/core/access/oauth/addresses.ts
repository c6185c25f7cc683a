import { isLoopbackName } from '../../base/network/addresses.ts';

/** True of https, and of http on this machine. */
export function isSecureAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopbackName(hostname);
}

/** Where OAuth is off, and the remedy; null: it is on for every client. */
export function oauthNotice({ publicUrl, host }: { publicUrl?: string | undefined; host: string }): string | null {
  if (publicUrl !== undefined) {
    if (isSecureAddress(publicUrl)) return null;
    return `OAuth is off: at ${publicUrl} (AGENT_RUNTIME_PUBLIC_URL), access tokens would cross the network unencrypted. Use an https address`;
  }
  if (isLoopbackName(host) || host === '::1') return null;
  return 'OAuth works only on this machine. For other clients, set AGENT_RUNTIME_PUBLIC_URL to the https address of this server';
}
