import type { DateGrouping } from '../../../../core/analytics/events/fields.ts';
import type { ZoneOffset } from '../../../../core/base/time/time.ts';
import { integer } from './literals.ts';

const MS_OF_UNIT = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
/** Weeks begin on Monday; the epoch began on a Thursday. */
const WEEK_SHIFT = 3 * MS_OF_UNIT.day;
const START_OF = { month: 'toStartOfMonth', quarter: 'toStartOfQuarter', year: 'toStartOfYear' };

export interface Bucketing {
  unit: DateGrouping;
  offsets: ZoneOffset[];
}

/**
 * The bucket of a time, by its key as in `core/base/time/time.ts`: local time is UTC plus the
 * zone's offset. The engine's own time zones are not used, and `%` would keep the sign.
 */
export function bucketSql({ unit, offsets }: Bucketing, timestamp: string): string {
  const cases = offsets.filter((offset) => offset.until !== null);
  const last = integer(offsets.at(-1)?.offset ?? 0);
  const offset =
    cases.length === 0
      ? last
      : `multiIf(${cases.map(({ until, offset }) => `${timestamp} < ${integer(until ?? 0)}, ${integer(offset)}`).join(', ')}, ${last})`;
  const local = `(${timestamp} + ${offset})`;
  switch (unit) {
    case 'hour':
      return `${timestamp} - positiveModulo(${local}, ${MS_OF_UNIT.hour})`;
    case 'day':
      return `${local} - positiveModulo(${local}, ${MS_OF_UNIT.day})`;
    case 'week':
      return `${local} - positiveModulo(${local} + ${WEEK_SHIFT}, ${MS_OF_UNIT.week})`;
    default:
      return `toInt64(toInt32(${START_OF[unit]}(${dateOf(local)}))) * ${MS_OF_UNIT.day}`;
  }
}

/** The number of units from one key to another. */
export function periodSql(unit: DateGrouping, from: string, to: string): string {
  if (unit in MS_OF_UNIT) return `intDiv(${to} - ${from}, ${MS_OF_UNIT[unit as keyof typeof MS_OF_UNIT]})`;
  const number = (key: string) =>
    ({
      month: `toInt64(toYear(${dateOf(key)})) * 12 + toMonth(${dateOf(key)})`,
      quarter: `toInt64(toYear(${dateOf(key)})) * 4 + toQuarter(${dateOf(key)})`,
      year: `toInt64(toYear(${dateOf(key)}))`,
    })[unit as 'month' | 'quarter' | 'year'];
  return `(${number(to)}) - (${number(from)})`;
}

/** A date of the years 1900 to 2299. */
function dateOf(local: string): string {
  return `toDate32(toInt32(intDiv(${local} - positiveModulo(${local}, ${MS_OF_UNIT.day}), ${MS_OF_UNIT.day})))`;
}
