import { formatNumber, formatRate, formatValue } from '../../core/analytics/dashboards/format.ts';
import type { CardData, RenderedCard } from '../../core/analytics/dashboards/render.ts';
import { decimal } from '../../core/analytics/events/decimals.ts';
import type { FunnelBasis, QueryBasis } from '../../core/analytics/events/questions/answer-schema.ts';
import { alignedTable, bar, oneLine, sparkline } from '../../core/base/shared/text.ts';

/** Longer cells are cut; structuredContent has them in full. */
const MAX_CELL = 80;
const MAX_COLUMNS = 8;
const MAX_TABLE_BYTES = 40 * 1024;
const LEAST_CELL_BYTES = 3;

export function cardText({ card, data, basis, note }: RenderedCard): string {
  return [
    `${oneLine(card.title)} (${card.cardType})`,
    ...body(data, card.cardType === 'rate' || basis.aggregation === 'rate', card.cardType),
    basisText(basis),
    ...(note === undefined ? [] : [`Note: ${note}`]),
  ].join('\n');
}

function body(data: CardData, isRate: boolean, cardType: string): string[] {
  if ('value' in data) return valueText(data, isRate);
  if ('series' in data) return [...seriesText(data), ...annotationsText(data.annotations)];
  if ('groups' in data) return groupsText(data, cardType);
  if ('steps' in data) return stepsText(data.steps);
  return rowsText(data);
}

type Value = Extract<CardData, { value: unknown }>;

function valueText(data: Value, isRate: boolean): string[] {
  const { formatted, format, numerator, denominator, previous, min, max, target, thresholds, goodDirection } = data;
  const isPercent = format?.percent ?? isRate;
  const write = (value: number | null) => (format || isPercent ? formatValue(value, format, isRate) : number(value));
  const scaled = isPercent ? write : number;
  const exact = number(data.value);
  const details = [
    ...(denominator === undefined ? [] : [`${formatNumber(numerator ?? 0)} of ${formatNumber(denominator)}`]),
    ...(min === undefined || max === undefined ? [] : [`on a scale of ${scaled(min)} to ${scaled(max)}`]),
    ...(target === undefined ? [] : [`target ${scaled(target)}`]),
    ...(denominator === undefined && !formatted.replaceAll(',', '').includes(exact) ? [`exactly ${exact}`] : []),
  ];
  const lines = [details.length > 0 ? `${formatted} (${details.join(', ')})` : formatted];
  if (previous) lines.push(changeText(previous, write, isPercent) + judgement(previous.change, goodDirection));
  if (thresholds?.length) {
    lines.push(
      `Thresholds: ${thresholds.map(({ value, label, color }) => [scaled(value), label, color].filter(Boolean).join(' ')).join(', ')}`,
    );
  }
  return lines;
}

function changeText(
  { value, change, changeRatio }: NonNullable<Value['previous']>,
  write: (value: number | null) => string,
  isPercent: boolean,
): string {
  if (change === null) return `Previous period: ${write(value)}`;
  const sign = change > 0 ? '+' : '';
  const difference = isPercent
    ? `${sign}${formatNumber(decimal(change * 100), { decimals: 1 })} points`
    : sign + write(change);
  const ratio = changeRatio === null ? '' : ` (${sign}${formatRate(changeRatio)})`;
  return `Previous period: ${write(value)}, change ${difference}${ratio}`;
}

function judgement(change: number | null, good: Value['goodDirection']): string {
  if (!change || good === undefined || good === 'none') return '';
  return change > 0 === (good === 'up') ? ', better' : ', worse';
}

type Point = Extract<CardData, { series: unknown }>['series'][number];

function seriesText({ series, format }: Extract<CardData, { series: unknown }>): string[] {
  if (series.length === 0) return ['No buckets in this range.'];
  // Distinct groups may look the same: the number 1 and the text "1".
  const names = new Map(series.map((point) => [keyOf(point), nameOf(point)]));
  const keys = [...names.keys()];
  const buckets = [...new Set(series.map((point) => point.bucket))];
  const values = new Map(series.map((point) => [keyOf(point) + point.bucket, point.value]));
  const lines = keys.map((key) => [
    sparkline(buckets.map((bucket) => values.get(key + bucket) ?? null)),
    names.get(key)!,
  ]);
  const sparklines = alignedTable(['', ''], lines).slice(1);
  const list = series.map((point) => [
    point.bucket,
    ...(keys.length > 1 ? [nameOf(point)] : []),
    written(point.value, format),
  ]);
  if (keys.length > MAX_COLUMNS) {
    return [...sparklines, ...table(['bucket', 'group', 'value'], list, ['left', 'left', 'right'])];
  }
  // A missing bucket is blank; a bucket without a value has a dash.
  const shown = (name: string) => (values.has(name) ? written(values.get(name)!, format) : '');
  const rows = buckets.map((bucket) => [bucket, ...keys.map((key) => shown(key + bucket))]);
  const header = ['bucket', ...keys.map((key) => names.get(key) || 'value')];
  return [...sparklines, ...table(header, rows, ['left', ...keys.map(() => 'right' as const)], list)];
}

function annotationsText(annotations: Extract<CardData, { series: unknown }>['annotations'] = []): string[] {
  return annotations.map(({ at, text }) => `Annotation: ${at} ${oneLine(text)}`);
}

function keyOf(point: Point): string {
  return `${JSON.stringify(point.group)} `;
}

function nameOf(point: Point): string {
  return Object.hasOwn(point, 'group') ? cell(point.group) : '';
}

function groupsText({ groups, format }: Extract<CardData, { groups: unknown }>, cardType: string): string[] {
  if (groups.length === 0) return ['No groups in this range.'];
  const sum = groups.reduce((total, { value }) => total + (value ?? 0), 0);
  const most = Math.max(...groups.map(({ value }) => value ?? 0));
  const isPie = cardType === 'pie' && sum > 0 && groups.every(({ value }) => (value ?? 0) >= 0);
  const share = (value: number | null) => (isPie ? [value === null ? '' : formatRate(value / sum)] : []);
  const plain = groups.map(({ group, value }) => [cell(group), written(value, format), ...share(value)]);
  const rows = groups.map(({ value }, index) => [...plain[index]!, bar(value, most)]);
  const header = ['group', 'value', ...(isPie ? ['share'] : []), ''];
  return table(header, rows, ['left', 'right', isPie ? 'right' : 'left'], plain);
}

function stepsText(steps: Extract<CardData, { steps: unknown }>['steps']): string[] {
  const first = steps[0]?.count ?? 0;
  const rows = steps.map(({ label, eventName, count, conversion }, index) => [
    `${index + 1}. ${cell(label)}`,
    cell(eventName),
    number(count),
    formatRate(conversion),
    bar(count, first),
  ]);
  return table(['step', 'eventName', 'count', 'conversion', ''], rows, ['left', 'left', 'right', 'right']);
}

function rowsText({ rows, columns, total, nextOffset }: Extract<CardData, { rows: unknown }>): string[] {
  if (rows.length === 0) return [`No rows of ${total}.`];
  const keys = columns.map(({ key }) => key);
  const own = (row: Record<string, unknown>, key: string) => (Object.hasOwn(row, key) ? row[key] : null);
  const body = rows.map((row) => keys.map((key) => cell(own(row, key))));
  // Plain rows name their values: they may have few of many columns.
  const named = rows.map((row) => Object.entries(row).map(([key, value]) => `${cell(key)}=${cell(value)}`));
  const align = columns.map(({ type }) => (type === 'number' ? ('right' as const) : ('left' as const)));
  const more = nextOffset === undefined ? [] : [`${rows.length} of ${formatNumber(total)} rows.`];
  return [...table(keys.map(cell), body, align, named), ...more];
}

/** Aligned; if that is too long, separated by bars; if still too long, the `plain` rows. */
function table(header: string[], rows: string[][], align: ('left' | 'right')[], plain = rows): string[] {
  const joined = (lines: string[][]) => lines.map((cells) => cells.join(' | '));
  // Formatting and discarding hundreds of rows of a thousand columns would take seconds.
  if (rows.length * header.length * LEAST_CELL_BYTES > MAX_TABLE_BYTES) return joined(plain);
  const forms = [() => alignedTable(header, rows, align), () => joined([header, ...rows])];
  for (const form of forms) {
    const lines = form();
    if (lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) <= MAX_TABLE_BYTES) return lines;
  }
  return joined(plain);
}

/** In the format of a metric; other numbers have all their digits. */
function written(value: number | null, format: Value['format']): string {
  return format ? formatValue(value, format) : number(value);
}

function number(value: number | null): string {
  return value === null ? '–' : String(value);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return number(value);
  const text = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL).toWellFormed()}…` : text;
}

function funnelText({ steps, by, windowSeconds }: Pick<FunnelBasis, 'steps' | 'by' | 'windowSeconds'>): string[] {
  const kept = steps.flatMap(({ filters }, index) =>
    filters.length > 0 ? [`step ${index + 1} filters ${JSON.stringify(filters)}`] : [],
  );
  return [...kept, oneLine(`by ${by}`), `within ${windowSeconds} s`];
}

function retentionText({ start, returned, by, dateGrouping, periods }: NonNullable<QueryBasis['retention']>): string[] {
  const side = (name: string, { eventName, filters }: typeof start) =>
    oneLine(`${name} ${eventName}${filters.length > 0 ? ` with filters ${JSON.stringify(filters)}` : ''}`);
  return [
    side('start', start),
    side('returned', returned),
    oneLine(`by ${by}`),
    `${periods} periods by ${dateGrouping}`,
  ];
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
}: RenderedCard['basis']): string {
  const parts = [
    oneLine(
      `${asked.aggregation ? `${asked.aggregation}${asked.propertyKey ? `(${asked.propertyKey})` : ''} of ` : ''}${eventName}`,
    ),
    agentId === null ? 'all agents' : oneLine(`agent ${agentId}`),
    ...(filters.length > 0 ? [`filters ${JSON.stringify(filters)}`] : []),
    ...(asked.numerator ? [`numerator ${JSON.stringify(asked.numerator)}`] : []),
    ...('steps' in asked ? funnelText(asked) : []),
    ...('retention' in asked && asked.retention ? retentionText(asked.retention) : []),
    `${from ?? 'the first event'} to ${to ?? 'now'}`,
    timezone,
    `${formatNumber(matchedEvents)} events matched`,
    lastEventAt === null ? 'none seen' : `last event ${lastEventAt}`,
  ];
  return `Basis: ${parts.join('; ')}.`;
}
