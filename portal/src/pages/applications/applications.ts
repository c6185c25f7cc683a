import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';

export const GRANTS = '/api/v1/portal/grants';

export type Grant = Schemas['OAuthGrant'];
export type Application = Schemas['OAuthClient'];

/** The verified host of an application, or the name that it gave itself. */
export function applicationName({ host, name }: Application): string {
  return host ?? name ?? t('An application without a name');
}

/** Says how much is known about who it is. */
export function identityOf({ kind, name }: Application): string {
  if (kind === 'configured') return t('Added by the operator of this server');
  if (kind === 'document')
    return name === null ? t('Host verified') : t('Host verified · calls itself “{name}”', { name });
  return t('Gave itself this name: not verified');
}

/** The texts that say what a scope lets an application do. */
export const SCOPE_TEXTS: Record<Grant['scopes'][number], string> = {
  'mcp:read': t('Ask questions about events: KPIs, tables and dashboard cards'),
  'knowledge:read': t('Search documents'),
  'events:read': t('Read single events'),
  'executions:read': t('Read runs of agents, with their messages'),
  'reviews:read': t('Read reviews of runs'),
  'dashboards:read': t('Read dashboards'),
  'metrics:read': t('Read metrics, segments and the glossary'),
  'alerts:read': t('Read alerts and digests'),
  'events:write': t('Record events'),
  'executions:write': t('Record runs of agents'),
  'reviews:write': t('Write reviews of runs'),
  'dashboards:write': t('Change and delete dashboards'),
  'knowledge:write': t('Add and delete documents'),
  'metrics:write': t('Propose metrics, write segments and annotations'),
  'alerts:write': t('Create and change alerts, which send messages'),
  'users:write': t('Change users'),
  'chat:write': t('Chat with language models, which costs money'),
  'connectors:execute': t('Call the external APIs that are connected here'),
};
