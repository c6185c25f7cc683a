import type { Schemas } from '../../../api/schemas.ts';
import { LOCALE, t } from '../../../language/index.ts';

export const DATA = '/api/v1/portal/data';
export const STORAGE = '/api/v1/portal/storage';
export const BACKUP = '/api/v1/portal/backup';
export const ERASURE = '/api/v1/portal/erasure';
export const SETTINGS = '/api/v1/portal/settings';

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** In steps of 1,024. */
export function sizeOf(bytes: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** step;
  return `${value.toLocaleString(LOCALE, { maximumFractionDigits: step === 0 || value >= 100 ? 0 : 1 })} ${UNITS[step]}`;
}

export function numberOf(count: number): string {
  return count.toLocaleString(LOCALE);
}

interface StoreWords {
  name: string;
  /** Its items with their number. */
  counted(count: number): string;
}

const events = (count: number) => t.count(count, '{count} event', '{count} events');
const files = (count: number) => t.count(count, '{count} file', '{count} files');

export const STORES: Record<Schemas['Storage']['stores'][number]['store'], StoreWords> = {
  events: { name: t('Events'), counted: events },
  spool: {
    name: t('Spool of new events'),
    counted: (count) =>
      t.count(count, '{count} batch that waits to become queryable', '{count} batches that wait to become queryable'),
  },
  state: { name: t('Users, keys, cards, executions'), counted: numberOf },
  vectors: {
    name: t('Documents and vectors'),
    counted: (count) => t.count(count, '{count} chunk of documents', '{count} chunks of documents'),
  },
  uploads: { name: t('Files to be ingested'), counted: files },
  quarantine: {
    name: t('Quarantine'),
    counted: (count) => t.count(count, '{count} event that was refused', '{count} events that were refused'),
  },
  snapshots: { name: t('Snapshots before upgrades'), counted: files },
  logs: { name: t('Logs'), counted: numberOf },
};

/** The kinds of items that an erasure counts. */
const KINDS: Record<string, (count: number) => string> = {
  agents: (count) => t.count(count, '{count} agent', '{count} agents'),
  alerts: (count) => t.count(count, '{count} alert', '{count} alerts'),
  annotations: (count) => t.count(count, '{count} annotation', '{count} annotations'),
  apiKeys: (count) => t.count(count, '{count} API key', '{count} API keys'),
  assessments: (count) => t.count(count, '{count} assessment', '{count} assessments'),
  connectors: (count) => t.count(count, '{count} connector', '{count} connectors'),
  credentials: (count) => t.count(count, '{count} credential', '{count} credentials'),
  dashboardCards: (count) => t.count(count, '{count} card', '{count} cards'),
  dashboardTabs: (count) => t.count(count, '{count} tab', '{count} tabs'),
  deliveries: (count) => t.count(count, '{count} message', '{count} messages'),
  digests: (count) => t.count(count, '{count} digest', '{count} digests'),
  documents: (count) => t.count(count, '{count} document', '{count} documents'),
  events,
  executions: (count) => t.count(count, '{count} execution', '{count} executions'),
  grants: (count) => t.count(count, '{count} grant', '{count} grants'),
  identityProviders: (count) => t.count(count, '{count} identity provider', '{count} identity providers'),
  invitations: (count) => t.count(count, '{count} invitation', '{count} invitations'),
  metrics: (count) => t.count(count, '{count} metric', '{count} metrics'),
  providers: (count) => t.count(count, '{count} provider', '{count} providers'),
  queues: (count) => t.count(count, '{count} queue', '{count} queues'),
  reviews: (count) => t.count(count, '{count} review', '{count} reviews'),
  rubrics: (count) => t.count(count, '{count} rubric', '{count} rubrics'),
  segments: (count) => t.count(count, '{count} segment', '{count} segments'),
  terms: (count) => t.count(count, '{count} term', '{count} terms'),
  users: (count) => t.count(count, '{count} user', '{count} users'),
};

/** "14 events, 3 executions": what an erasure has counted. */
export function erasedWords(erased: Record<string, number>): string {
  const parts = Object.entries(erased)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => KINDS[kind]?.(count) ?? `${numberOf(count)} ${kind}`);
  return parts.length === 0 ? t('nothing was kept of it') : parts.join(', ');
}
