import { t } from '../../../language/index.ts';
import { SCOPE_TEXTS } from '../../applications/applications.ts';
import type { KeyScope } from './types.ts';

export function scopeText(scope: KeyScope): string {
  return scope === '*' ? t('Everything, also what is added later') : SCOPE_TEXTS[scope];
}

/** Every scope with its words, everything last. */
export const SCOPES = [...(Object.keys(SCOPE_TEXTS) as KeyScope[]), '*' as const];

export interface Preset {
  value: 'mcp' | 'events' | 'server' | 'own';
  label: string;
  /** A sentence on what it is for. */
  purpose: string;
  scopes: readonly KeyScope[];
}

export const PRESETS: readonly Preset[] = [
  {
    value: 'mcp',
    label: t('MCP, read'),
    purpose: t(
      'For Claude Code, Cursor and other MCP clients: they ask for numbers, cards and documents, and change nothing.',
    ),
    scopes: ['mcp:read', 'knowledge:read'],
  },
  {
    value: 'events',
    label: t('Send events'),
    purpose: t('For a website, an app or a script: it records events, and reads nothing.'),
    scopes: ['events:write'],
  },
  {
    value: 'server',
    label: t('Server'),
    purpose: t(
      'For a backend with agents: it records events, runs and reviews, chats, searches documents and calls connectors.',
    ),
    scopes: ['events:write', 'executions:write', 'reviews:write', 'chat:write', 'knowledge:read', 'connectors:execute'],
  },
  { value: 'own', label: t('Own choice'), purpose: t('You choose what it may do.'), scopes: [] },
];

type Held = readonly KeyScope[];

export function holds(held: Held, scope: KeyScope): boolean {
  return held.includes('*') || held.includes(scope);
}

/** Why somebody with these scopes may not give them; undefined: they may. */
export function reasonAgainst(scopes: readonly KeyScope[], held: Held): string | undefined {
  const missing = scopes.filter((scope) => !holds(held, scope));
  if (missing.length === 0) return undefined;
  return t('Your role does not have: {scopes}', { scopes: missing.map(scopeText).join(' · ') });
}
