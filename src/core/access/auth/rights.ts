import { administers, type Caller, hasScope, type Role, SCOPES, type Scope } from '../../base/shared/caller.ts';

const READS: Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'));
const RECORDS: Scope[] = ['events:write', 'executions:write', 'reviews:write', 'metrics:write'];

export const SCOPES_OF_ROLE: Record<Role, readonly (Scope | '*')[]> = {
  VIEWER: READS,
  // Set by an identity provider, trusted with read access only.
  HUB_USER: READS,
  USER: [...READS, ...RECORDS],
  ADMIN: ['*'],
  SUPER_ADMIN: ['*'],
};

export function mayGrant(caller: Pick<Caller, 'scopes'>, scope: Scope | '*'): boolean {
  return scope === '*' ? caller.scopes.includes('*') : hasScope(caller, scope);
}

/** `maker`: role of the user who made the caller's key; null: the operator. */
export function mayGiveRole(caller: Pick<Caller, 'role' | 'scopes'>, maker: Role | null, role: Role): boolean {
  if (!administers(role)) return true;
  const ceiling = caller.role ?? maker ?? 'SUPER_ADMIN';
  return caller.scopes.includes('*') && (ceiling === 'SUPER_ADMIN' || ceiling === role);
}
