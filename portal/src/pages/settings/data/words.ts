import type { Schemas } from '../../../api/schemas.ts';

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
  return `${value.toLocaleString('en', { maximumFractionDigits: step === 0 || value >= 100 ? 0 : 1 })} ${UNITS[step]}`;
}

export function numberOf(count: number): string {
  return count.toLocaleString('en');
}

export const STORE_NAMES: Record<Schemas['Storage']['stores'][number]['store'], string> = {
  events: 'Events',
  spool: 'Spool of new events',
  state: 'Users, keys, cards, executions',
  vectors: 'Documents and vectors',
  uploads: 'Files to be ingested',
  quarantine: 'Quarantine',
  snapshots: 'Snapshots before upgrades',
  logs: 'Logs',
};

const KINDS: Record<string, [one: string, several: string]> = {
  apiKeys: ['API key', 'API keys'],
  dashboardCards: ['card', 'cards'],
  dashboardTabs: ['tab', 'tabs'],
  deliveries: ['message', 'messages'],
};

/** "14 events, 3 executions": what an erasure has counted. */
export function erasedWords(erased: Record<string, number>): string {
  const parts = Object.entries(erased)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const [one, several] = KINDS[kind] ?? [kind.replace(/s$/, ''), kind];
      return `${numberOf(count)} ${count === 1 ? one : several}`;
    });
  return parts.length === 0 ? 'nothing was kept of it' : parts.join(', ');
}
