import { type CardData, formatNumber, formatRate, type RenderedCard } from '../core/dashboards/render.ts';
import type { Basis } from '../core/events/answers.ts';
import { alignedTable, bar, sparkline } from '../text.ts';

/** Longer texts in a cell are cut here; structuredContent has them whole. */
const MAX_CELL = 80;
/** Up to so many groups stand side by side. */
const MAX_COLUMNS = 8;
const MAX_TEXT = 40 * 1024;

/** A rendered card as people read it: its value or table, a line for each series, and what it rests on. */
export function cardText({ card, data, basis, note }: RenderedCard): string {
  return [
    `${card.title} (${card.cardType})`,
    ...body(data, card.cardType),
    basisText(basis),
    ...(note === undefined ? [] : [`Note: ${note}`]),
  ].join('\n');
}

function body(data: CardData, cardType: string): string[] {
  if ('value' in data) return valueText(data, cardType);
  if ('series' in data) return seriesText(data.series);
  if ('groups' in data) return groupsText(data.groups, cardType);
  if ('steps' in data) return stepsText(data.steps);
  return rowsText(data);
}

function valueText(data: Extract<CardData, { value: unknown }>, cardType: string): string[] {
  const { formatted, numerator, denominator, previous, min, max, target, thresholds } = data;
  const write =
    cardType === 'rate' ? (value: number | null) => formatRate(value) : (value: number | null) => formatNumber(value);
  const exact = number(data.value);
  const details = [
    ...(denominator === undefined ? [] : [`${formatNumber(numerator ?? 0)} of ${formatNumber(denominator)}`]),
    ...(min === undefined || max === undefined ? [] : [`on a scale of ${number(min)} to ${number(max)}`]),
    ...(target === undefined ? [] : [`target ${number(target)}`]),
    ...(denominator === undefined && !formatted.replaceAll(',', '').includes(exact) ? [`exactly ${exact}`] : []),
  ];
  const lines = [details.length > 0 ? `${formatted} (${details.join(', ')})` : formatted];
  if (previous) lines.push(changeText(previous, write, cardType));
  if (thresholds?.length) {
    lines.push(
      `Thresholds: ${thresholds.map(({ value, label, color }) => [number(value), label, color].filter(Boolean).join(' ')).join(', ')}`,
    );
  }
  return lines;
}

function changeText(
  { value, change, changeRatio }: NonNullable<Extract<CardData, { value: unknown }>['previous']>,
  write: (value: number | null) => string,
  cardType: string,
): string {
  if (change === null) return `Previous period: ${write(value)}`;
  const sign = change > 0 ? '+' : '';
  const difference =
    cardType === 'rate' ? `${sign}${formatNumber(change * 100, { decimals: 1 })} points` : sign + write(change);
  const ratio = changeRatio === null ? '' : ` (${sign}${formatRate(changeRatio)})`;
  return `Previous period: ${write(value)}, change ${difference}${ratio}`;
}

type Point = Extract<CardData, { series: unknown }>['series'][number];

function seriesText(series: Point[]): string[] {
  const groups = [...new Set(series.map((point) => nameOf(point)))];
  if (groups.length === 0) return ['No buckets in this range.'];
  const buckets = [...new Set(series.map((point) => point.bucket))];
  const values = new Map(series.map((point) => [`${nameOf(point)}\0${point.bucket}`, point.value]));
  const valuesOf = (group: string) => buckets.map((bucket) => values.get(`${group}\0${bucket}`) ?? null);
  const lines = alignedTable(
    ['', ''],
    groups.map((group) => [sparkline(valuesOf(group)), group]),
  ).slice(1);
  if (groups.length > MAX_COLUMNS) {
    const rows = series.map((point) => [point.bucket, nameOf(point), number(point.value)]);
    return [...lines, ...table(['bucket', 'group', 'value'], rows, ['left', 'left', 'right'])];
  }
  const rows = buckets.map((bucket) => [
    bucket,
    ...groups.map((group) => number(values.get(`${group}\0${bucket}`) ?? null)),
  ]);
  const header = ['bucket', ...groups.map((group) => group || 'value')];
  return [...lines, ...table(header, rows, ['left', ...groups.map(() => 'right' as const)])];
}

function nameOf(point: Point): string {
  return Object.hasOwn(point, 'group') ? cell(point.group) : '';
}

function groupsText(groups: Extract<CardData, { groups: unknown }>['groups'], cardType: string): string[] {
  if (groups.length === 0) return ['No groups in this range.'];
  const sum = groups.reduce((total, { value }) => total + (value ?? 0), 0);
  const most = Math.max(...groups.map(({ value }) => value ?? 0));
  const isPie = cardType === 'pie' && sum > 0 && groups.every(({ value }) => (value ?? 0) >= 0);
  const share = (value: number | null) => (isPie && value !== null ? [formatRate(value / sum)] : []);
  const rows = groups.map(({ group, value }) => [cell(group), number(value), ...share(value), bar(value, most)]);
  return table(['group', 'value', ...(isPie ? ['share'] : []), ''], rows, ['left', 'right', isPie ? 'right' : 'left']);
}

function stepsText(steps: Extract<CardData, { steps: unknown }>['steps']): string[] {
  const first = steps[0]?.count ?? 0;
  const rows = steps.map(({ label, eventName, count, conversion }, index) => [
    `${index + 1}. ${label}`,
    eventName,
    number(count),
    formatRate(conversion),
    bar(count, first),
  ]);
  return table(['step', 'eventName', 'count', 'conversion', ''], rows, ['left', 'left', 'right', 'right']);
}

function rowsText({ rows, columns, total, nextOffset }: Extract<CardData, { rows: unknown }>): string[] {
  if (rows.length === 0) return [`No rows of ${total}.`];
  const body = rows.map((row) => columns.map(({ key }) => cell(row[key])));
  const align = columns.map(({ type }) => (type === 'number' ? ('right' as const) : ('left' as const)));
  const more = nextOffset === undefined ? [] : [`${rows.length} of ${formatNumber(total)} rows.`];
  return [
    ...table(
      columns.map(({ key }) => key),
      body,
      align,
    ),
    ...more,
  ];
}

/** Aligned, unless a few wide cells would blow it up. */
function table(header: string[], rows: string[][], align: ('left' | 'right')[]): string[] {
  const lines = alignedTable(header, rows, align);
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  return length <= MAX_TEXT ? lines : [header, ...rows].map((row) => row.join(' | '));
}

/** Exact, but for the noise that binary fractions carry: 61.35, not 61.349999999999994. */
function number(value: number | null): string {
  return value === null ? '–' : String(Number(value.toPrecision(12)));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return number(value);
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL).toWellFormed()}…` : text;
}

function basisText({
  eventName,
  agentId,
  filters,
  from,
  to,
  timezone,
  matchedEvents,
  lastEventAt,
  ...asked
}: Basis): string {
  const parts = [
    `${asked.aggregation ? `${asked.aggregation}${asked.propertyKey ? `(${asked.propertyKey})` : ''} of ` : ''}${eventName}`,
    agentId === null ? 'all agents' : `agent ${agentId}`,
    ...(filters.length > 0 ? [`filters ${JSON.stringify(filters)}`] : []),
    ...(asked.numerator ? [`numerator ${JSON.stringify(asked.numerator)}`] : []),
    `${from ?? 'the first event'} to ${to ?? 'now'}`,
    timezone,
    `${formatNumber(matchedEvents)} events matched`,
    lastEventAt === null ? 'none seen' : `last event ${lastEventAt}`,
  ];
  return `Basis: ${parts.join('; ')}.`;
}
