import { type AccessLimits, type Held, isHeld } from '../filters/limits.ts';
import { forbidden, RuntimeError } from './errors.ts';

export const ROLES = ['ADMIN', 'USER', 'VIEWER', 'SUPER_ADMIN', 'HUB_USER'] as const;
export type Role = (typeof ROLES)[number];

export function administers(role: Role | null): boolean {
  return role === 'ADMIN' || role === 'SUPER_ADMIN';
}

/** `*` is all of them. */
export const SCOPES = [
  'mcp:read',
  'chat:write',
  'events:read',
  'events:write',
  'executions:read',
  'executions:write',
  'reviews:read',
  'reviews:write',
  'dashboards:read',
  'dashboards:write',
  'knowledge:read',
  'knowledge:write',
  'users:write',
  'connectors:execute',
  'metrics:read',
  'metrics:write',
  'alerts:read',
  'alerts:write',
] as const;

export type Scope = (typeof SCOPES)[number];

const REVIEWS: Scope[] = ['reviews:read', 'reviews:write'];
const EXECUTIONS: Scope[] = ['executions:read', 'executions:write', ...REVIEWS];

/** Scopes that cannot be held to a limit: a caller with it lacks them. A user could gain others. */
const REFUSED_UNDER: Record<keyof AccessLimits, readonly Scope[]> = {
  agents: ['users:write', 'metrics:write', ...REVIEWS],
  eventNames: ['users:write', 'metrics:write', ...EXECUTIONS],
  filters: ['users:write', 'metrics:write', ...EXECUTIONS, 'events:write'],
  segment: ['users:write', 'metrics:write', ...EXECUTIONS, 'events:write'],
  vectorStores: ['users:write'],
  connectors: ['users:write'],
  models: ['users:write'],
};
const LIMIT_NAMES = Object.keys(REFUSED_UNDER) as (keyof AccessLimits)[];

/** Service methods check its rights first. In `by: Caller | null`, null is the operator. */
export interface Caller extends Held {
  tenantId: string;
  /** Null for a credential that is bound to no agent. */
  agentId: string | null;
  label: string;
  scopes: readonly (Scope | '*')[];
  timezone: string;
  credential: { kind: 'key' | 'user' | 'grant'; id: string };
  /**
   * The user of the session or the grant, or the maker of the key; null when the operator made it.
   */
  userId: string | null;
  /** Null for an API key and an access token. */
  role: Role | null;
  sessionId?: string;
  grant?: CallerGrant;
}

/** Whose definitions are read, and what of them. */
export type Reader = Pick<Caller, 'tenantId' | 'limits'>;

/** The grant of an access token: a user lets an application act. */
export interface CallerGrant {
  clientId: string;
  /** For logs. */
  client: string;
  /** The scopes that the user could allow it. */
  obtainable: readonly (Scope | '*')[];
}

type Rights = Pick<Caller, 'scopes' | 'limits'>;

export function hasScope(caller: Rights, scope: Scope): boolean {
  const { scopes, limits } = caller;
  if (!scopes.includes('*') && !scopes.includes(scope)) return false;
  return limits === undefined || limitAgainst(caller, scope) === undefined;
}

/** The limit of the caller under which the scope is refused. */
export function limitAgainst(held: Held, scope: Scope): keyof AccessLimits | undefined {
  return LIMIT_NAMES.find((name) => REFUSED_UNDER[name].includes(scope) && isHeld(held, name));
}

/** Throws `forbidden` for an API key, and for users below the `least` right. */
export function requirePortal(caller: Caller, least: 'user' | 'administrator'): void {
  if (caller.role === null) {
    throw forbidden(
      'Only portal users may do this: log in and send the token. API keys and access tokens of applications are not accepted.',
    );
  }
  if (least === 'user' || administers(caller.role)) return;
  throw forbidden(`The role ${caller.role} may not do this; an administrator of the tenant may.`);
}

/** Throws `forbidden`, naming the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (hasScope(caller, scope)) return;
  throw lackingScope(caller, scope);
}

/** `forbidden`, with the remedy for the kind of credential. */
export function lackingScope(caller: Caller, scope: Scope): RuntimeError {
  const limit = limitAgainst(caller, scope);
  if (!limit) return new RuntimeError('forbidden', lackOf(caller, scope), { scope });
  // Without the scope, which a client would ask the person for in vain.
  return forbidden(`${scope} cannot be held to limits.${limit}, which this credential has. Use one without it.`);
}

function lackOf({ role, grant }: Caller, scope: Scope): string {
  if (role !== null) return `The role ${role} lacks the scope ${scope}. Ask an administrator of the tenant.`;
  if (!grant) return `This API key lacks the scope ${scope}. Use a key that has it.`;
  if (hasScope({ scopes: grant.obtainable }, scope)) {
    return `The application was not allowed the scope ${scope}. Connect it again and allow it.`;
  }
  return `Your role lacks the scope ${scope}. Ask an administrator of the tenant.`;
}
