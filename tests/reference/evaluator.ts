import type { FeedQuestion, FunnelQuestion } from '../../src/core/analytics/events/questions/plan.ts';
import {
  eventNamesOf,
  type KpiQuestion,
  type TableQuestion,
} from '../../src/core/analytics/events/questions/question.ts';
import { bucketOf, bucketsBetween, Refused } from './calendar.ts';
import { quotient } from './decimals.ts';
import { formulaValue } from './formulas.ts';
import { aggregate, byMeasure } from './measures.ts';
import { retention } from './retention.ts';
import { ofSubjects } from './segments.ts';
import {
  type AgentData,
  groupsOf,
  isOfAgent,
  isoOf,
  isWithin,
  keysOf,
  lastOf,
  newestFirst,
  page,
  passes,
  periodBefore,
  type Range,
  rangeOf,
  select,
  shown,
} from './selection.ts';
import {
  byGroup,
  byValue,
  identity,
  isOwnField,
  propertyKeyOf,
  type ReferenceEvent,
  read,
  type Value,
} from './values.ts';

/*
 * The contract's queries, answered the slow and obvious way, as the oracle for a store's answers.
 * It must be obviously correct to a reader of the contract.
 */

const MAX_BUCKETS = 1_000;
const MAX_POINTS = 20_000;
const DEFAULT_GROUPS = 20;
const MAX_GONE = 20;
const DEFAULT_SERIES_GROUPS = 10;

export function feed(input: FeedQuestion, agentData: AgentData) {
  const matching = agentData.events
    .filter(input.segment ? ofSubjects(input.segment, agentData, agentData) : () => true)
    .filter((event) => isOfAgent(event, input, agentData))
    .filter((event) =>
      input.eventName === undefined ? !event.eventName.startsWith('runtime.') : event.eventName === input.eventName,
    )
    .sort(newestFirst);
  return {
    events: page(matching, input).map(({ agentId: _, ...event }) => ({ ...event, timestamp: isoOf(event.timestamp) })),
    total: matching.length,
  };
}

export function table(input: TableQuestion, agentData: AgentData) {
  if (input.mode === 'retention') return retention(input, agentData);
  const range = rangeOf(input, agentData);
  const matching = select(input, [input.eventName], range, agentData);
  const answer =
    input.mode === 'raw' ? rawTable(input, matching, agentData) : aggregateTable(input, matching, agentData);
  return { table: answer, range, matched: matching.length, lastAt: lastOf(matching) };
}

function rawTable(input: TableQuestion, matching: ReferenceEvent[], agentData: AgentData) {
  const keys = input.columns ?? ['id', 'timestamp', 'threadId', 'executionId', ...columnsSeen(input, agentData)];
  const sortBy = input.sortBy ?? 'timestamp';
  const descending = input.sortOrder !== 'asc';
  const sorted = [...matching].sort((one, other) =>
    sortBy === 'timestamp'
      ? newestFirst(one, other) * (descending ? 1 : -1)
      : byValue(read(one, sortBy), read(other, sortBy), descending) || newestFirst(one, other),
  );
  return {
    rows: page(sorted, input).map((event) =>
      Object.fromEntries(keys.map((key) => [key, shown(key, read(event, key))])),
    ),
    total: matching.length,
    columns: keys.map((key) => ({ key, type: columnType(key, input, agentData) })),
  };
}

/** Every property key of these events before filters, in the order of first appearance. */
function columnsSeen(input: TableQuestion, agentData: AgentData): string[] {
  const keys = new Set<string>();
  for (const event of agentData.events) {
    if (!isOfAgent(event, input, agentData) || event.eventName !== input.eventName) continue;
    for (const [key, value] of Object.entries(event.properties)) if (value !== null) keys.add(key);
  }
  // A key that looks like another name must be written out in full.
  return [...keys].map((key) => (isOwnField(key) || key.startsWith('properties.') ? `properties.${key}` : key));
}

function columnType(key: string, input: TableQuestion, agentData: AgentData): string {
  if (isOwnField(key)) return key === 'timestamp' ? 'datetime' : 'string';
  // The type of a path is left open: the contract is about property keys.
  if (propertyKeyOf(key).includes('.')) return 'any';
  const types = new Set(
    agentData.events
      .filter((event) => isOfAgent(event, input, agentData) && event.eventName === input.eventName)
      .map((event) => read(event, key))
      .filter((value) => value !== undefined)
      .map((value) => (Array.isArray(value) ? 'array' : typeof value)),
  );
  return types.size === 1 ? [...types][0]! : 'mixed';
}

function aggregateTable(input: TableQuestion, matching: ReferenceEvent[], agentData: AgentData) {
  const keys = keysOf(input.groupBy);
  const metrics = input.metrics ?? [{ aggregation: 'count' as const, alias: 'count' }];
  const groups = groupsOf(matching, keys).map(({ values, events }) => ({
    values,
    measures: metrics.map((metric) => aggregate(metric.aggregation, metric.propertyKey, events)),
  }));
  const descending = input.sortOrder !== 'asc';
  const aliases = metrics.map(({ alias }) => alias);
  const bySort = (one: (typeof groups)[number], other: (typeof groups)[number]) => {
    const metric = input.sortBy === undefined ? 0 : aliases.indexOf(input.sortBy);
    if (metric >= 0) return byMeasure(one.measures[metric]!, other.measures[metric]!, descending);
    const key = keys.indexOf(input.sortBy ?? '');
    return byValue(one.values[key], other.values[key], descending);
  };
  groups.sort((one, other) => bySort(one, other) || byGroup(one.values, other.values));
  return {
    rows: page(groups, input).map(({ values, measures }) =>
      Object.fromEntries([
        ...keys.map((key, index) => [key, shown(key, values[index])]),
        ...aliases.map((alias, index) => [alias, measures[index]]),
      ]),
    ),
    total: groups.length,
    columns: [
      ...keys.map((key) => ({ key, type: columnType(key, input, agentData) })),
      ...aliases.map((key) => ({ key, type: 'number' })),
    ],
  };
}

export function kpi(input: KpiQuestion, agentData: AgentData) {
  const range = rangeOf(input, agentData);
  if (input.compareTo && range.from === null) throw new Refused('nothing says how long the period is');
  const numeratorName = input.numerator?.eventName ?? input.eventName;
  const dates = { now: agentData.now, timezone: range.timezone };
  const parts = Object.entries(input.formula?.parts ?? {});
  const isCounted = (event: ReferenceEvent) =>
    !input.formula ||
    parts.some(([, part]) => event.eventName === part.eventName && passes(part.filters, event, dates));
  const counted = (inRange: Range) => select(input, eventNamesOf(input), inRange, agentData).filter(isCounted);
  const matching = counted(range);
  const measure = (events: ReferenceEvent[]) => {
    if (input.formula) {
      const values = parts.map(([name, part]): [string, number | null] => {
        const own = events.filter((event) => event.eventName === part.eventName && passes(part.filters, event, dates));
        return [name, aggregate(part.aggregation, part.propertyKey, own)];
      });
      const operands = values.map(([name, value], at) => [
        name,
        parts[at]![1].aggregation === 'sum' ? (value ?? 0) : value,
      ]);
      return {
        value: formulaValue(input.formula.expression, Object.fromEntries(operands)),
        parts: Object.fromEntries(values),
      };
    }
    if (input.aggregation !== 'rate') return { value: aggregate(input.aggregation, input.propertyKey, events) };
    const all = events.filter((event) => event.eventName === input.eventName).length;
    const part = events
      .filter((event) => event.eventName === numeratorName)
      .filter((event) => passes(input.numerator?.filters, event, dates)).length;
    return { value: all === 0 ? null : quotient(part, all), numerator: part, denominator: all };
  };
  const keys = keysOf(input.group_by);
  const top = keys.length === 0 ? null : (input.limit ?? (input.dateGrouping ? DEFAULT_SERIES_GROUPS : DEFAULT_GROUPS));
  const groups = groupsOf(matching, keys)
    .map((group) => ({ ...group, first: measure(group.events).value }))
    .sort((one, other) => byMeasure(one.first, other.first, true) || byGroup(one.values, other.values));
  const shownGroups = topGroups(groups, keys, top);
  const overall = measure(matching);
  const rangeBefore = input.compareTo ? periodBefore(range, agentData) : null;
  const before = rangeBefore && counted(rangeBefore);
  const groupsBefore = groupsOf(before ?? [], keys);
  /** The same group in the earlier period; the rest beyond the top is not compared. */
  const compared = ({ values }: ShownGroup) => {
    if (!before || !values) return {};
    const same = groupsBefore.find((group) => group.values.every((one, at) => identity(one) === identity(values[at])));
    return { previous: measure(same?.events ?? []) };
  };
  /** Groups of the earlier period only, the largest first. */
  const gone = () => {
    const isNow = (values: Value[]) =>
      groups.some((one) => one.values.every((value, at) => identity(value) === identity(values[at])));
    return groupsBefore
      .filter(({ values }) => !isNow(values))
      .map((group) => ({ ...group, previous: measure(group.events) }))
      .sort(
        (one, other) => byMeasure(one.previous.value, other.previous.value, true) || byGroup(one.values, other.values),
      )
      .slice(0, MAX_GONE)
      .map(({ values, previous }) => ({ group: nameOfGroup(values, keys), ...measure([]), previous }));
  };
  return {
    range,
    overall,
    previous: before && measure(before),
    previousRange: rangeBefore && { from: rangeBefore.from, to: rangeBefore.to },
    groups:
      top !== null && !input.dateGrouping
        ? [
            ...shownGroups.map((shownGroup) => ({
              group: shownGroup.group,
              ...measure(shownGroup.events),
              ...compared(shownGroup),
            })),
            ...(groups.length <= top && before ? gone() : []),
          ]
        : null,
    totalGroups: top === null ? 'any' : groups.length,
    topGroups: top,
    series: input.dateGrouping ? series(input, matching, shownGroups, measure, range, agentData) : null,
    matched: ('denominator' in overall ? overall.denominator : undefined) ?? matching.length,
    lastAt: lastOf(matching),
  };
}

type Measured = {
  value: number | null;
  numerator?: number;
  denominator?: number;
  parts?: Record<string, number | null>;
};
type ShownGroup = { group?: unknown; values?: Value[]; events: ReferenceEvent[] };

function nameOfGroup(values: Value[], keys: string[]): unknown {
  const all = keys.map((key, index) => shown(key, values[index]));
  return keys.length === 1 ? all[0] : Object.fromEntries(keys.map((key, at) => [key, all[at]]));
}

/** The largest groups by name; the events of the others are "other". */
function topGroups(
  groups: { values: Value[]; events: ReferenceEvent[] }[],
  keys: string[],
  top: number | null,
): ShownGroup[] {
  if (top === null) return groups;
  const named: ShownGroup[] = groups.slice(0, top).map(({ values, events }) => {
    return { group: nameOfGroup(values, keys), values, events };
  });
  const rest = groups.slice(top).flatMap(({ events }) => events);
  if (rest.length === 0) return named;
  // A group named "other" keeps its name; the product then renames the rest.
  const taken = named.some(({ group }) => group === 'other');
  return [...named, { group: taken ? 'other (all remaining groups)' : 'other', events: rest }];
}

/** Every bucket of the range for every group, also without events. */
function series(
  input: KpiQuestion,
  matching: ReferenceEvent[],
  groups: ShownGroup[],
  measure: (events: ReferenceEvent[]) => Measured,
  range: Range,
  agentData: AgentData,
) {
  const unit = input.dateGrouping!;
  const times = matching.map((event) => event.timestamp);
  const from = range.from ?? (times.length > 0 ? Math.min(...times) : null);
  // An open range ends now, or with a later event.
  const to = range.to ?? Math.max(agentData.now, ...times) + 1;
  if (from === null) return [];
  const buckets = bucketsBetween(unit, range.timezone, from, to, MAX_BUCKETS);
  const named = keysOf(input.group_by).length === 0 ? 0 : groups.filter(({ values }) => values !== undefined).length;
  if (named > 1 && (named + 1) * buckets.length > MAX_POINTS) throw new Refused();
  const ofNothing = groups.length === 0 && keysOf(input.group_by).length === 0 ? [{ events: [] }] : [];
  return [...groups, ...ofNothing].flatMap(({ events, ...group }: ShownGroup) =>
    buckets.map(({ name, label }) => ({
      bucket: label,
      ...('group' in group ? { group: group.group } : {}),
      ...measure(events.filter((event) => bucketOf(unit, range.timezone, event.timestamp) === name)),
    })),
  );
}

/**
 * Actors per step: each step strictly after the one before, the last within the window from the
 * first.
 */
export function funnel(input: FunnelQuestion, agentData: AgentData) {
  const range = rangeOf(input, agentData);
  const dates = { now: agentData.now, timezone: range.timezone };
  const everyTime = { ...range, from: null, to: null };
  const names = input.steps.map((step) => step.eventName);
  const counts = input.steps.map(() => 0);
  for (const { values, events } of groupsOf(select(input, names, everyTime, agentData), [input.by])) {
    if (values[0] === undefined) continue;
    const ordered = events.sort((one, other) => -newestFirst(one, other));
    const isAt = (step: number, event: ReferenceEvent) =>
      event.eventName === names[step] && passes(input.steps[step]!.filters, event, dates);
    const starts = ordered.filter((event) => isAt(0, event) && isWithin(range, event));
    const depth = Math.max(0, ...starts.map((start) => depthFrom(start, ordered, input, isAt)));
    for (let step = 0; step < depth; step += 1) counts[step]! += 1;
  }
  return input.steps.map((step, index) => ({
    label: step.label ?? step.eventName,
    eventName: step.eventName,
    count: counts[index]!,
    conversion: counts[0] ? quotient(counts[index]!, counts[0]) : null,
  }));
}

/** The number of steps reached from this start. Tries every path, not only the earliest. */
function depthFrom(
  start: ReferenceEvent,
  ordered: ReferenceEvent[],
  input: FunnelQuestion,
  isAt: (step: number, event: ReferenceEvent) => boolean,
): number {
  const deadline = start.timestamp + input.windowSeconds * 1_000;
  let reached = [ordered.indexOf(start)];
  for (let step = 1; step < input.steps.length; step += 1) {
    reached = ordered.flatMap((event, at) =>
      event.timestamp <= deadline && isAt(step, event) && reached.some((before) => before < at) ? [at] : [],
    );
    if (reached.length === 0) return step;
  }
  return input.steps.length;
}
