import fc from 'fast-check';
import { AGGREGATIONS, DATE_GROUPINGS } from '../../src/core/analytics/events/fields.ts';
import type { FeedQuestion, FunnelQuestion } from '../../src/core/analytics/events/questions/plan.ts';
import {
  type DefinedMetric,
  type KpiQuestion,
  kpiQuestion,
  type TableQuestion,
} from '../../src/core/analytics/events/questions/question.ts';
import { COHORT_GROUPINGS } from '../../src/core/analytics/events/retention-schema.ts';
import type { EventFilter } from '../../src/core/base/filters/filter-schema.ts';
import { labelOf, localTime } from './calendar.ts';
import { AGENTS, DAY, type Dataset, EVENT_NAMES, EXTREME_KEY, HOUR, MINUTE, scalar, ZONES } from './datasets.ts';
import { feedQuestion, funnelQuestion, rawQuestion, tableQuestion } from './questions.ts';
import { type ReferenceEvent, read } from './values.ts';

/* Questions mostly about existing data: a query that matches nothing proves little. */

export type Request =
  | { kind: 'table'; agentId: string | null; input: TableQuestion }
  | { kind: 'kpi'; agentId: string | null; input: KpiQuestion }
  | { kind: 'funnel'; agentId: string | null; input: FunnelQuestion }
  | { kind: 'feed'; agentId: string | null; input: FeedQuestion };

export function requestArbitrary(dataset: Dataset): fc.Arbitrary<Request> {
  const parts = partsFor(dataset);
  // Among many events all threads are within milliseconds, which no window can express.
  const tight = tightFunnels(dataset);
  const tightOrAny = tight.length > 0 ? fc.constantFrom(...tight) : funnels(parts);
  const of = <Kind extends Request['kind']>(
    kind: Kind,
    inputs: fc.Arbitrary<object>,
    parse: (input: unknown) => Extract<Request, { kind: Kind }>['input'],
  ) =>
    fc
      .tuple(inputs, fc.constantFrom(null, null, 'support'))
      .map(([input, agentId]) => ({ kind, agentId, input: parse(input) }) as Request);
  return fc.oneof(
    { weight: 6, arbitrary: of('table', rawTables(parts), tableQuestion) },
    { weight: 6, arbitrary: of('table', aggregateTables(parts), tableQuestion) },
    { weight: 4, arbitrary: of('table', retentions(parts), tableQuestion) },
    { weight: 8, arbitrary: of('kpi', kpis(parts), rawQuestion) },
    { weight: 4, arbitrary: of('kpi', formulas(parts), (input) => input as KpiQuestion) },
    { weight: 3, arbitrary: of('funnel', funnels(parts), funnelQuestion) },
    { weight: 1, arbitrary: of('funnel', tightOrAny, funnelQuestion) },
    { weight: 1, arbitrary: of('feed', feeds(parts), feedQuestion) },
  );
}

/** Mostly of one filter, by what occurs in the data. */
export function filtersArbitrary(dataset: Dataset): fc.Arbitrary<EventFilter[]> {
  return fromData(dataset).filters as fc.Arbitrary<EventFilter[]>;
}

/** The parts of every kind of question. */
function partsFor(dataset: Dataset) {
  const { key, filters } = fromData(dataset);
  const range = rangeArbitrary(dataset);
  return {
    key,
    keys: fc.oneof(key, fc.uniqueArray(key, { minLength: 1, maxLength: 3 })),
    filters,
    selection: {
      eventName: fc.constantFrom('purchase', 'purchase', 'purchase', ...EVENT_NAMES, 'unheard of'),
      agentId: optional(fc.constantFrom('support', 'support', ...AGENTS, 'nobody'), 3),
      filters,
      timezone: optional(fc.constantFrom(...ZONES), 3),
      segment: optional(segments(key, filters, range), 2),
    },
    inRange: <Question extends object>(question: fc.Arbitrary<Question>) =>
      fc.tuple(question, range).map(([one, bounds]) => ({ ...one, ...bounds })),
    paging: { limit: optional(fc.constantFrom(1, 2, 3, 5, 50, 1000), 6), offset: optional(fc.nat(6), 3) },
    sortOrder: optional(fc.constantFrom('asc', 'desc')),
  };
}

type Parts = ReturnType<typeof partsFor>;

/** Mostly of threads and executions: few events share the value of a property. */
function segments(
  key: fc.Arbitrary<string>,
  filters: fc.Arbitrary<readonly unknown[]>,
  range: ReturnType<typeof rangeArbitrary>,
) {
  const condition = fc.record({
    eventName: fc.constantFrom('purchase', 'purchase', 'purchase', ...EVENT_NAMES, 'unheard of'),
    filters: optional(filters, 4),
    atLeast: optional(fc.constantFrom(1, 2, 3, 8)),
  });
  const dated = fc.oneof(fc.constant({}), range);
  return fc.record({
    name: fc.constant('a_segment'),
    by: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('threadId', 'executionId', 'agentId') }, key),
    conditions: fc.array(
      fc.tuple(condition, dated).map(([one, bounds]) => ({ ...one, ...bounds })),
      { minLength: 1, maxLength: 3 },
    ),
  });
}

function rawTables({ selection, key, sortOrder, paging, inRange }: Parts) {
  return inRange(
    fc.record({
      ...selection,
      mode: fc.constantFrom('raw', undefined),
      columns: optional(fc.array(key, { minLength: 1, maxLength: 5 })),
      sortBy: optional(key, 8),
      sortOrder,
      ...paging,
    }),
  );
}

function aggregateTables({ selection, key, keys, sortOrder, paging, inRange }: Parts) {
  const table = fc.record({
    ...selection,
    mode: fc.constant('aggregate'),
    groupBy: optional(keys, 9),
    metrics: optional(fc.tuple(metric('m "1"', key), metric('__proto__', key), metric('count of %', key)), 8),
    sortOrder,
    ...paging,
  });
  const sorted = fc.tuple(table, optional(fc.nat(5))).map(([input, sortAt]) => {
    const aliases = (input.metrics ?? [{ alias: 'count' }]).map(({ alias }) => alias);
    const names = [...aliases, ...[input.groupBy ?? []].flat()];
    return { ...input, sortBy: sortAt === undefined ? undefined : names[sortAt % names.length] };
  });
  // An alias must not be a group key.
  return inRange(
    sorted.filter(({ groupBy }) => ![groupBy ?? []].flat().some((one) => ['count', '__proto__'].includes(one))),
  );
}

/** Most of few members: with all filters and ranges of other questions hardly anyone returns. */
function retentions({ selection, key, filters, paging, inRange }: Parts) {
  const returned = fc.record(
    { eventName: fc.constantFrom('*', 'purchase', ...EVENT_NAMES), filters: optional(filters, 2) },
    { requiredKeys: [] },
  );
  const by = fc.oneof({ weight: 5, arbitrary: fc.constantFrom('threadId', undefined, 'executionId', 'agentId') }, key);
  const asked = fc.record({
    ...selection,
    filters: optional(filters, 2),
    mode: fc.constant('retention'),
    start: optional(fc.record({ filters }), 2),
    returned: optional(returned, 6),
    by,
    dateGrouping: fc.constantFrom('day', 'day', 'day', undefined, ...COHORT_GROUPINGS),
    periods: optional(fc.constantFrom(1, 2, 5, 14, 31), 7),
    ...paging,
    limit: optional(fc.constantFrom(2, 50), 2),
  });
  return fc.oneof(asked, inRange(asked));
}

function metric(alias: string, key: Parts['key']) {
  return fc
    .tuple(fc.constantFrom(...AGGREGATIONS), key, fc.boolean())
    .filter(([aggregation, one]) => !one.endsWith(EXTREME_KEY) || !['sum', 'avg'].includes(aggregation))
    .map(([aggregation, propertyKey, bare]) =>
      aggregation === 'count' && bare ? { aggregation, alias } : { aggregation, propertyKey, alias },
    );
}

function kpis(parts: Parts) {
  const { selection, key, filters } = parts;
  const numerator = fc.record({ eventName: selection.eventName, filters });
  const measure = fc
    .tuple(metric('unused', key), optional(numerator, 2))
    .map(([{ alias: _, ...one }, part]) => (part ? { aggregation: 'rate' as const, numerator: part } : one));
  const named = fc.record({ eventName: selection.eventName });
  return parts.inRange(fc.tuple(measure, named, shapes(parts)).map((members) => Object.assign({}, ...members)));
}

/** Groups, series and comparisons of any measure. */
function shapes({ selection, keys }: Parts): fc.Arbitrary<object> {
  const grouped = fc.oneof(
    fc.record({ group_by: keys, limit: optional(fc.constantFrom(1, 2, 3, 30)) }),
    fc.constant({}), // a limit without group_by is refused
  );
  const { eventName: _, ...narrowed } = selection;
  const rest = fc.record({
    ...narrowed,
    dateGrouping: optional(fc.constantFrom('hour', 'hour', 'day', ...DATE_GROUPINGS)),
    compareTo: optional(fc.constant('previous_period'), 3),
  });
  return fc.tuple(grouped, rest).map((members) => Object.assign({}, ...members));
}

const EXPRESSIONS = [
  ...['one / other', 'one - other', 'one + other', 'one * other', '-one + 2', 'one / (one + other)', '3 - one * other'],
  ...['100 * (one - other) / other', 'one / other / 7', 'one - (other - one)', '(one + 0.5) * -(other - 1.25)', '5'],
];

/** As metrics with these definitions. Values beyond a double's digits are for plain sums alone. */
function formulas(parts: Parts) {
  const { selection, filters } = parts;
  const key = parts.key.filter((one) => !one.endsWith(EXTREME_KEY));
  const part = fc
    .tuple(metric('unused', key), fc.record({ eventName: selection.eventName, filters: optional(filters) }))
    .map(([{ alias: _, ...measure }, rest]) => ({ ...measure, ...rest }));
  const formula = fc.record({
    expression: fc.constantFrom(...EXPRESSIONS),
    parts: fc.record({ one: part, other: part }),
  });
  const asked = fc.tuple(formula, shapes(parts)).map(([one, rest]) => {
    const metric = { name: 'm', version: 1, title: 'M', state: 'approved', formula: one, approvedVersion: 1 } as const;
    const { metric: _, ...question } = kpiQuestion(rest, metric as unknown as DefinedMetric);
    return question;
  });
  return parts.inRange(asked);
}

function funnels({ selection, key, filters, inRange }: Parts) {
  const step = fc.record({
    eventName: fc.constantFrom(...EVENT_NAMES),
    filters: optional(filters, 3),
    label: optional(fc.constant('a label'), 1),
  });
  return inRange(
    fc.record({
      agentId: selection.agentId,
      timezone: selection.timezone,
      segment: selection.segment,
      filters: optional(filters, 3),
      steps: fc.array(step, { minLength: 2, maxLength: 5 }),
      by: fc.oneof(fc.constantFrom('threadId', undefined, 'executionId', 'agentId'), key),
      windowSeconds: optional(fc.constantFrom(1, 900, 3_600, 86_400), 7),
    }),
  );
}

function feeds({ selection, paging }: Parts) {
  const { agentId, eventName, segment } = selection;
  return fc.record({ agentId, eventName: optional(eventName, 4), segment, ...paging });
}

/** Present in so many of ten cases. */
function optional<T>(arbitrary: fc.Arbitrary<T>, inTen = 5): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 10 - inTen, arbitrary: fc.constant(undefined) }, { weight: inTen, arbitrary });
}

/** Names and values that occur in the data, and some that do not. */
function fromData({ events, now, timezone }: Dataset) {
  const inside = [...new Set(events.flatMap((event) => [...pathsIn(event.properties, '')]))];
  const outside = ['nothing', 'a.nothing', 'list.01', 'list.-1', 'properties.nothing', 'properties.'];
  const own = ['id', 'eventName', 'threadId', 'executionId', 'agentId', 'timestamp'];
  const top = [...new Set(events.flatMap((event) => Object.keys(event.properties)))].filter((key) => key !== '');
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...top) },
    { weight: 2, arbitrary: fc.constantFrom(...inside) },
    { weight: 2, arbitrary: fc.constantFrom(...top.map((key) => `properties.${key}`)) },
    { weight: 2, arbitrary: fc.constantFrom(...own) },
    { weight: 1, arbitrary: fc.constantFrom(...outside) },
  );
  const filter = key.chain((propertyKey) =>
    propertyKey === 'timestamp'
      ? timeFilter(propertyKey, events, now, timezone)
      : valueFilter(propertyKey, valuesAt(propertyKey, events)),
  );
  return {
    key,
    filters: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 5, arbitrary: fc.tuple(filter) },
      { weight: 1, arbitrary: fc.tuple(filter, filter) },
    ),
  };
}

function* pathsIn(container: object, prefix: string): Generator<string> {
  for (const [key, inner] of Object.entries(container)) {
    const path = prefix + key;
    if (path !== '') yield path;
    if (typeof inner === 'object' && inner !== null) yield* pathsIn(inner, `${path}.`);
  }
}

/** The scalars under a name, and those inside its arrays. */
function valuesAt(name: string, events: ReferenceEvent[]): (string | number | boolean)[] {
  const found = events.flatMap((event) => [read(event, name)].flat());
  return [...new Set(found.filter((one) => ['string', 'number', 'boolean'].includes(typeof one)))] as string[];
}

function valueFilter(propertyKey: string, known: (string | number | boolean)[]) {
  const occurring = known.length === 0 ? scalar : fc.constantFrom(...known);
  const misread = occurring.map(ofOtherType);
  const value = fc.oneof(
    { weight: 6, arbitrary: occurring },
    { weight: 1, arbitrary: misread },
    { weight: 2, arbitrary: scalar },
  );
  const texts = known.filter((one) => typeof one === 'string');
  const text = fc.oneof(fc.constantFrom('', '%', '_', 'A', '\\', ...texts), fc.constantFrom('', ...texts));
  const part = fc
    .tuple(text, fc.nat(2), fc.nat(2), fc.boolean())
    .map(([one, from, cut, upper]) => turned([...one].slice(from > 1 ? 1 : 0, cut > 1 ? -1 : undefined), upper));
  const key = fc.constant(propertyKey);
  const comparable = value.map((one) => (typeof one === 'boolean' ? String(one) : one));
  const values = fc.array(value, { minLength: 1, maxLength: 6 });
  return fc.oneof(
    fc.record({ propertyKey: key, operator: fc.constantFrom('eq', 'neq'), value }),
    fc.record({ propertyKey: key, operator: fc.constantFrom('gt', 'lt', 'gte', 'lte'), value: comparable }),
    fc.record({
      propertyKey: key,
      operator: fc.constantFrom('contains', 'notContains'),
      value: fc.oneof(part, value, misread),
    }),
    fc.record({ propertyKey: key, operator: fc.constant('startsWith'), value: part }),
    fc.record({ propertyKey: key, operator: fc.constantFrom('in', 'notIn'), value: values }),
    fc.record({ propertyKey: key, operator: fc.constantFrom('exists', 'notExists') }),
  );
}

/** `1` for `"1"`, `"true"` for `true`: equal if the type is ignored. */
function ofOtherType(one: string | number | boolean): string | number | boolean {
  return typeof one === 'string' && Number.isFinite(Number(one)) ? Number(one) : String(one);
}

/** In capitals, except `ß`, whose capital form is two letters. */
function turned(characters: string[], upper: boolean): string {
  return characters.map((character) => (upper && character !== 'ß' ? character.toUpperCase() : character)).join('');
}

function timeFilter(propertyKey: string, events: ReferenceEvent[], now: number, timezone: string) {
  const instant = fc.constantFrom(now, ...events.map((event) => event.timestamp));
  const exact = instant.chain((one) => writtenInstant(one, now, timezone));
  const span = instant.chain((one) => writtenSpan(one, timezone));
  const key = fc.constant(propertyKey);
  return fc.oneof(
    fc.record({
      propertyKey: key,
      operator: fc.constantFrom('eq', 'neq', 'gt', 'lt', 'gte', 'lte'),
      value: exact,
    }),
    // Refused with the other operators.
    fc.record({ propertyKey: key, operator: fc.constantFrom('gt', 'lt', 'gte', 'lte'), value: span }),
    fc.record({
      propertyKey: key,
      operator: fc.constantFrom('in', 'notIn'),
      value: fc.array(exact, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ propertyKey: key, operator: fc.constantFrom('exists', 'notExists') }),
  );
}

function rangeArbitrary({ events, now, timezone }: Dataset): fc.Arbitrary<{ dateFrom?: string; dateTo?: string }> {
  const instant = fc.constantFrom(now, ...events.map((event) => event.timestamp));
  const both = fc.tuple(instant, instant, fc.nat(19)).map(([one, other, swap]) => {
    const ordered = one <= other === swap > 0;
    return ordered ? [one, other] : [other, one];
  });
  const loose = both.chain(([from, to]) =>
    fc.record({
      dateFrom: optional(writtenDate(from!, now, timezone), 5),
      dateTo: optional(writtenDate(to!, now, timezone), 3),
    }),
  );
  // The period before begins exactly with an event.
  const mirrored = fc.tuple(instant, instant).map(([one, other]) => ({
    dateFrom: new Date(Math.max(one, other)).toISOString(),
    dateTo: new Date(Math.max(one, other) + Math.abs(one - other)).toISOString(),
  }));
  return fc.oneof({ weight: 9, arbitrary: loose }, { weight: 1, arbitrary: mirrored });
}

/** The smallest distance of two events in a thread: a funnel whose window just contains them. */
function tightFunnels({ events }: Dataset) {
  const closest = new Map<string, { names: string[]; seconds: number }>();
  for (const event of events) {
    for (const later of events) {
      const seconds = (later.timestamp - event.timestamp) / 1_000;
      if (event.threadId === null || later.threadId !== event.threadId || seconds <= 0) continue;
      const names = [event.eventName, later.eventName];
      const pair = [event.threadId, ...names].join('\n');
      if (seconds < (closest.get(pair)?.seconds ?? Number.POSITIVE_INFINITY)) closest.set(pair, { names, seconds });
    }
  }
  return [...closest.values()]
    .filter(({ seconds }) => Number.isInteger(seconds))
    .map(({ names, seconds }) => ({ steps: names.map((eventName) => ({ eventName })), windowSeconds: seconds }));
}

/** A date at one instant or near it, or relative to now, in every way that it can be written. */
export function writtenDate(instant: number, now: number, timezone: string): fc.Arbitrary<string> {
  return fc.oneof(writtenInstant(instant, now, timezone), writtenSpan(instant, timezone));
}

const PAST_INSTANTS = ['now', '7d', '2 weeks', '1 month', '90 min', '36 hours ago', '45 min ago'];
const SIGNED = ['-3d', '-1w', '-1mo', '-1y', '-2 weeks', '-1 month', 'now-7d', 'now - 1mo', 'now-24h'];

function writtenInstant(instant: number, now: number, timezone: string): fc.Arbitrary<string> {
  const local = localText(instant, timezone);
  const numbers = fc.constantFrom(
    new Date(instant).toISOString(),
    labelOf(timezone, instant),
    local.slice(0, 16),
    local,
    `-${Math.max(0, Math.floor((now - instant) / HOUR))}h`,
    `-${Math.min(99_999, Math.max(0, Math.floor((now - instant) / MINUTE)))}min`,
    `-${Math.max(0, Math.floor((now - instant) / DAY))}d`,
  );
  return fc.oneof(numbers, spelled(fc.constantFrom(...PAST_INSTANTS)), fc.constantFrom(...SIGNED));
}

function localText(instant: number, timezone: string): string {
  return new Date(localTime(timezone, instant)).toISOString().replace('Z', '');
}

const PAST_SPANS = [
  ...['today', 'yesterday', 'mtd', 'qtd', 'ytd', 'wtd', 'week to date', 'month to date', 'year to date'],
  ...['last day', 'last hour', 'past minute', 'past hour', 'past week', 'past month', 'past quarter', 'past year'],
  ...['last 30 days', 'past 90 min', 'last 7d', 'last 2 quarters', '3 days ago', '1 month ago', '2 quarters ago'],
];

/** A day, a period, or what lasts until now. */
function writtenSpan(instant: number, timezone: string): fc.Arbitrary<string> {
  const day = localText(instant, timezone).slice(0, 10);
  const days = fc.constantFrom(day, day.replaceAll('-', '/'));
  return fc.oneof(days, spelled(fc.constantFrom(...PAST_SPANS)), writtenPeriod(instant, timezone));
}

const PERIODS = ['week', 'month', 'quarter', 'year'].flatMap((unit) =>
  ['this', 'last', 'current', 'previous'].map((which) => `${which} ${unit}`),
);

function writtenPeriod(instant: number, timezone: string): fc.Arbitrary<string> {
  const local = new Date(localTime(timezone, instant));
  const [year, month] = local.toISOString().split('-');
  const quarter = `Q${Math.ceil(Number(month) / 3)}`;
  const name = local.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  const named = [`${year} ${quarter}`, `${quarter} ${year}`, `${name} ${year}`, `${name.slice(0, 3)} ${year}`];
  return spelled(fc.oneof(fc.constantFrom(year!, `${year} ${month}`, ...named), fc.constantFrom(...PERIODS)));
}

/** With any separator of words, in any case. */
function spelled(phrases: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(phrases, fc.constantFrom(' ', '_', '-'), fc.constantFrom('', 'lower', 'upper'))
    .map(([phrase, separator, letters]) => {
      const text = phrase.replaceAll(' ', separator);
      if (letters === '') return text;
      return letters === 'upper' ? text.toUpperCase() : text.toLowerCase();
    });
}
