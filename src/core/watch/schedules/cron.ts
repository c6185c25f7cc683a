import { Cron } from 'croner';
import { invalid } from '../../base/shared/errors.ts';
import { checkTimezone } from '../../base/time/time.ts';

/** Throws `invalid` for what is no cron expression, or one that never comes. */
export function checkSchedule(every: string, timezone: string, path = 'every'): void {
  const next = nextRun(every, timezone, 0, path);
  if (next === null) throw invalid(`${path}: "${every}" never comes; use an expression such as "0 8 * * *"`);
}

const FIELDS = 5;

/**
 * The first time after `after` that the expression names, in epoch milliseconds; null: there is
 * none. Minutes, hours, days of the month, months and days of the week, in the zone: where clocks
 * are set forward, a time that is skipped runs at the change, and where they are set back, a
 * repeated one runs once.
 */
export function nextRun(every: string, timezone: string, after: number, path = 'every'): number | null {
  if (every.trim().split(/\s+/).length !== FIELDS) {
    throw invalid(`${path}: must have 5 fields: minute, hour, day, month, weekday, such as "0 8 * * 1-5"`);
  }
  try {
    return new Cron(every, { timezone, paused: true }).nextRun(new Date(after))?.getTime() ?? null;
  } catch {
    throw invalid(`${path}: "${every}" is not a cron expression such as "0 8 * * *" or "*/5 * * * *"`);
  }
}

interface Schedule {
  every: string;
  timezone: string;
  enabled: boolean;
}

/** Throws `invalid` for an unknown time zone, an invalid expression, or one that never comes. */
export function checkTimes({ every, timezone }: Schedule): void {
  checkTimezone(timezone);
  checkSchedule(every, timezone);
}

/** Null if it is switched off. */
export function firstDue({ every, timezone, enabled }: Schedule, now: number): number | null {
  return enabled ? nextRun(every, timezone, now) : null;
}

/**
 * After a change of the definition. While the schedule is the same, a time that is due stays due.
 */
export function dueAfterChange(
  { definition, nextDue }: { definition: Schedule; nextDue: number | null },
  changed: Schedule,
  now: number,
): number | null {
  const { every, timezone, enabled } = definition;
  const isSame = every === changed.every && timezone === changed.timezone && enabled === changed.enabled;
  return isSame ? nextDue : firstDue(changed, now);
}
