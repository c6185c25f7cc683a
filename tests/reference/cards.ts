import fc from 'fast-check';
import type { CardType } from '../../src/core/analytics/dashboards/config-schema.ts';
import { DATE_GROUPINGS, type DateGrouping } from '../../src/core/analytics/events/fields.ts';
import type { FunnelQuestion } from '../../src/core/analytics/events/questions/plan.ts';
import type { KpiQuestion, TableQuestion } from '../../src/core/analytics/events/questions/question.ts';
import type { EventFilter } from '../../src/core/base/filters/filter-schema.ts';
import { instantOf, Refused } from './calendar.ts';
import { AGENTS, DAY, type Dataset, HOUR } from './datasets.ts';
import { funnel, kpi, table } from './evaluator.ts';
import { type Request, requestArbitrary } from './generators.ts';
import { withDefaults } from './retention.ts';
import { type AgentData, isoOf, lastOf, type Range, rangeOf, select } from './selection.ts';

/*
 * Dashboard cards by the contract's table: valid configs, and their data at an instant. Only types
 * and lists of words are imported from src.
 */

export interface GeneratedCard {
  agentId: string;
  cardType: CardType;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own members
  config: Record<string, any>;
}

/** The range of a card without `dateFrom`. */
const DEFAULT_FROM = '-30d';

/**
 * Moves some events to the start of the default range: the last instant before it, the first in it,
 * an hour around.
 */
export function aMonthBefore(dataset: Dataset): Dataset {
  const border = instantOf(DEFAULT_FROM, dataset);
  const distances = [-1, 0, 1, -HOUR, HOUR, -DAY, DAY / 2, -5 * DAY];
  const events = dataset.events.map((event, at) =>
    at % 5 === 0 ? { ...event, timestamp: border + distances[(at / 5) % distances.length]! } : event,
  );
  return { ...dataset, events };
}

export function cardArbitrary(dataset: Dataset, cardType: CardType): fc.Arbitrary<GeneratedCard> {
  const of = (
    wanted: (request: Request) => boolean,
    // biome-ignore lint/suspicious/noExplicitAny: each kind of question has its own members
    configOf: (input: any) => object | fc.Arbitrary<object>,
  ) =>
    requestsOf(dataset)
      .filter(wanted)
      .chain(({ agentId, input }) => {
        const config = configOf(input);
        return fc
          .tuple(config instanceof fc.Arbitrary ? config : fc.constant(config), fc.constantFrom('support', ...AGENTS))
          .map(([one, someone]) => ({
            agentId: input.agentId ?? agentId ?? someone,
            cardType,
            config: JSON.parse(JSON.stringify(one)) as GeneratedCard['config'],
          }));
      });
  const isRate = (request: Request) => request.kind === 'kpi' && request.input.aggregation === 'rate';
  const isMeasure = (request: Request) => request.kind === 'kpi' && !isRate(request) && !request.input.formula;
  switch (cardType) {
    case 'number':
      return of(isMeasure, (input: KpiQuestion) =>
        format.map((one) => ({ ...measure(input), ...compared(input), format: one })),
      );
    case 'rate':
      return of(isRate, (input: KpiQuestion) =>
        format.map((one) => ({ ...selected(input), numerator: input.numerator, ...compared(input), format: one })),
      );
    case 'line':
    case 'bar':
      return of(isMeasure, (input: KpiQuestion) => ({
        ...measure(input),
        dateGrouping: input.dateGrouping,
        groupBy: input.group_by,
        limit: input.limit,
      }));
    case 'pie':
      return of(
        (request) => isMeasure(request) && (request.input as KpiQuestion).group_by !== undefined,
        (input: KpiQuestion) => ({ ...measure(input), groupBy: input.group_by, limit: input.limit }),
      );
    case 'gauge':
      return of(isMeasure, (input: KpiQuestion) => scale.map((one) => ({ ...measure(input), ...one })));
    case 'table':
      return of(
        ({ kind }) => kind === 'table',
        (input: TableQuestion) => {
          const { columns, groupBy, metrics, sortBy, sortOrder, limit, offset, mode } = input;
          const { start, returned, by, dateGrouping, periods } = input;
          return fc.boolean().map((byDefault) => ({
            ...selected(input),
            ...{ mode, columns, groupBy, metrics, sortBy, sortOrder },
            ...{ start, returned, by, dateGrouping, periods },
            ...(byDefault ? {} : { limit, offset }),
          }));
        },
      );
    case 'funnel':
      return of(
        ({ kind }) => kind === 'funnel',
        (input: FunnelQuestion) => {
          const { eventName: _, ...narrowed } = selected({ eventName: '', ...input });
          const { steps, by, windowSeconds } = input;
          return fc.boolean().map((byDefault) => ({ ...narrowed, steps, ...(byDefault ? {} : { by, windowSeconds }) }));
        },
      );
  }
}

const requests = new WeakMap<Dataset, fc.Arbitrary<Request>>();

/** Cached: deriving questions from a dataset is slow, and eight types of card use the same. */
function requestsOf(dataset: Dataset): fc.Arbitrary<Request> {
  const known = requests.get(dataset) ?? requestArbitrary(dataset);
  requests.set(dataset, known);
  return known;
}

function selected({
  eventName,
  filters,
  dateFrom,
  dateTo,
  timezone,
}: Pick<TableQuestion, 'eventName' | 'filters' | 'dateFrom' | 'dateTo' | 'timezone'>) {
  return { eventName, filters, dateFrom, dateTo, timezone };
}

function measure(input: KpiQuestion) {
  return { ...selected(input), aggregation: input.aggregation, propertyKey: input.propertyKey };
}

function compared({ compareTo }: KpiQuestion) {
  return { compareTo };
}

const format = fc.option(
  fc.record(
    { prefix: fc.constantFrom('R$ ', '€', ''), suffix: fc.constantFrom(' s', '%'), decimals: fc.nat(10) },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

const scale = fc.constantFrom(
  { min: 0, max: 100 },
  { min: -1e6, max: 1e6, target: 0 },
  { min: 0, max: 0.5, target: 0.25, thresholds: [{ value: 0.1, label: 'low', color: '#f00' }, { value: 0.3 }] },
);

/** The card's data by the contract, or its refusal. */
export type ExpectedCard = 'refused' | Expected;

export interface Expected {
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own data
  data: any;
  basis: object;
  /** Series by each unit that suits the range, if the config has none. */
  alternatives?: unknown[];
}

export function expectedCard({ agentId, cardType, config }: GeneratedCard, dataset: Dataset): ExpectedCard {
  const agentData: AgentData = { ...dataset, agentId };
  const asked = { ...config, dateFrom: config.dateFrom ?? DEFAULT_FROM };
  try {
    if (cardType === 'table') return expectedTable(asked as TableQuestion, agentData);
    if (cardType === 'funnel') return expectedFunnel(asked as unknown as FunnelQuestion, agentData);
    return expectedKpi(cardType, asked, agentData);
  } catch (error) {
    if (error instanceof Refused) return 'refused';
    throw error;
  }
}

function expectedKpi(cardType: CardType, config: GeneratedCard['config'], agentData: AgentData): Expected {
  const { groupBy, dateGrouping, numerator, ...rest } = config;
  const aggregation = cardType === 'rate' ? 'rate' : config.aggregation;
  const ask = (more: object) => kpi({ ...rest, aggregation, numerator, ...more } as KpiQuestion, agentData);
  const answer = ask({ group_by: groupBy });
  const basis = {
    ...basisOf(config, config.eventName, agentData, answer),
    aggregation,
    ...(config.propertyKey === undefined ? {} : { propertyKey: config.propertyKey }),
    ...(numerator ? { numerator: { eventName: numerator.eventName, filters: numerator.filters ?? [] } } : {}),
  };
  const series = (unit: string) => ask({ group_by: groupBy, dateGrouping: unit }).series;
  if (cardType === 'pie') return { data: { groups: answer.groups }, basis };
  if (cardType === 'bar' && groupBy !== undefined && dateGrouping === undefined) {
    return { data: { groups: answer.groups }, basis };
  }
  if (cardType === 'line' || cardType === 'bar') {
    if (dateGrouping !== undefined) return { data: { series: series(dateGrouping) }, basis };
    return {
      data: { series: 'any' },
      basis,
      alternatives: readableUnits(answer.range, agentData).flatMap((unit) => attempt(() => series(unit))),
    };
  }
  const { min, max, target, thresholds, format } = config;
  const shown = cardType === 'gauge' ? { min, max, target, thresholds } : { format };
  const { previous, previousRange: before } = answer;
  const period = before && { from: isoOf(before.from!), to: isoOf(before.to!) };
  return {
    data: {
      ...answer.overall,
      previous: previous ? { ...previous, ...period } : undefined,
      formatted: 'any',
      ...shown,
    },
    basis,
  };
}

/**
 * docs/dashboards.md: hours up to 2 days, days up to 92, weeks up to 2 years, months up to 10. Near
 * a border either will do.
 */
function readableUnits({ from, to }: Range, { now }: AgentData): DateGrouping[] {
  const days = ((to ?? now) - from!) / DAY;
  const most = { hour: 2, day: 92, week: 731, month: 3_653, quarter: 0, year: Number.POSITIVE_INFINITY };
  const unitFor = (length: number) => DATE_GROUPINGS.find((unit) => length <= most[unit])!;
  return [...new Set([unitFor(days - 1.5), unitFor(days + 1.5)])];
}

function attempt<Result>(work: () => Result): Result[] {
  try {
    return [work()];
  } catch (error) {
    if (error instanceof Refused) return [];
    throw error;
  }
}

/** The row limit of an MCP answer: 20 by default, at most 500. */
function expectedTable(config: TableQuestion, agentData: AgentData): Expected {
  const limit = Math.min(config.limit ?? 20, 500);
  const answer = table({ ...config, limit, offset: config.offset ?? 0 }, agentData);
  const basis = basisOf(config, config.eventName, agentData, answer);
  if (config.mode !== 'retention') return { data: answer.table, basis };
  const { returnedName, unit, ...rest } = withDefaults(config);
  const retention = {
    start: { eventName: config.eventName, filters: config.start?.filters ?? [] },
    returned: { eventName: returnedName, filters: config.returned?.filters ?? [] },
    dateGrouping: unit,
    ...rest,
  };
  return { data: answer.table, basis: { ...basis, retention } };
}

function expectedFunnel(config: FunnelQuestion, agentData: AgentData): Expected {
  const input = { ...config, by: config.by ?? 'threadId', windowSeconds: config.windowSeconds ?? 14 * 86_400 };
  const names = input.steps.map((step) => step.eventName);
  const range = rangeOf(input, agentData);
  // A start in the last instant of the range has its whole window, so later events count too.
  const through = range.to === null ? null : range.to + input.windowSeconds * 1_000 + 1;
  const matching = select(input, names, { ...range, to: through }, agentData);
  return {
    data: { steps: funnel(input, agentData) },
    basis: {
      ...basisOf(input, names.join(', '), agentData, { range, matched: matching.length, lastAt: lastOf(matching) }),
      steps: input.steps.map(({ eventName, filters = [] }) => ({ eventName, filters })),
      by: input.by,
      windowSeconds: input.windowSeconds,
    },
  };
}

function basisOf(
  { filters }: { filters?: EventFilter[] | undefined },
  eventName: string,
  { agentId, now }: AgentData,
  { range, matched, lastAt }: { range: Range; matched: number; lastAt: number | null },
) {
  return {
    eventName,
    agentId,
    filters: filters ?? [],
    from: isoOf(range.from!),
    // An open range ends now, or with a later event.
    to: isoOf(range.to ?? Math.max(now, lastAt ?? 0, range.from!)),
    timezone: range.timezone,
    matchedEvents: matched,
    lastEventAt: lastAt === null ? null : isoOf(lastAt),
    cases: 'any',
  };
}
