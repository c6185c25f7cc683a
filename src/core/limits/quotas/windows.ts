import { Temporal } from 'temporal-polyfill';

/* Apart from `kinds.ts`, so that commands do not load time zones for their help. */

/** [start, end) in epoch milliseconds. */
export interface Window {
  start: number;
  end: number;
}

/** A day begins with its first instant, not always midnight, and has 23 to 25 hours. */
export function windowOf(unit: 'day' | 'month', at: number, timezone: string): Window {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate();
  const first = unit === 'day' ? local : local.with({ day: 1 });
  const next = first.add(unit === 'day' ? { days: 1 } : { months: 1 });
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timezone).epochMilliseconds;
  return { start: startOf(first), end: startOf(next) };
}
