import { isPrivateUrl } from '../providers/address.ts';

/** A host as callers may read it. Addresses within are not for them; a definition that the operator has written may hold one. */
export function shownHost(url: URL): string {
  return isPrivateUrl(url) ? 'the host' : url.host;
}
