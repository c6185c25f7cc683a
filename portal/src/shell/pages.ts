import type { LinkProps } from '@tanstack/react-router';
import type { Session } from '../api/session.ts';
import type { IconName } from '../ui/icon.tsx';

interface PageEntry {
  to: NonNullable<LinkProps['to']>;
  label: string;
  icon: IconName;
  /** True if the pages below its address have entries of their own. */
  exact?: boolean;
  /** Other words that people search for. */
  words?: string;
}

export interface PageGroup {
  label: string;
  pages: readonly PageEntry[];
  /** Folded until the user unfolds it. */
  isFolded?: boolean;
}

/** The pages with an entry in the navigation and in the command palette. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    label: 'Analyse',
    pages: [
      { to: '/', label: 'Dashboards', icon: 'dashboard', exact: true, words: 'cards home' },
      { to: '/explore', label: 'Explore', icon: 'explore', words: 'events KPI table feed question' },
      { to: '/metrics', label: 'Metrics', icon: 'gauge', words: 'glossary terms' },
      { to: '/segments', label: 'Segments', icon: 'segments' },
      { to: '/explain', label: 'Explain', icon: 'fork', words: 'why a number changed' },
    ],
  },
  {
    label: 'Watch',
    pages: [
      { to: '/alerts', label: 'Alerts', icon: 'bell' },
      { to: '/digests', label: 'Digests', icon: 'mail', words: 'reports' },
      { to: '/annotations', label: 'Annotations', icon: 'flag' },
    ],
  },
  {
    label: 'Agents',
    pages: [
      { to: '/executions', label: 'Executions', icon: 'play', words: 'runs traces conversations transcripts steps' },
      { to: '/reviews', label: 'Reviews', icon: 'check', exact: true, words: 'queues rate comment assessments' },
      { to: '/reviews/statistics', label: 'Review statistics', icon: 'chart', words: 'ratings outcomes agreement' },
      { to: '/training', label: 'Training data', icon: 'cap', words: 'fine-tuning SFT DPO KTO export' },
      { to: '/gaps', label: 'Gaps', icon: 'help', words: 'what agents could not answer' },
    ],
  },
  {
    label: 'Connect',
    pages: [
      { to: '/connect', label: 'MCP clients', icon: 'plug', words: 'Claude Cursor setup' },
      { to: '/applications', label: 'Applications', icon: 'apps', words: 'grants OAuth' },
      { to: '/connectors', label: 'Connectors', icon: 'cable', words: 'external APIs' },
    ],
  },
  {
    label: 'Settings',
    isFolded: true,
    pages: [
      { to: '/settings/keys', label: 'API keys', icon: 'key', words: 'scopes rotate revoke' },
      { to: '/settings/users', label: 'Users', icon: 'people', words: 'invite roles deactivate sessions' },
      { to: '/settings/sign-on', label: 'Single sign-on', icon: 'door', words: 'SSO identity providers' },
      { to: '/settings/security', label: 'Security', icon: 'shield', words: 'second factor password login sessions' },
      { to: '/settings/providers', label: 'LLM providers', icon: 'chip', words: 'models OpenAI Anthropic' },
      { to: '/settings/credentials', label: 'Credentials', icon: 'lock', words: 'secrets of connectors' },
      { to: '/settings/quotas', label: 'Quotas and budgets', icon: 'gauge', words: 'limits usage cost tokens' },
      { to: '/settings/audit', label: 'Audit log', icon: 'list', words: 'who did what' },
      { to: '/settings/data', label: 'Data', icon: 'database', words: 'retention backup erase sizes time zone' },
      { to: '/settings/system', label: 'System', icon: 'pulse', words: 'doctor versions nodes errors' },
    ],
  },
];

/** Pages without an entry in the navigation, for the palette, with the right that each needs. */
export const OTHER_PAGES: readonly (Omit<PageEntry, 'icon'> & { right?: Session['scopes'][number] })[] = [
  { to: '/cards/new', label: 'New card', right: 'dashboards:write' },
  { to: '/metrics/new-metric', label: 'New metric', right: 'metrics:write' },
  { to: '/segments/new-segment', label: 'New segment', right: 'metrics:write' },
  { to: '/alerts/new-alert', label: 'New alert', right: 'alerts:write' },
  { to: '/digests/new-digest', label: 'New digest', right: 'alerts:write' },
  { to: '/account', label: 'Your account', words: 'password second factor passkey sessions' },
];
