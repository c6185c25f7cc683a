import type { LinkProps } from '@tanstack/react-router';
import type { Session } from '../api/session.ts';
import { t } from '../language/index.ts';
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
  /** The browser remembers under it whether the group is folded. */
  id: string;
  label: string;
  pages: readonly PageEntry[];
  /** Folded until the user unfolds it. */
  isFolded?: boolean;
}

/** The pages with an entry in the navigation and in the command palette. */
export const PAGE_GROUPS: readonly PageGroup[] = [
  {
    id: 'analyse',
    label: t('Analyse'),
    pages: [
      { to: '/', label: t('Dashboards'), icon: 'dashboard', exact: true, words: t('cards home') },
      { to: '/explore', label: t('Explore'), icon: 'explore', words: t('events KPI table feed question') },
      { to: '/metrics', label: t('Metrics'), icon: 'gauge', words: t('glossary terms') },
      { to: '/segments', label: t('Segments'), icon: 'segments' },
      { to: '/explain', label: t('Explain'), icon: 'fork', words: t('why a number changed') },
    ],
  },
  {
    id: 'watch',
    label: t('Watch'),
    pages: [
      { to: '/alerts', label: t('Alerts'), icon: 'bell' },
      { to: '/digests', label: t('Digests'), icon: 'mail', words: t('reports') },
      { to: '/annotations', label: t('Annotations'), icon: 'flag' },
    ],
  },
  {
    id: 'agents',
    label: t('Agents'),
    pages: [
      { to: '/chat', label: t('Chat'), icon: 'chat', words: t('playground prompts models compare') },
      {
        to: '/executions',
        label: t('Executions'),
        icon: 'play',
        words: t('runs traces conversations transcripts steps'),
      },
      { to: '/reviews', label: t('Reviews'), icon: 'check', exact: true, words: t('queues rate comment assessments') },
      {
        to: '/reviews/statistics',
        label: t('Review statistics'),
        icon: 'chart',
        words: t('ratings outcomes agreement'),
      },
      { to: '/training', label: t('Training data'), icon: 'cap', words: t('fine-tuning SFT DPO KTO export') },
      {
        to: '/knowledge',
        label: t('Knowledge'),
        icon: 'book',
        words: t('vector stores documents files upload search RAG'),
      },
      { to: '/gaps', label: t('Gaps'), icon: 'help', words: t('what agents could not answer') },
    ],
  },
  {
    id: 'connect',
    label: t('Connect'),
    pages: [
      { to: '/connect', label: t('MCP clients'), icon: 'plug', words: t('Claude Cursor setup') },
      { to: '/applications', label: t('Applications'), icon: 'apps', words: t('grants OAuth') },
      { to: '/connectors', label: t('Connectors'), icon: 'cable', words: t('external APIs') },
    ],
  },
  {
    id: 'settings',
    label: t('Settings'),
    isFolded: true,
    pages: [
      { to: '/settings/keys', label: t('API keys'), icon: 'key', words: t('scopes rotate revoke') },
      { to: '/settings/users', label: t('Users'), icon: 'people', words: t('invite roles deactivate sessions') },
      { to: '/settings/sign-on', label: t('Single sign-on'), icon: 'door', words: t('SSO identity providers') },
      {
        to: '/settings/security',
        label: t('Security'),
        icon: 'shield',
        words: t('second factor password login sessions'),
      },
      { to: '/settings/providers', label: t('LLM providers'), icon: 'chip', words: t('models OpenAI Anthropic') },
      { to: '/settings/credentials', label: t('Credentials'), icon: 'lock', words: t('secrets of connectors') },
      { to: '/settings/quotas', label: t('Quotas and budgets'), icon: 'gauge', words: t('limits usage cost tokens') },
      { to: '/settings/audit', label: t('Audit log'), icon: 'list', words: t('who did what') },
      { to: '/settings/data', label: t('Data'), icon: 'database', words: t('retention backup erase sizes time zone') },
      { to: '/settings/system', label: t('System'), icon: 'pulse', words: t('doctor versions nodes errors') },
    ],
  },
];

/** Pages without an entry in the navigation, for the palette, with the right that each needs. */
export const OTHER_PAGES: readonly (Omit<PageEntry, 'icon'> & { right?: Session['scopes'][number] })[] = [
  { to: '/cards/new', label: t('New card'), right: 'dashboards:write' },
  { to: '/metrics/new-metric', label: t('New metric'), right: 'metrics:write' },
  { to: '/segments/new-segment', label: t('New segment'), right: 'metrics:write' },
  { to: '/alerts/new-alert', label: t('New alert'), right: 'alerts:write' },
  { to: '/digests/new-digest', label: t('New digest'), right: 'alerts:write' },
  { to: '/account', label: t('Your account'), words: t('password second factor passkey sessions') },
];
