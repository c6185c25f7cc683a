import { isIP } from 'node:net';

/** In the words of WebAuthn: the server that passkeys are for. */
export interface WebAuthnParty {
  /** A host name. Browsers refuse IP addresses. */
  id: string;
  origin: string;
}

/** How the browser addresses the server. */
export interface Site {
  /** The header `Host`, which `http/hosts.ts` has checked. */
  host: string | undefined;
  secure: boolean;
}

/**
 * From the public URL, else of `localhost`. Null where browsers offer no passkeys: at IP addresses,
 * and over http.
 */
export function relyingPartyOf(publicUrl: string | undefined, { host = '', secure }: Site): WebAuthnParty | null {
  const url = URL.parse(publicUrl ?? `${secure ? 'https' : 'http'}://${host}`);
  if (!url) return null;
  const { hostname, origin, protocol } = url;
  const isLocal = hostname === 'localhost';
  if (isLocal) return { id: hostname, origin };
  if (publicUrl === undefined || protocol !== 'https:' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return { id: hostname, origin };
}
