import type { Role } from '../../base/shared/caller.ts';
import { domainOf } from '../../base/shared/text.ts';
import type { IdTokenClaims } from './relying-party.ts';
import { isGoogle, isOfOneDirectory, isOfSeveralDirectories } from './rules.ts';
import type { IdentityProviderDefinition } from './schema.ts';

/* The meaning of a person's claims for a provider, without I/O. */

const MAX_VALUES = 2_000;
/** Lowest first. */
const RANKS: readonly Role[] = ['VIEWER', 'HUB_USER', 'USER', 'ADMIN', 'SUPER_ADMIN'];
const CONSUMER_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/** The texts of a claim. A name with dots is a claim of that name, or a path into objects. */
export function claimValues(claims: Record<string, unknown>, path: string): string[] {
  const value = Object.hasOwn(claims, path) ? claims[path] : memberAt(claims, path.split('.'));
  const values = Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value];
  return values.flatMap((one) => (typeof one === 'string' ? [one] : typeof one === 'number' ? [String(one)] : []));
}

/** False without a visible character. An empty subject would make one user of several people. */
export function isVisible(text: unknown): text is string {
  return typeof text === 'string' && /[^\s\p{C}\p{Z}]/u.test(text);
}

function memberAt(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (!Object.hasOwn(value, name)) return undefined;
  return memberAt((value as Record<string, unknown>)[name], rest);
}

/** `role` is null if the person gets none; `isManaged`: existing users get it, too. */
export function roleOf(
  {
    roleClaim,
    roleMapping,
    defaultRole,
  }: Pick<IdentityProviderDefinition, 'roleClaim' | 'roleMapping' | 'defaultRole'>,
  claims: IdTokenClaims,
): { role: Role | null; isManaged: boolean } {
  if (roleClaim === null) return { role: defaultRole, isManaged: false };
  const values = new Set(claimValues(claims, roleClaim));
  const roles = roleMapping.filter(({ value }) => values.has(value)).map(({ role }) => role);
  const highest = roles.reduce<Role | null>(
    (best, role) => (best === null || isHigher(role, best) ? role : best),
    null,
  );
  return { role: highest ?? defaultRole, isManaged: true };
}

function isHigher(role: Role, than: Role): boolean {
  return RANKS.indexOf(role) > RANKS.indexOf(than);
}

/** The only tenant that the claim means; null for none and for several. */
export function tenantFromClaims(
  { tenantClaim, tenantMapping }: Pick<IdentityProviderDefinition, 'tenantClaim' | 'tenantMapping'>,
  claims: IdTokenClaims,
): string | null {
  if (tenantClaim === null) return null;
  const values = new Set(claimValues(claims, tenantClaim));
  const tenants = new Set(tenantMapping.filter(({ value }) => values.has(value)).map(({ tenant }) => tenant));
  const [only, ...others] = tenants;
  return only !== undefined && others.length === 0 ? only : null;
}

export interface ClaimedEmail {
  address: string;
  /** Whether the provider says so. Some, Microsoft for example, say nothing. */
  isVerified: boolean;
}

/** An address that the provider calls unverified counts as none: anybody could have typed it. */
export function emailOf({ email, email_verified: verified }: IdTokenClaims): ClaimedEmail | null {
  if (typeof email !== 'string' || isFalse(verified)) return null;
  const address = email.trim();
  // Other characters may be lower-cased to those of another person's address.
  return /^[\x21-\x7e]+$/.test(address) ? { address, isVerified: isTrue(verified) } : null;
}

/** Some providers send texts. */
const isTrue = (value: unknown) => value === true || value === 'true';
const isFalse = (value: unknown) => value !== undefined && !isTrue(value);

/** Why the person does not belong to those for whom the provider is; null: they do. */
export function whyOutside(provider: IdentityProviderDefinition, claims: IdTokenClaims): string | null {
  const { allowedDirectories, allowedDomains, issuer } = provider;
  if (allowedDirectories.length > 0 || isOfSeveralDirectories(issuer)) {
    const { tid } = claims;
    if (typeof tid !== 'string' || !allowedDirectories.includes(tid.toLowerCase())) return 'another directory';
  }
  if (allowedDomains.length === 0) return null;
  const email = emailOf(claims);
  if (email === null) return 'no verified e-mail';
  // Microsoft says nothing; the administrators of one directory vouch for its addresses.
  if (!email.isVerified && !provider.linkByEmail && !isOfOneDirectory(issuer)) return 'no verified e-mail';
  const domain = domainOf(email.address);
  if (!allowedDomains.includes(domain)) return 'another e-mail domain';
  // Anybody may have a Google account with the e-mail of a company: `hd` says that the company
  // manages it.
  if (isGoogle(issuer) && !CONSUMER_DOMAINS.has(domain)) {
    const { hd } = claims;
    if (typeof hd !== 'string' || !allowedDomains.includes(hd.toLowerCase())) return 'another Google Workspace';
  }
  return null;
}

/** Whether an existing user of the e-mail is the same person. */
export function mayLink(
  { allowedDomains, linkByEmail }: Pick<IdentityProviderDefinition, 'allowedDomains' | 'linkByEmail'>,
  { address, isVerified }: ClaimedEmail,
): boolean {
  return linkByEmail || (isVerified && allowedDomains.includes(domainOf(address)));
}

const MAX_NAME = 100;

/** A name of 2 to 100 characters, from the e-mail if the provider tells none. */
export function nameFromClaims(claims: IdTokenClaims, email: string): string {
  const { name, given_name: given, family_name: family, preferred_username: username } = claims;
  const both = [given, family].filter((part) => typeof part === 'string').join(' ');
  const found = [name, both, username, email]
    .map((text) => (typeof text === 'string' ? plainName(text) : ''))
    .find((text) => [...text].length >= 2);
  return found ?? 'New user';
}

function plainName(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ');
  return [...plain.trim()].slice(0, MAX_NAME).join('').trim();
}

/** An ADMIN may not let a SUPER_ADMIN in: they could become one. */
export function mayAdmit({ authority }: { authority: 'ADMIN' | 'SUPER_ADMIN' }, role: Role): boolean {
  return role !== 'SUPER_ADMIN' || authority === 'SUPER_ADMIN';
}
