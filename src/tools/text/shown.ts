import { z } from 'zod';
import { formatNumber, formatRate, formatValue, type Presentation } from '../../core/analytics/dashboards/format.ts';
import type { CardData, RenderedCard } from '../../core/analytics/dashboards/render.ts';
import { decimal } from '../../core/analytics/events/decimals.ts';
import { jsonBytes, MAX_ANSWER_BYTES } from '../../core/analytics/events/questions/fit.ts';
import { alignedTable, bar, oneLine, sparkline } from '../../core/base/shared/text.ts';
import { cell } from './table.ts';

/*
 * Answers have what a person reads as members: some hosts show a model structuredContent
 * alone, others the text, which is composed of the same members (`answer-text.ts`).
 */

type Of<Name extends string> = Extract<CardData, Record<Name, unknown>>;
type Change = Omit<NonNullable<Of<'value'>['previous']>, 'from' | 'to'>;

/** The numbers of a card, or those of `aggregate_events`, which has several kinds at once. */
export type Numbers = Partial<Of<'value'> & Of<'series'> & Of<'groups'> & Of<'steps'>>;

interface InWords {
  formatted?: string;
}

interface ChangeInWords extends InWords {
  /** Absent where one of the periods has no value. */
  words?: string;
  /** Absent where neither direction is good. */
  direction?: 'better' | 'worse';
}

/** Numbers with what a person reads. */
export type Shown = Numbers & {
  /** Sparklines, bars, steps of a funnel, or the scale of a gauge: a line each. */
  chart?: string[];
  previous?: ChangeInWords;
  series?: InWords[];
  groups?: (InWords & { previous?: ChangeInWords })[];
};
type ShownGroup = NonNullable<Shown['groups']>[number];
export type ShownPoint = NonNullable<Shown['series']>[number];

/** The members of the answer's schema for tools. */
export const shownShape = {
  formatted: z.string().optional(),
  chart: z.array(z.string()).optional(),
};

interface Style extends Pick<Presentation, 'format' | 'goodDirection'> {
  isRate: boolean;
  /** Groups have shares of their sum. */
  isPie?: boolean;
}

/** More points and groups have no words beside them. */
const MAX_POINTS = 100;
const MAX_LINES = 30;
/** Characters. */
const MAX_CHART = 4_000;

/** An answer that is as large as answers may be gets no words. */
export function withShown<Answer extends Numbers>(answer: Answer, style: Style): Answer & Shown {
  const { series, groups, value } = answer;
  const write = writerOf(style);
  const isFormatted = style.format !== undefined || style.isRate;
  const compared = <One extends { previous?: Change }>(one: One) =>
    one.previous ? { ...one, previous: { ...one.previous, ...changeInWords(one.previous, write, style) } } : one;
  const formatted = <One extends { value: number | null }>(one: One) =>
    isFormatted ? { ...one, formatted: write(one.value) } : one;
  const shown = {
    ...compared(answer),
    ...(value === undefined ? {} : { formatted: formatValue(value, style.format, style.isRate) }),
    ...(series && series.length <= MAX_POINTS ? { series: series.map(formatted) } : {}),
    ...(groups && groups.length <= MAX_POINTS ? { groups: groups.map((one) => compared(formatted(one))) } : {}),
  } as Answer & Shown;
  const chart = chartOf(shown, style, write);
  const hasChart = chart.length > 0 && chart.join('').length <= MAX_CHART;
  const whole = hasChart ? { ...shown, chart } : shown;
  return jsonBytes(whole) <= MAX_ANSWER_BYTES ? whole : answer;
}

type Write = (value: number | null) => string;

function writerOf({ format, isRate }: Style): Write {
  const isWritten = format !== undefined || isRate;
  return (value) => (isWritten ? formatValue(value, format, isRate) : allDigits(value));
}

/** All digits. */
export function allDigits(value: number | null): string {
  return value === null ? '–' : String(value);
}

function changeInWords(
  { value, change, changeRatio }: Change,
  write: Write,
  { format, isRate, goodDirection = 'none' }: Style,
): ChangeInWords {
  if (change === null) return { formatted: write(value) };
  const sign = change > 0 ? '+' : '';
  const difference =
    (format?.percent ?? isRate)
      ? `${sign}${formatNumber(decimal(change * 100), { decimals: 1 })} points`
      : sign + write(change);
  const ratio = changeRatio === null ? '' : ` (${sign}${formatRate(changeRatio)})`;
  const isJudged = change !== 0 && goodDirection !== 'none';
  return {
    formatted: write(value),
    words: difference + ratio,
    ...(isJudged ? { direction: change > 0 === (goodDirection === 'up') ? 'better' : 'worse' } : {}),
  };
}

function chartOf(shown: Shown, style: Style, write: Write): string[] {
  const { series, groups, steps } = shown;
  if (series) return sparklines(series);
  if (groups) return bars(groups, style);
  if (steps) return stepLines(steps);
  return scaleLines(shown, style, write);
}

function scaleLines({ min, max, target, thresholds }: Shown, { format, isRate }: Style, write: Write): string[] {
  const scaled = (format?.percent ?? isRate) ? write : allDigits;
  const scale = [
    ...(min === undefined || max === undefined ? [] : [`scale ${scaled(min)} to ${scaled(max)}`]),
    ...(target === undefined ? [] : [`target ${scaled(target)}`]),
  ].join(', ');
  const zones = (thresholds ?? []).map(({ value, label, color }) =>
    [scaled(value), label, color].filter(Boolean).join(' '),
  );
  return [...(scale ? [scale] : []), ...(zones.length > 0 ? [`thresholds ${oneLine(zones.join(', '))}`] : [])];
}

function sparklines(series: readonly ShownPoint[]): string[] {
  // Distinct groups may look the same: the number 1 and the text "1".
  const lines = Map.groupBy(series, (point) => JSON.stringify(point.group));
  const names = [...lines.values()].map(([first]) => groupName(first!));
  if (series.length === 0 || lines.size > MAX_LINES) return [];
  const buckets = [...new Set(series.map(({ bucket }) => bucket))];
  const drawn = [...lines.values()].map((points, at) => {
    const values = new Map(points.map(({ bucket, value }) => [bucket, value]));
    return [sparkline(buckets.map((bucket) => values.get(bucket) ?? null)), names[at]!];
  });
  return alignedTable(['', ''], drawn).slice(1);
}

/** The group of a point; empty in a series without groups. */
export function groupName(point: ShownPoint): string {
  return Object.hasOwn(point, 'group') ? cell(point.group) : '';
}

interface Column {
  header: string;
  align?: 'right';
  write(group: ShownGroup): string;
}

function bars(groups: readonly ShownGroup[], { isPie = false }: Style): string[] {
  if (groups.length === 0 || groups.length > MAX_LINES) return [];
  const sum = groups.reduce((total, { value }) => total + (value ?? 0), 0);
  const most = Math.max(...groups.map(({ value }) => value ?? 0));
  const hasShares = isPie && sum > 0 && groups.every(({ value }) => (value ?? 0) >= 0);
  const columns: Column[] = [{ header: 'group', write: ({ group }) => cell(group) }];
  columns.push({ header: 'value', align: 'right', write: valueCell });
  if (hasShares) {
    columns.push({
      header: 'share',
      align: 'right',
      write: ({ value }) => (value === null ? '' : formatRate(value / sum)),
    });
  }
  if (groups.some(({ previous }) => previous)) {
    columns.push(
      { header: 'previous', align: 'right', write: ({ previous }) => previous?.formatted ?? '' },
      {
        header: 'change',
        align: 'right',
        write: ({ previous }) => [previous?.words, previous?.direction].filter(Boolean).join(', '),
      },
    );
  }
  columns.push({ header: '', write: ({ value }) => bar(value, most) });
  return alignedTable(
    columns.map(({ header }) => header),
    groups.map((group) => columns.map(({ write }) => write(group))),
    columns.map(({ align }) => align ?? 'left'),
  );
}

/** A value with what it was computed from: `70.2% (406 of 578)`. */
export function valueCell({
  value,
  formatted,
  ...counts
}: Pick<Numbers, 'numerator' | 'denominator' | 'parts'> & InWords & { value: number | null }): string {
  const from = computedFrom(counts);
  return (formatted ?? allDigits(value)) + (from.length > 0 ? ` (${from.join(', ')})` : '');
}

export function computedFrom({
  numerator,
  denominator,
  parts = {},
}: Pick<Numbers, 'numerator' | 'denominator' | 'parts'>) {
  return [
    ...(denominator === undefined ? [] : [`${formatNumber(numerator ?? 0)} of ${formatNumber(denominator)}`]),
    ...Object.entries(parts).map(([name, value]) => `${name} ${allDigits(value)}`),
  ];
}

function stepLines(steps: NonNullable<Shown['steps']>): string[] {
  const first = steps[0]?.count ?? 0;
  const rows = steps.map(({ label, eventName, count, conversion }, index) => [
    ...[`${index + 1}. ${cell(label)}`, cell(eventName)],
    ...[allDigits(count), formatRate(conversion), bar(count, first)],
  ]);
  return alignedTable(['step', 'eventName', 'count', 'conversion', ''], rows, ['left', 'left', 'right', 'right']);
}

/** The data of a card with what a person reads. */
export function shownCard<Card extends RenderedCard>(rendered: Card): Card & { data: Shown } {
  const { card, data, basis } = rendered;
  if ('rows' in data) return rendered as Card & { data: Shown };
  const isRate = card.cardType === 'rate' || basis.aggregation === 'rate';
  const { format, goodDirection } = data as Presentation;
  const style = { format, goodDirection, isRate, isPie: card.cardType === 'pie' };
  return { ...rendered, data: withShown(data as Numbers, style) };
}
