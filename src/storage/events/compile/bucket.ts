import type { DateGrouping } from '../../../core/analytics/events/fields.ts';
import type { ZoneOffset } from '../../../core/base/time/time.ts';
import type { EngineSql } from './engine.ts';

const MS_OF_UNIT = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
/** Weeks begin on Monday; the epoch began on a Thursday. */
const WEEK_SHIFT = 3 * MS_OF_UNIT.day;

export interface Bucketing {
  unit: DateGrouping;
  offsets: ZoneOffset[];
}

/**
 * The bucket of a time, by its key as in `core/base/time/time.ts`: local time is UTC plus the
 * zone's offset. The engines' own time zones are not used.
 */
export function bucketSql({ unit, offsets }: Bucketing, timestamp: string, engine: EngineSql): string {
  const cases = offsets.filter((offset) => offset.until !== null);
  const last = engine.integer(offsets.at(-1)?.offset ?? 0);
  const offset =
    cases.length === 0
      ? last
      : `CASE ${cases.map(({ until, offset }) => `WHEN ${timestamp} < ${engine.integer(until ?? 0)} THEN ${engine.integer(offset)}`).join(' ')} ELSE ${last} END`;
  const local = `(${timestamp} + ${offset})`;
  switch (unit) {
    case 'hour':
      return `${timestamp} - ${remainder(local, MS_OF_UNIT.hour)}`;
    case 'day':
      return `${local} - ${remainder(local, MS_OF_UNIT.day)}`;
    case 'week':
      return `${local} - ${remainder(`(${local} + ${WEEK_SHIFT})`, MS_OF_UNIT.week)}`;
    default:
      return engine.startOf(unit, local);
  }
}

/** Makes any time positive for the modulo. */
const BEFORE_ALL = 100_000 * MS_OF_UNIT.week;

export function remainder(value: string, divisor: number): string {
  return `((${value} + ${BEFORE_ALL}) % ${divisor})`;
}
