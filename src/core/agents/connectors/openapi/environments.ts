import { isObject } from '../../../base/json-schema/values.ts';
import { isPrivateUrl } from '../../providers/address.ts';
import { webAddressSchema } from '../definition/environment-schema.ts';
import { within } from './document.ts';
import type { Notes } from './notes.ts';
import { listOf, objectOf, own } from './values.ts';

export interface Addresses {
  production?: string;
  staging?: string;
}

const STAGING = /(?<![a-z])(staging|stage|sandbox|test|testing|dev|development)(?![a-z])/i;

interface Server {
  url: string;
  isStaging: boolean;
}

export function importServers(servers: unknown, at: string, allowPrivate: boolean, notes: Notes): Addresses {
  const usable = listOf(servers).flatMap((one, index) => serverOf(one, within(at, index), allowPrivate, notes) ?? []);
  const production = preferred(usable.filter(({ isStaging }) => !isStaging));
  const staging = preferred(usable.filter(({ isStaging }) => isStaging));
  for (const address of [production, staging]) {
    if (address?.startsWith('http:')) notes.add(at, 'has no address with https; what is sent can be read on its way');
  }
  return { ...(production !== undefined && { production }), ...(staging !== undefined && { staging }) };
}

function preferred(servers: Server[]): string | undefined {
  return (servers.find(({ url }) => url.startsWith('https:')) ?? servers[0])?.url;
}

function serverOf(server: unknown, at: string, allowPrivate: boolean, notes: Notes): Server | null {
  const { url: written, description } = objectOf(server);
  const leaveOut = (why: string) => {
    notes.add(at, `${why}; it is left out`);
    return null;
  };
  if (typeof written !== 'string') return leaveOut('is a server without a url');
  const filled = withVariables(written, objectOf(objectOf(server).variables));
  if (filled === null) return leaveOut('is a server with a variable that has no default');
  if (!/^[a-z][a-z0-9+.-]*:/i.test(filled)) return leaveOut('is an address relative to that of the document');
  const kind = kindOfAddress(filled);
  if (kind === 'none') return leaveOut('is no http or https address without user, query and fragment');
  if (kind === 'private' && !allowPrivate) return leaveOut('is an address in a private network, which is not allowed');
  if (filled !== written) notes.add(at, 'has variables, which have the values that they have by default');
  const isStaging = STAGING.test(filled) || (typeof description === 'string' && STAGING.test(description));
  return { url: filled.replace(/\/+$/, ''), isStaging };
}

function withVariables(url: string, variables: Record<string, unknown>): string | null {
  let complete = true;
  const filled = url.trim().replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = own(variables, name);
    const value = isObject(variable) ? variable.default : undefined;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    complete = false;
    return '';
  });
  return complete ? filled : null;
}

/** `private`: needs `allowPrivateNetworks` in the definition; `none`: not allowed. */
export function kindOfAddress(address: string): 'public' | 'private' | 'none' {
  const url = webAddressSchema.safeParse(address).success ? URL.parse(address) : null;
  if (url === null) return 'none';
  return isPrivateUrl(url) ? 'private' : 'public';
}
