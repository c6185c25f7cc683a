import { isIP } from 'node:net';
import { isWithin } from '../../base/network/addresses.ts';
import type { Caller } from '../../base/shared/caller.ts';
import { forbidden, unprocessable } from '../../base/shared/errors.ts';
import type { IdentityProviderDefinition } from './schema.ts';

interface Rule {
  isOfInstallation: boolean;
  by: Caller | null;
  networks: readonly string[];
}

/**
 * Checks the members together. Throws `unprocessable` with the first problem, and `forbidden` for a
 * role beyond the caller's.
 */
export function requireSound(provider: IdentityProviderDefinition, { isOfInstallation, by, networks }: Rule): void {
  const { issuer, roleClaim, roleMapping, defaultRole, createUsers, linkByEmail, tenantClaim, tenantMapping } =
    provider;
  if (by !== null && roleMapping.some(({ role }) => role === 'SUPER_ADMIN')) {
    throw forbidden('roleMapping: only the operator maps to SUPER_ADMIN, with `agent-runtime sso`.');
  }
  refuseIf(
    issuer.startsWith('http:') && !mayUseHttp(issuer, networks),
    'issuer: must be https. Unencrypted, only providers within AGENT_RUNTIME_IDENTITY_NETWORKS are used, by address, as localhost or by a name without dots',
  );
  refuseIf(
    isGoogle(issuer) && createUsers && provider.allowedDomains.length === 0,
    'allowedDomains: name your domains; with Google and createUsers, everybody with a Google account could log in otherwise',
  );
  refuseIf(
    isOfSeveralDirectories(issuer) && provider.allowedDirectories.length === 0,
    'allowedDirectories: name the directories that may log in, or use the issuer of one directory: https://login.microsoftonline.com/<directory id>/v2.0',
  );
  refuseIf(
    isOfSeveralDirectories(issuer) && linkByEmail,
    "linkByEmail: is not possible with an issuer of several directories, which do not verify each other's e-mails",
  );
  refuseIf(
    isOfSeveralDirectories(issuer) && provider.mcp,
    'mcp: needs the issuer of one directory: https://login.microsoftonline.com/<directory id>/v2.0',
  );
  refuseIf(roleClaim === null && roleMapping.length > 0, 'roleClaim: is needed for roleMapping');
  refuseIf(repeats(roleMapping), 'roleMapping: each value may be there once');
  refuseIf(
    createUsers && defaultRole === null && roleClaim === null,
    'defaultRole: is needed with createUsers, unless roleClaim and roleMapping give roles',
  );
  refuseIf(!isOfInstallation && tenantClaim !== null, 'tenantClaim: is only for providers of the whole installation');
  refuseIf(isOfInstallation && tenantClaim === null, 'tenantClaim: is needed by a provider of the whole installation');
  refuseIf(
    !isOfInstallation && tenantMapping.length > 0,
    'tenantMapping: is only for providers of the whole installation',
  );
  refuseIf(isOfInstallation && tenantMapping.length === 0, 'tenantMapping: needs at least one value and its tenant');
  refuseIf(repeats(tenantMapping), 'tenantMapping: each value may be there once');
}

function refuseIf(isWrong: boolean, message: string): void {
  if (isWrong) throw unprocessable(`${message}.`);
}

function repeats(mapping: { value: string }[]): boolean {
  return new Set(mapping.map(({ value }) => value)).size < mapping.length;
}

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
