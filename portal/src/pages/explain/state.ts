import type { Schemas } from '../../api/schemas.ts';
import { type AskedForm, askedFormOf, askedOf, measurePaths } from '../../question/state/asked.ts';
import { membersOf, NO_DATES, type Range, rangeOf } from '../../question/state/range.ts';
import { keysOf, membersIn, rangeIn, textOf } from '../../question/state/text.ts';

/** Without the agent, which the page adds. */
export type ExplainQuestion = Omit<Schemas['ExplainChange'], 'agentId' | 'review' | 'waitFor' | 'dateFrom'> & {
  dateFrom?: string | undefined;
};
export type Explanation = Schemas['Explanation'];
export type Contribution = Explanation['contributions'][number];

export interface ExplainForm extends AskedForm {
  range: Range;
  compare: 'previous_period' | 'period';
  earlier: { dateFrom: string; dateTo: string };
  timezone: string;
  properties: string[];
}

/** The last seven whole days: a day that is not over would be a change of its own. */
export const DEFAULT_RANGE = { dateFrom: '-7d', dateTo: 'yesterday' };

export function questionOf(form: ExplainForm): ExplainQuestion {
  const { compare, earlier, timezone } = form;
  const properties = form.properties.filter((key) => key !== '');
  return {
    ...askedOf(form),
    ...membersOf(form.range),
    ...(compare === 'period' && { compareTo: earlier }),
    ...(timezone !== '' && { timezone }),
    ...(properties.length > 0 && { properties }),
  };
}

/** The form of a question in the address, without members that the form cannot hold. */
export function formOf(text: string | undefined): ExplainForm {
  const given = membersIn(text);
  const range = rangeIn(given);
  const earlier = typeof given.compareTo === 'object' ? ((given.compareTo ?? {}) as Record<string, unknown>) : null;
  return {
    ...askedFormOf(given, 'metric'),
    range: range.choice === NO_DATES ? rangeOf(DEFAULT_RANGE) : range,
    compare: earlier === null ? 'previous_period' : 'period',
    earlier: { dateFrom: textOf(earlier?.dateFrom), dateTo: textOf(earlier?.dateTo) },
    timezone: textOf(given.timezone),
    properties: keysOf(given.properties),
  };
}

/** The paths of the fields in the request, to place the server's messages at them. */
export function pathsOf(form: ExplainForm): string[] {
  const own = [
    'metric',
    'segment',
    'dateFrom',
    'dateTo',
    'compareTo',
    'compareTo.dateFrom',
    'compareTo.dateTo',
    'timezone',
    'properties',
  ];
  const measure = measurePaths(form);
  return [...own, ...(form.subject === 'event' ? measure : measure.filter((path) => path.startsWith('filters')))];
}

/** By property, in the order of the answer: the likeliest cause first. */
export function byProperty(contributions: readonly Contribution[]): [property: string, groups: Contribution[]][] {
  return [...Map.groupBy(contributions, ({ property }) => property)];
}

/** The first group of the first property, if one stands out from chance. */
export function likeliest({ confident, contributions }: Explanation): Contribution | null {
  return (confident && contributions[0]) || null;
}

/** Where a value lies between the smallest and the largest of `values`, with 0 among them: shares of the whole width. */
export function barOf(value: number, values: readonly number[]): { start: number; size: number; zero: number } {
  const least = Math.min(0, ...values);
  const width = Math.max(0, ...values) - least || 1;
  const zero = (0 - least) / width;
  const size = Math.abs(value) / width;
  return { start: value < 0 ? zero - size : zero, size, zero };
}

interface Compared {
  name: string;
  value?: number | null;
  previous?: { value: number | null } | undefined;
}

/** The name of the metric with the largest change relative to its former value; undefined if none has both values. */
export function mostMoved(compared: readonly Compared[]): string | undefined {
  const moves = compared.flatMap(({ name, value = null, previous }) => {
    const before = previous?.value ?? null;
    return value === null || before === null || before === 0 ? [] : [{ name, by: Math.abs(value / before - 1) }];
  });
  return moves.toSorted((one, other) => other.by - one.by)[0]?.name;
}
