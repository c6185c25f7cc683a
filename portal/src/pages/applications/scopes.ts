import type { Schemas } from '../../api/schemas.ts';

type Scope = Schemas['OAuthGrant']['scopes'][number];

/** The texts that say what a scope lets an application do. */
export const SCOPE_TEXTS: Record<Scope, string> = {
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
