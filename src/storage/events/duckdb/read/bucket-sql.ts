import type { DateGrouping } from '../../../../core/analytics/events/fields.ts';
import type { ZoneOffset } from '../../../../core/base/time/time.ts';
import type { StatementBuilder } from './expressions.ts';

const MS_OF_UNIT = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
/** Weeks begin on Monday; the epoch began on a Thursday. */
const WEEK_SHIFT = 3 * MS_OF_UNIT.day;

/**
 * The bucket of `timestamp`, by its key as in `core/base/time/time.ts`: local time is UTC plus the
 * zone's offset.
 */
export function bucketSql(
  { unit, offsets }: { unit: DateGrouping; offsets: ZoneOffset[] },
  scope: Pick<StatementBuilder, 'bind'>,
): string {
  const cases = offsets.filter((offset) => offset.until !== null);
  const last = offsets.at(-1)?.offset ?? 0;
  const offset =
    cases.length === 0
      ? scope.bind(last)
      : `CASE ${cases.map(({ until, offset }) => `WHEN timestamp < ${scope.bind(until ?? 0)} THEN ${scope.bind(offset)}`).join(' ')} ELSE ${scope.bind(last)} END`;
  const local = `(timestamp + (${offset})::BIGINT)`;
  switch (unit) {
    case 'hour':
      return `timestamp - ${remainder(local, MS_OF_UNIT.hour)}`;
    case 'day':
      return `${local} - ${remainder(local, MS_OF_UNIT.day)}`;
    case 'week':
      return `${local} - ${remainder(`(${local} + ${WEEK_SHIFT})`, MS_OF_UNIT.week)}`;
    default:
      return `epoch_ms(date_trunc('${unit}', make_timestamp(${local} * 1000)))`;
  }
}

/** Makes any time positive for the modulo. */
const BEFORE_ALL = 100_000 * MS_OF_UNIT.week;

function remainder(value: string, divisor: number): string {
  return `((${value} + ${BEFORE_ALL}) % ${divisor})`;
}
