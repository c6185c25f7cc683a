import { isIP } from 'node:net';
import { isWithin } from '../../base/shared/addresses.ts';

const GOOGLE = 'https://accounts.google.com';
const MICROSOFT = 'https://login.microsoftonline.com';

export function isGoogle(issuer: string): boolean {
  return URL.parse(issuer)?.origin === GOOGLE;
}

/** Everybody with a Microsoft account, or of any directory, may log in at these. */
export function isOfSeveralDirectories(issuer: string): boolean {
  const url = URL.parse(issuer);
  return url?.origin === MICROSOFT && /^\/(common|organizations|consumers)(\/|$)/i.test(url.pathname);
}

export function isOfOneDirectory(issuer: string): boolean {
  return URL.parse(issuer)?.origin === MICROSOFT && !isOfSeveralDirectories(issuer);
}

/**
 * Unencrypted, only within the networks that the operator allows: by address, as localhost or by a
 * name without dots.
 */
export function mayUseHttp(issuer: string, networks: readonly string[]): boolean {
  const host = (URL.parse(issuer)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1');
  if (networks.length === 0) return false;
  return isIP(host) === 0 ? host !== '' && !host.includes('.') : isWithin(host, networks);
}
