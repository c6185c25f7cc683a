import type { GroupsData, RenderedCard, StepsData, TableData, ValueData } from './answer.ts';
import type { Unit } from './dates.ts';
import { type Formats, formatsOf } from './drawing.ts';
import { keptShare } from './funnel.ts';
import type { ChartTranslator } from './locale.ts';
import { NOTHING } from './numbers.ts';
import { type Series, seriesOf } from './series.ts';
import { cellText, ownValue } from './table.ts';
import { groupNameOf, plain } from './text.ts';
import { inPoints, valueText } from './value.ts';

export interface CardTable {
  columns: { label: string; align: 'left' | 'right' }[];
  rows: string[][];
}

/** With more lines, the table has one row per value. */
const MOST_COLUMNS = 12;

/** The data of a card as a table, in the language of `locale`. */
export function tableOf(rendered: RenderedCard, locale: string): CardTable {
  const { data, basis } = rendered;
  const formats = formatsOf(locale, rendered);
  if ('series' in data) return seriesTable(seriesOf(data, basis), formats);
  if ('groups' in data) return groupsTable(data, formats);
  if ('rows' in data) return rowsTable(data, formats);
  if ('steps' in data) return stepsTable(data, formats);
  return valueTable(data, formats);
}

const left = (label: string) => ({ label, align: 'left' as const });
const right = (label: string) => ({ label, align: 'right' as const });

/** English texts: the head of the column. */
const UNIT_NAMES = {
  hour: 'Hour',
  day: 'Day',
  week: 'Week of',
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
} as const satisfies Record<Unit, string>;

function seriesTable(series: Series, { values: written, dates, numbers: { say } }: Formats): CardTable {
  const { lines, times, unit } = series;
  const names = times.map((time) => dates.full(time, unit));
  const noted = annotationColumn(series, say);
  if (lines.length <= MOST_COLUMNS) {
    return {
      columns: [left(say(UNIT_NAMES[unit])), ...lines.map(({ name }) => right(name ?? say('Value'))), ...noted.columns],
      rows: names.map((name, index) => [
        name,
        ...lines.map(({ values }) => written.full(values[index] ?? null)),
        ...noted.cells(index),
      ]),
    };
  }
  const rows = names.flatMap((name, index) =>
    lines.map((line) => [name, line.name ?? '', written.full(line.values[index] ?? null), ...noted.cells(index)]),
  );
  return { columns: [left(say(UNIT_NAMES[unit])), left(say('Group')), right(say('Value')), ...noted.columns], rows };
}

function annotationColumn(
  { annotated }: Series,
  say: ChartTranslator,
): { columns: CardTable['columns']; cells(bucket: number): string[] } {
  if (annotated.length === 0) return { columns: [], cells: () => [] };
  const texts = new Map(
    annotated.map(({ bucket, annotations }) => [bucket, annotations.map(({ text }) => plain(text))]),
  );
  return {
    columns: [left(say('Annotations'))],
    cells: (bucket) => [(texts.get(bucket) ?? []).join('; ')],
  };
}

function groupsTable({ groups }: GroupsData, formats: Formats): CardTable {
  const isCompared = groups.some(({ previous }) => previous !== undefined);
  const { say } = formats.numbers;
  return {
    columns: [
      left(say('Group')),
      right(say('Value')),
      ...(isCompared ? [right(say('Previous period')), right(say('Change'))] : []),
    ],
    rows: groups.map(({ group, value, previous }) => [
      groupNameOf(group),
      formats.values.full(value),
      ...(isCompared
        ? [formats.values.full(previous?.value ?? null), changeText(previous?.change ?? null, formats)]
        : []),
    ]),
  };
}

function stepsTable({ steps }: StepsData, formats: Formats): CardTable {
  const { numbers } = formats;
  return {
    columns: [
      left(numbers.say('Step')),
      right(numbers.say('Count')),
      right(numbers.say('Share of first step')),
      right(numbers.say('Share of step before')),
    ],
    rows: steps.map(({ label, eventName, count, conversion }, index) => [
      plain(label) || plain(eventName),
      numbers.full(count),
      conversion === null ? NOTHING : numbers.percent(conversion),
      keptShare(steps, index, formats) ?? NOTHING,
    ]),
  };
}

function rowsTable(data: TableData, formats: Formats): CardTable {
  return {
    columns: data.columns.map(({ key, type }) => (type === 'number' ? right(plain(key)) : left(plain(key)))),
    rows: data.rows.map((row) => data.columns.map(({ key }) => cellText(ownValue(row, key), key, data, formats))),
  };
}

function valueTable(data: ValueData, formats: Formats): CardTable {
  const { numbers, values } = formats;
  const { say } = numbers;
  const { numerator, denominator, previous, min, max, target, thresholds = [] } = data;
  const change = previous?.change ?? null;
  const rows: [string, string | null][] = [
    [say('Value'), valueText(data, formats)],
    [say('Numerator'), numerator === undefined ? null : numbers.full(numerator)],
    [say('Denominator'), denominator === undefined ? null : numbers.full(denominator)],
    [say('Previous period'), previous ? values.full(previous.value) : null],
    [say('Change'), previous ? changeText(change, formats) : null],
    [say('Minimum'), min === undefined ? null : values.full(min)],
    [say('Maximum'), max === undefined ? null : values.full(max)],
    [say('Target'), target === undefined ? null : values.full(target)],
    ...thresholds.map(({ value, label }): [string, string] => [
      say('Zone from {value}', { value: values.full(value) }),
      plain(label ?? '') || NOTHING,
    ]),
  ];
  return {
    columns: [left(say('Figure')), right(say('Value'))],
    rows: rows.flatMap(([name, text]) => (text === null ? [] : [[name, text]])),
  };
}

function changeText(change: number | null, { numbers, values }: Formats): string {
  return values.isPercent ? inPoints(change, numbers) : values.full(change);
}
