import { RuntimeError } from './errors.ts';

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
  keyId: string;
}

export function hasScope(caller: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return caller.scopes.includes('*') || caller.scopes.includes(scope);
}

/** Throws `forbidden`, naming the scope, unless the caller holds it. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (hasScope(caller, scope)) return;
  throw new RuntimeError('forbidden', `This API key lacks the scope ${scope}. Use a key that has it.`, { scope });
}
