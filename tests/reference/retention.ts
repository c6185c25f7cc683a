import type { TableQuestion } from '../../src/core/analytics/events/questions/question.ts';
import { bucketAfter, bucketOf, bucketsBetween, Refused } from './calendar.ts';
import { ofSubjects } from './segments.ts';
import { type AgentData, groupsOf, isOfAgent, lastOf, page, passes, rangeOf, select } from './selection.ts';

/*
 * Retention by docs/events.md: actors by the bucket of their first start in the range, and how many of them return in
 * the buckets after it.
 */

const MAX_COHORTS = 1_000;
const OTHERS = ['columns', 'groupBy', 'metrics', 'sortBy', 'sortOrder'] as const;

export function retention(input: TableQuestion, agentData: AgentData) {
  const { unit, periods, by, returnedName } = withDefaults(input);
  if (OTHERS.some((member) => input[member] !== undefined)) throw new Refused('a member of another mode');
  if (returnedName === '*' && input.eventName.startsWith('runtime.')) throw new Refused('any event leaves those out');
  const range = rangeOf(input, agentData);
  const { timezone } = range;
  const dates = { now: agentData.now, timezone };
  const starts = select(input, [input.eventName], range, agentData).filter((event) =>
    passes(input.start?.filters, event, dates),
  );
  const isOfSegment = input.segment ? ofSubjects(input.segment, dates, agentData) : () => true;
  const returns = agentData.events.filter(
    (event) =>
      isOfSegment(event) &&
      isOfAgent(event, input, agentData) &&
      (returnedName === '*' ? !event.eventName.startsWith('runtime.') : event.eventName === returnedName) &&
      passes(input.filters, event, dates) &&
      passes(input.returned?.filters, event, dates),
  );
  const returnsOf = groupsOf(returns, [by]);
  const actors = groupsOf(starts, [by]).flatMap(({ values, events }) => {
    if (values[0] === undefined) return [];
    const started = Math.min(...events.map(({ timestamp }) => timestamp));
    const own = returnsOf.find((group) => JSON.stringify(group.values) === JSON.stringify(values))?.events ?? [];
    const later = own.filter(({ timestamp }) => timestamp > started);
    return {
      cohort: bucketOf(unit, timezone, started),
      returned: new Set(later.map(({ timestamp }) => bucketOf(unit, timezone, timestamp))),
    };
  });

  const times = starts.map(({ timestamp }) => timestamp);
  // A cohort that has not begun has no row, unless an event is ahead of now.
  const known = Math.max(agentData.now, ...times) + 1;
  const from = range.from ?? (times.length > 0 ? Math.min(...times) : known);
  const cohorts = bucketsBetween(unit, timezone, from, Math.min(range.to ?? known, known), MAX_COHORTS);
  const running = Number(bucketOf(unit, timezone, agentData.now));
  const names = ['size', ...Array.from({ length: periods + 1 }, (_, period) => `period_${period}`)];
  const rows = page(cohorts, input).map(({ name }) => {
    const members = actors.filter(({ cohort }) => cohort === name);
    const row: Record<string, unknown> = { cohort: new Date(Number(name)).toISOString().slice(0, 10) };
    row.size = members.length;
    let bucket = name;
    for (let period = 0; period <= periods; period += 1) {
      const count = members.filter(({ returned }) => returned.has(bucket)).length;
      row[`period_${period}`] = count === 0 && Number(bucket) > running ? null : count;
      bucket = bucketAfter(unit, bucket);
    }
    return row;
  });
  return {
    table: {
      rows,
      total: cohorts.length,
      columns: [{ key: 'cohort', type: 'string' }, ...names.map((key) => ({ key, type: 'number' }))],
    },
    range,
    matched: starts.length,
    lastAt: lastOf(starts),
  };
}

export function withDefaults({ eventName, returned, by, dateGrouping, periods }: TableQuestion) {
  return {
    returnedName: returned?.eventName ?? eventName,
    by: by ?? 'threadId',
    unit: dateGrouping ?? 'week',
    periods: periods ?? 8,
  };
}
