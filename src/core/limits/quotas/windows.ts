import { Temporal } from 'temporal-polyfill';

/* Apart from `kinds.ts`, so that commands do not load time zones for their help. */

/** [start, end) in epoch milliseconds. */
export interface Window {
  start: number;
  end: number;
}

export interface Day extends Window {
  /** `2026-11-23`, in the time zone. */
  date: string;
}

/** The last days, oldest first, with the one of `at`. A date that a zone left out is none. */
export function daysUntil(at: number, timezone: string, count: number): Day[] {
  const days: Day[] = [];
  for (let instant = at; days.length < count; ) {
    const { start, end } = windowOf('day', instant, timezone);
    const date = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timezone).toPlainDate().toString();
    days.unshift({ date, start, end });
    instant = start - 1;
  }
  return days;
}

/** A day begins with its first instant, not always midnight, and has 23 to 25 hours. */
export function windowOf(unit: 'day' | 'month', at: number, timezone: string): Window {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate();
  const first = unit === 'day' ? local : local.with({ day: 1 });
  const next = first.add(unit === 'day' ? { days: 1 } : { months: 1 });
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timezone).epochMilliseconds;
  return { start: startOf(first), end: startOf(next) };
}
