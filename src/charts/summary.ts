import { annotationText } from './annotations.ts';
import type { GroupsData, RenderedCard, StepsData, TableData, ValueData } from './answer.ts';
import { type Formats, formatsOf, NO_EVENTS, whyNothing } from './drawing.ts';
import { keptShare } from './funnel.ts';
import { extentOf } from './line.ts';
import type { ChartTranslator } from './locale.ts';
import { type ChartLine, type Series, seriesOf } from './series.ts';
import { groupNameOf, isolated, plain } from './text.ts';
import { changeInShort, detailsOfValue, valueText } from './value.ts';

/** The summary states only the number of further lines, groups or columns. */
const MOST_NAMED = 5;

/** The data of a chart in one or two sentences. */
export function summaryOf(rendered: RenderedCard, locale: string): string {
  const { data, basis } = rendered;
  const formats = formatsOf(locale, rendered);
  if ('series' in data) {
    const series = seriesOf(data, basis);
    return seriesSummary(series, formats) + limitSummary(series, formats) + annotationsSummary(series, formats);
  }
  if ('groups' in data) return groupsSummary(data, formats);
  if ('rows' in data) return tableSummary(data, formats);
  if ('steps' in data) return stepsSummary(data, formats);
  return valueSummary(data, formats);
}

function seriesSummary(series: Series, formats: Formats): string {
  const { lines, times } = series;
  const known = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  if (known.length === 0 || formats.basis.matchedEvents === 0) return whyNothing(formats);
  const { say } = formats.numbers;
  const points = say.count(times.length, '{count} point', '{count} points');
  const figures = figuresOf(known, series, lines, formats);
  if (lines.length === 1) {
    const last = new Set(known).size > 1 ? say(', last {value}', { value: lastOf(lines[0]!, formats) }) : '';
    return `${named(lines[0]!)}${points}${figures}${last}.`;
  }
  const lasts = lines.slice(0, MOST_NAMED).map((line) => `${named(line)}${lastOf(line, formats)}`);
  const more = moreText(lines.length, say);
  const all = say('{lines} series of {points}', { lines: lines.length, points });
  return `${all}${figures}. ${say('Last:')} ${lasts.join(', ')}${more}.`;
}

/** ", and 3 more" */
function moreText(count: number, say: ChartTranslator): string {
  return count > MOST_NAMED ? say(', and {count} more', { count: count - MOST_NAMED }) : '';
}

function limitSummary({ limit }: Series, { values, numbers }: Formats): string {
  return limit === undefined ? '' : ` ${numbers.say('Limit {value}.', { value: values.full(limit) })}`;
}

function annotationsSummary({ annotated, unit }: Series, { dates, numbers: { say } }: Formats): string {
  if (annotated.length === 0) return '';
  const told = annotated.slice(0, MOST_NAMED).map((one) => annotationText(one, unit, dates));
  const more = annotated.length > MOST_NAMED ? say('; and more') : '';
  return ` ${say('Annotations:')} ${told.join('; ')}${more}.`;
}

function figuresOf(
  known: number[],
  { times, unit }: Series,
  lines: ChartLine[],
  { values: written, dates, numbers: { say } }: Formats,
): string {
  const [least, most] = extentOf(known);
  const lowest = written.full(least);
  if (least === most) return known.length === 1 ? `: ${lowest}` : say(', all {value}', { value: lowest });
  const index = times.findIndex((_, bucket) => lines.some(({ values }) => values[bucket] === most));
  const [highest, date] = [written.full(most), dates.full(times[index]!, unit)];
  return say(', lowest {lowest}, highest {highest} ({date})', { lowest, highest, date });
}

function named({ name }: ChartLine): string {
  return name === null ? '' : `${isolated(name)}: `;
}

function lastOf({ values }: ChartLine, { values: written }: Formats): string {
  return written.full(values.at(-1) ?? null);
}

function groupsSummary({ groups }: GroupsData, formats: Formats): string {
  const { values, basis, numbers } = formats;
  if (groups.length === 0 || basis.matchedEvents === 0) return whyNothing(formats);
  const told = groups.slice(0, MOST_NAMED).map(({ group, value, previous }) => {
    const change = previous ? changeInShort(previous, formats) : '';
    return `${isolated(groupNameOf(group))}: ${values.full(value)}${change === '' ? '' : ` (${change})`}`;
  });
  const all = numbers.say.count(groups.length, '{count} group', '{count} groups');
  return `${all}: ${told.join(', ')}${moreText(groups.length, numbers.say)}.`;
}

function stepsSummary({ steps }: StepsData, formats: Formats): string {
  const { numbers } = formats;
  if (steps.every(({ count }) => count === 0)) return numbers.say(NO_EVENTS);
  const told = steps.map(({ label, eventName, count, conversion }, index) => {
    const kept = index > 1 ? keptShare(steps, index, formats) : null;
    const before = kept === null ? '' : numbers.say(', {share} of the step before', { share: kept });
    const share = index === 0 || conversion === null ? '' : ` (${numbers.percent(conversion)}${before})`;
    return `${isolated(plain(label) || plain(eventName))}: ${numbers.full(count)}${share}`;
  });
  return `${numbers.say.count(steps.length, '{count} step', '{count} steps')}: ${told.join(', ')}.`;
}

function tableSummary({ rows, columns, total }: TableData, formats: Formats): string {
  const { say } = formats.numbers;
  if (rows.length === 0) return say(NO_EVENTS);
  const names = columns.slice(0, MOST_NAMED).map(({ key }) => isolated(plain(key)));
  const all = say.count(total, '{count} row', '{count} rows');
  const shown = rows.length < total ? say('{shown} of {all}', { shown: rows.length, all }) : all;
  const width = say.count(columns.length, '{count} column', '{count} columns');
  return `${shown}, ${width}: ${names.join(', ')}${moreText(columns.length, say)}.`;
}

function valueSummary(data: ValueData, formats: Formats): string {
  const {
    values,
    numbers: { say },
  } = formats;
  const { min, max, target, thresholds = [], value } = data;
  const zone = value === null ? undefined : thresholds.findLast((one) => value >= one.value);
  const scale = [
    ...(min === undefined || max === undefined
      ? []
      : [say('on a scale of {from} to {to}', { from: values.full(min), to: values.full(max) })]),
    ...(zone?.label ? [isolated(plain(zone.label))] : []),
    ...(target === undefined ? [] : [say('target {value}', { value: values.full(target) })]),
  ];
  const text = value === null ? whyNothing(formats).slice(0, -1) : valueText(data, formats);
  const details = detailsOfValue(data, formats).filter((detail) => detail !== text);
  return `${[text, ...scale, ...details].join(', ')}.`;
}
