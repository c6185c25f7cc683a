import { type Caller, hasScope, SCOPES, type Scope } from '../shared/caller.ts';
import { administers, type Role } from '../shared/roles.ts';

const READS: Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'));
const RECORDS: Scope[] = ['events:write', 'executions:write', 'reviews:write'];

/** What a portal user may do on runtime endpoints. */
export const SCOPES_OF_ROLE: Record<Role, readonly (Scope | '*')[]> = {
  VIEWER: READS,
  // Comes from an identity provider and is trusted no further than to look.
  HUB_USER: READS,
  USER: [...READS, ...RECORDS],
  ADMIN: ['*'],
  SUPER_ADMIN: ['*'],
};

/** Nobody gives, or comes by, a key with a scope that they lack. */
export function mayGrant(caller: Pick<Caller, 'scopes'>, scope: Scope | '*'): boolean {
  return scope === '*' ? caller.scopes.includes('*') : hasScope(caller, scope);
}

/**
 * Whether someone may make others what this role is: administrators only by those who hold everything themselves, and
 * super administrators only by their like. `maker` is the role of who made the key, null for the operator.
 */
export function mayGiveRole(caller: Pick<Caller, 'role' | 'scopes'>, maker: Role | null, role: Role): boolean {
  if (!administers(role)) return true;
  const ceiling = caller.role ?? maker ?? 'SUPER_ADMIN';
  return caller.scopes.includes('*') && (ceiling === 'SUPER_ADMIN' || ceiling === role);
}
