import type { Schemas } from '../../api/schemas.ts';

export const GRANTS = '/api/v1/portal/grants';

export type Grant = Schemas['OAuthGrant'];
export type Application = Schemas['OAuthClient'];

/** The verified host of an application, or the name that it gave itself. */
export function applicationName({ host, name }: Application): string {
  return host ?? name ?? 'An application without a name';
}

/** Says how much is known about who it is. */
export function identityOf({ kind, name }: Application): string {
  if (kind === 'configured') return 'Added by the operator of this server';
  if (kind === 'document') return name === null ? 'Host verified' : `Host verified · calls itself “${name}”`;
  return 'Gave itself this name: not verified';
}

/** The texts that say what a scope lets an application do. */
export const SCOPE_TEXTS: Record<Grant['scopes'][number], string> = {
  'mcp:read': 'Ask questions about events: KPIs, tables and dashboard cards',
  'knowledge:read': 'Search documents',
  'events:read': 'Read single events',
  'executions:read': 'Read runs of agents, with their messages',
  'reviews:read': 'Read reviews of runs',
  'dashboards:read': 'Read dashboards',
  'metrics:read': 'Read metrics, segments and the glossary',
  'alerts:read': 'Read alerts and digests',
  'events:write': 'Record events',
  'executions:write': 'Record runs of agents',
  'reviews:write': 'Write reviews of runs',
  'dashboards:write': 'Change and delete dashboards',
  'knowledge:write': 'Add and delete documents',
  'metrics:write': 'Propose metrics, write segments and annotations',
  'alerts:write': 'Create and change alerts, which send messages',
  'users:write': 'Change users',
  'chat:write': 'Chat with language models, which costs money',
  'connectors:execute': 'Call the external APIs that are connected here',
};
