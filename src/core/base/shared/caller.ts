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

/** Service methods check its rights first. In `by: Caller | null`, null is the operator. */
export interface Caller {
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

/** The grant of an access token: a user lets an application act. */
export interface CallerGrant {
  clientId: string;
  /** For logs. */
  client: string;
  /** The scopes that the user could allow it. */
  obtainable: readonly (Scope | '*')[];
}

export function hasScope(caller: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return caller.scopes.includes('*') || caller.scopes.includes(scope);
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
  return new RuntimeError('forbidden', lackOf(caller, scope), { scope });
}

function lackOf({ role, grant }: Caller, scope: Scope): string {
  if (role !== null) return `The role ${role} lacks the scope ${scope}. Ask an administrator of the tenant.`;
  if (!grant) return `This API key lacks the scope ${scope}. Use a key that has it.`;
  if (hasScope({ scopes: grant.obtainable }, scope)) {
    return `The application was not allowed the scope ${scope}. Connect it again and allow it.`;
  }
  return `Your role lacks the scope ${scope}. Ask an administrator of the tenant.`;
}
