import { numberOf } from '../../editor/values.ts';
import { filtersOf } from '../../question/filters/filters.ts';
import { metricOf } from '../../question/state/table-rows.ts';
import { membersFrom } from './read-config.ts';
import {
  asksMetric,
  type CardForm,
  type CardType,
  type Config,
  isGiven,
  type Kept,
  type Members,
  type StepRow,
  type WindowUnit,
} from './state.ts';

export const SECONDS: Record<WindowUnit, number> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

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
