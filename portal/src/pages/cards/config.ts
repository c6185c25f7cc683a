import { numberOf } from '../../editor/values.ts';
import { filtersOf, nextId, rowsOf } from '../../question/filters/filters.ts';
import { metricOf, metricRowsOf } from '../../question/state/table-rows.ts';
import { isObject, keysOf, rangeIn, textOf } from '../../question/state/text.ts';
import { AGGREGATIONS, DATE_GROUPINGS } from '../../question/words/words.ts';
import {
  asksMetric,
  type CardForm,
  type CardType,
  type Config,
  emptyMembers,
  isGiven,
  type Kept,
  type Members,
  type StepRow,
  type ThresholdRow,
  type WindowUnit,
} from './state.ts';

const SECONDS: Record<WindowUnit, number> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

const MEASURE = ['metric', 'eventName', 'aggregation', 'propertyKey'] as const;
const COMMON = ['filters', 'segment', 'dateFrom', 'dateTo', 'timezone'] as const;
const COMPARABLE = ['compareTo', 'format'] as const;
const CHART = [...MEASURE, 'dateGrouping', 'groupBy', 'limit', ...COMMON] as const;

/** The members of each type's config that the form knows. */
const MEMBERS: Record<CardType, readonly (keyof typeof WRITE)[]> = {
  number: [...MEASURE, ...COMMON, ...COMPARABLE],
  rate: ['metric', 'eventName', 'numerator', ...COMMON, ...COMPARABLE],
  line: CHART,
  bar: CHART,
  pie: [...MEASURE, 'groupBy', 'limit', ...COMMON],
  table: ['eventName', 'mode', 'columns', 'groupBy', 'metrics', 'sortBy', 'sortOrder', 'limit', ...COMMON],
  funnel: ['steps', 'by', 'windowSeconds', ...COMMON],
  gauge: [...MEASURE, 'min', 'max', 'target', 'thresholds', ...COMMON],
};

/** The members that a metric defines. */
const OF_METRIC: ReadonlySet<string> = new Set(['eventName', 'aggregation', 'propertyKey', 'numerator']);

/** A config's member from the form; undefined leaves it out. */
const WRITE = {
  metric: ({ metric }: Members) => given(metric),
  eventName: ({ eventName }: Members) => eventName,
  aggregation: ({ aggregation }: Members) => aggregation,
  propertyKey: ({ propertyKey }: Members) => given(propertyKey),
  filters: ({ filters }: Members) => filtersOf(filters),
  segment: ({ segment }: Members) => given(segment),
  dateFrom: ({ range }: Members) => given(range.from),
  dateTo: ({ range }: Members) => given(range.to),
  timezone: ({ timezone }: Members) => given(timezone),
  compareTo: ({ compare }: Members) => (compare ? 'previous_period' : undefined),
  format: ({ format: { prefix, suffix, decimals, percent } }: Members) =>
    unlessEmpty({
      prefix: given(prefix),
      suffix: given(suffix),
      decimals: givenNumber(decimals),
      percent: percent === '' ? undefined : percent === 'yes',
    }),
  numerator: ({ numerator: { isOther, eventName, filters } }: Members) =>
    withoutAbsent({ eventName: isOther ? eventName : undefined, filters: filtersOf(filters) }),
  groupBy: ({ groupBy }: Members) => {
    const keys = groupBy.filter((key) => key !== '');
    return keys.length > 1 ? keys : keys[0];
  },
  dateGrouping: ({ dateGrouping }: Members) => given(dateGrouping),
  limit: ({ limit }: Members) => givenNumber(limit),
  min: ({ min }: Members) => givenNumber(min),
  max: ({ max }: Members) => givenNumber(max),
  target: ({ target }: Members) => givenNumber(target),
  thresholds: ({ thresholds }: Members) =>
    filled(
      thresholds
        .filter(isGiven)
        .map(({ value, label, color }) =>
          withoutAbsent({ value: givenNumber(value), label: given(label), color: given(color) }),
        ),
    ),
  mode: ({ mode }: Members) => mode,
  columns: ({ mode, columns }: Members) => (mode === 'raw' ? filled(columns.filter((key) => key !== '')) : undefined),
  metrics: ({ mode, metrics }: Members) => (mode === 'aggregate' ? filled(metrics.map(metricOf)) : undefined),
  sortBy: ({ sortBy }: Members) => given(sortBy),
  sortOrder: ({ sortOrder }: Members) => given(sortOrder),
  steps: ({ steps }: Members) => steps.map(stepOf),
  by: ({ by }: Members) => given(by),
  windowSeconds: ({ window: { amount, unit } }: Members) => {
    const number = givenNumber(amount);
    return typeof number === 'number' ? number * SECONDS[unit] : number;
  },
};

/** The config of a form. Members that the user has not changed keep the value that was read. */
export function configOf({ cardType, members, kept }: CardForm): Config {
  const config = shownConfig(cardType, members);
  if (kept?.cardType !== cardType) return config;
  for (const [name, { original, shown }] of Object.entries(kept.members)) {
    if (!isSame(config[name], shown)) continue;
    if (original === undefined) delete config[name];
    else config[name] = original;
  }
  return config;
}

/** The form of any config, valid or not. Members that the form does not show are kept. */
export function formOf(cardType: CardType, config: Config): CardForm {
  const members = membersFrom(config);
  const shown = shownConfig(cardType, members);
  const kept: Kept = {};
  for (const name of new Set([...Object.keys(config), ...Object.keys(shown)])) {
    if (!isSame(config[name], shown[name])) kept[name] = { original: config[name], shown: shown[name] };
  }
  return { cardType, members, kept: { cardType, members: kept } };
}

function shownConfig(cardType: CardType, members: Members): Config {
  const config: Config = {};
  const isMetric = asksMetric(cardType, members);
  for (const name of MEMBERS[cardType]) {
    if (isMetric ? OF_METRIC.has(name) : name === 'metric') continue;
    if (cardType === 'table' && members.mode !== 'aggregate' && name === 'groupBy') continue;
    if (cardType === 'table' && members.mode === 'retention' && name.startsWith('sort')) continue;
    const value = WRITE[name](members);
    if (value !== undefined) config[name] = value;
  }
  return config;
}

function stepOf({ eventName, filters, label }: StepRow) {
  return withoutAbsent({ eventName, filters: filtersOf(filters), label: given(label) });
}

function given<Text extends string>(text: Text): Exclude<Text, ''> | undefined {
  return text === '' ? undefined : (text as Exclude<Text, ''>);
}

function givenNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : numberOf(text);
}

function filled<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

function withoutAbsent(members: Config): Config {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function unlessEmpty(members: Config): Config | undefined {
  const present = withoutAbsent(members);
  return Object.keys(present).length === 0 ? undefined : present;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const MODES = [{ value: 'raw' }, { value: 'aggregate' }, { value: 'retention' }] as const;

/** The form's members of any config. A member that the form cannot show gets its default. */
function membersFrom(config: Config): Members {
  const empty = emptyMembers();
  return {
    ...empty,
    subject: typeof config.metric === 'string' ? 'metric' : 'event',
    metric: textOf(config.metric),
    eventName: textOf(config.eventName),
    aggregation: oneOf(AGGREGATIONS, config.aggregation) ?? 'count',
    propertyKey: textOf(config.propertyKey),
    filters: rowsOf(config.filters),
    segment: textOf(config.segment),
    range: rangeIn(config),
    timezone: textOf(config.timezone),
    compare: config.compareTo === 'previous_period',
    format: formatFrom(objectOf(config.format)),
    numerator: numeratorFrom(objectOf(config.numerator)),
    groupBy: keysOf(config.groupBy),
    dateGrouping: oneOf(DATE_GROUPINGS, config.dateGrouping) ?? '',
    limit: numberText(config.limit),
    min: numberText(config.min),
    max: numberText(config.max),
    target: numberText(config.target),
    thresholds: objectsOf(config.thresholds).map(thresholdFrom),
    mode: oneOf(MODES, config.mode) ?? 'aggregate',
    columns: keysOf(config.columns),
    metrics: metricRowsOf(config.metrics),
    sortBy: textOf(config.sortBy),
    sortOrder: config.sortOrder === 'asc' || config.sortOrder === 'desc' ? config.sortOrder : '',
    steps: objectsOf(config.steps).map(stepFrom),
    by: textOf(config.by),
    window: windowFrom(config.windowSeconds),
  };
}

function formatFrom({ prefix, suffix, decimals, percent }: Config): Members['format'] {
  return {
    prefix: textOf(prefix),
    suffix: textOf(suffix),
    decimals: numberText(decimals),
    percent: typeof percent === 'boolean' ? (percent ? 'yes' : 'no') : '',
  };
}

function numeratorFrom({ eventName, filters }: Config): Members['numerator'] {
  return { isOther: typeof eventName === 'string', eventName: textOf(eventName), filters: rowsOf(filters) };
}

function thresholdFrom({ value, label, color }: Config): ThresholdRow {
  return { id: nextId(), value: numberText(value), label: textOf(label), color: textOf(color) };
}

function stepFrom({ eventName, filters, label }: Config): StepRow {
  return { id: nextId(), eventName: textOf(eventName), filters: rowsOf(filters), label: textOf(label) };
}

function windowFrom(seconds: unknown): Members['window'] {
  if (typeof seconds !== 'number') return { amount: '', unit: 'days' };
  const unit = (['days', 'hours', 'minutes'] as const).find((one) => seconds % SECONDS[one] === 0) ?? 'seconds';
  return { amount: String(seconds / SECONDS[unit]), unit };
}

function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}

function objectOf(value: unknown): Config {
  return isObject(value) ? value : {};
}

function objectsOf(value: unknown): Config[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function oneOf<Value extends string>(choices: readonly { value: Value }[], value: unknown): Value | undefined {
  return choices.find((choice) => choice.value === value)?.value;
}
