import { RuntimeError } from './errors.ts';
import { administers, type Role } from './roles.ts';

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
  /** Null: the credential is bound to no agent. */
  agentId: string | null;
  label: string;
  scopes: readonly (Scope | '*')[];
  timezone: string;
  credential: { kind: 'key' | 'user'; id: string };
  /** The user of the session or the maker of the key; null when the operator made it. */
  userId: string | null;
  /** Null for an API key. */
  role: Role | null;
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

/** Throws `forbidden`, naming the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (hasScope(caller, scope)) return;
  const message =
    caller.role === null
      ? `This API key lacks the scope ${scope}. Use a key that has it.`
      : `The role ${caller.role} lacks the scope ${scope}. Ask an administrator of the tenant.`;
  throw new RuntimeError('forbidden', message, { scope });
}
