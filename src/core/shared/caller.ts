import { RuntimeError } from './errors.ts';
import { administers, type Role } from './roles.ts';

/** Every right that a key can have. `*` is all of them. */
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
] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * The authenticated client of a call. Each transport makes one, and each service method checks its rights first: `requireScope`,
 * or `requirePortal` for what only portal users may do. Where the operator may act at the command line, too, the parameter is
 * `by: Caller | null` and null is the operator. Methods without a caller are for the operator alone or for other services.
 */
export interface Caller {
  tenantId: string;
  /** The agent that the credential is bound to, or null when it is bound to none. */
  agentId: string | null;
  /** Shown as author of what the caller does. */
  label: string;
  scopes: readonly (Scope | '*')[];
  /** IANA name of the tenant's time zone. */
  timezone: string;
  /** The API key, or the user of the portal session, by id. */
  credential: { kind: 'key' | 'user'; id: string };
  /** The user of the session, or the user who made the key; null when the operator made it. */
  userId: string | null;
  /** Role of the user; null for an API key. */
  role: Role | null;
  /** Absent for an API key. */
  sessionId?: string;
}

export function hasScope(caller: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return caller.scopes.includes('*') || caller.scopes.includes(scope);
}

/** Throws `forbidden` for an API key, and for users below the `least` right. */
export function requirePortal(caller: Caller, least: 'user' | 'administrator'): void {
  if (caller.role === null) {
    throw new RuntimeError(
      'forbidden',
      'This is for portal users alone: log in and send the token. API keys are not accepted.',
    );
  }
  if (least === 'user' || administers(caller.role)) return;
  throw new RuntimeError('forbidden', `The role ${caller.role} may not do this; an administrator of the tenant may.`);
}

/** Throws `forbidden`, naming the scope, unless the caller holds it. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (hasScope(caller, scope)) return;
  const message =
    caller.role === null
      ? `This API key lacks the scope ${scope}. Use a key that has it.`
      : `The role ${caller.role} lacks the scope ${scope}. Ask an administrator of the tenant.`;
  throw new RuntimeError('forbidden', message, { scope });
}
