import { t } from '../../../language/index.ts';

/** The end of a lease by this computer's clock, which may differ from the server's. `date`: the header of the answer. */
export function localEnd(leaseUntil: string, date: string | null, now: number): number {
  const serverNow = Date.parse(date ?? '');
  return Number.isNaN(serverNow) ? Date.parse(leaseUntil) : now + Date.parse(leaseUntil) - serverNow;
}

/** "Held for you for 9 minutes more, and longer while you work" */
export function leaseInWords(end: number, now: number): string {
  const minutes = Math.max(1, Math.round((end - now) / 60_000));
  return t.count(
    minutes,
    'Held for you for a minute more, and longer while you work',
    'Held for you for {count} minutes more, and longer while you work',
  );
}
