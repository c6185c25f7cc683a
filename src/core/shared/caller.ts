import { RuntimeError } from './errors.ts';
import { administers, type Role } from './roles.ts';

/** Every right that a key can carry. `*` is all of them. */
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

/** Who asks. Every door (REST, MCP, command line) makes one; every service method takes it first. */
export interface Caller {
  tenantId: string;
  /** The agent that the credential is bound to, or null when it is bound to none. */
  agentId: string | null;
  /** Shown as author of what the caller does. */
  label: string;
  scopes: readonly (Scope | '*')[];
  /** IANA name of the tenant's time zone. */
  timezone: string;
  /** What the caller came with: an API key, or the portal session of a user; by its id. */
  credential: { kind: 'key' | 'user'; id: string };
  /** The user who asks, or who made the key; null where the operator made it. */
  userId: string | null;
  /** Of the user who asks; null for an API key. */
  role: Role | null;
  /** The portal session that the caller came with; none for an API key. */
  sessionId?: string;
}

export function hasScope(caller: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return caller.scopes.includes('*') || caller.scopes.includes(scope);
}

/** Throws `forbidden` for an API key, and for users who do not administer where that is asked for. */
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
