import { LOCALE, t } from '../../../language/index.ts';
import type { Key } from './types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SOON_MS = 30 * DAY_MS;

const RELATIVE = new Intl.RelativeTimeFormat(LOCALE);

/** "in 12 days", "in 5 hours", "in 1 minute". */
export function inWords(iso: string, now: number): string {
  const left = Date.parse(iso) - now;
  if (left >= 2 * DAY_MS) return RELATIVE.format(Math.floor(left / DAY_MS), 'day');
  if (left >= 2 * HOUR_MS) return RELATIVE.format(Math.floor(left / HOUR_MS), 'hour');
  return RELATIVE.format(Math.max(1, Math.floor(left / MINUTE_MS)), 'minute');
}

interface ShownState {
  label: string;
  tone: 'good' | 'warning' | 'bad' | 'muted';
  /** Whether requests with the key are accepted. */
  works: boolean;
}

export function stateOf({ revokedAt, expiresAt }: Pick<Key, 'revokedAt' | 'expiresAt'>, now: number): ShownState {
  if (revokedAt !== null) return { label: t('Revoked'), tone: 'muted', works: false };
  const end = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  if (end <= now) return { label: t('Expired'), tone: 'bad', works: false };
  if (end - now > SOON_MS) return { label: t('Working'), tone: 'good', works: true };
  return { label: t('Expires {when}', { when: inWords(expiresAt!, now) }), tone: 'warning', works: true };
}
