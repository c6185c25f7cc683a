import { annotationText } from './annotations.ts';
import type { GroupsData, RenderedCard, StepsData, TableData, ValueData } from './answer.ts';
import { type Formats, formatsOf, NO_EVENTS, whyNothing } from './drawing.ts';
import { keptShare } from './funnel.ts';
import { extentOf } from './line.ts';
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
  if (known.length === 0 || formats.basis.matchedEvents === 0) return whyNothing(formats.basis);
  const points = counted(times.length, 'point', formats);
  const figures = figuresOf(known, series, lines, formats);
  if (lines.length === 1) {
    const last = new Set(known).size > 1 ? `, last ${lastOf(lines[0]!, formats)}` : '';
    return `${named(lines[0]!)}${points}${figures}${last}.`;
  }
  const lasts = lines.slice(0, MOST_NAMED).map((line) => `${named(line)}${lastOf(line, formats)}`);
  const more = lines.length > MOST_NAMED ? `, and ${lines.length - MOST_NAMED} more` : '';
  return `${lines.length} series of ${points}${figures}. Last: ${lasts.join(', ')}${more}.`;
}

function limitSummary({ limit }: Series, { values }: Formats): string {
  return limit === undefined ? '' : ` Limit ${values.full(limit)}.`;
}

function annotationsSummary({ annotated, unit }: Series, { dates }: Formats): string {
  if (annotated.length === 0) return '';
  const told = annotated.slice(0, MOST_NAMED).map((one) => annotationText(one, unit, dates));
  const more = annotated.length > MOST_NAMED ? `; and more` : '';
  return ` Annotations: ${told.join('; ')}${more}.`;
}

function figuresOf(
  known: number[],
  { times, unit }: Series,
  lines: ChartLine[],
  { values: written, dates }: Formats,
): string {
  const [least, most] = extentOf(known);
  if (least === most) return known.length === 1 ? `: ${written.full(least)}` : `, all ${written.full(least)}`;
  const index = times.findIndex((_, bucket) => lines.some(({ values }) => values[bucket] === most));
  return `, lowest ${written.full(least)}, highest ${written.full(most)} (${dates.full(times[index]!, unit)})`;
}

function named({ name }: ChartLine): string {
  return name === null ? '' : `${isolated(name)}: `;
}

function lastOf({ values }: ChartLine, { values: written }: Formats): string {
  return written.full(values.at(-1) ?? null);
}

function groupsSummary({ groups }: GroupsData, formats: Formats): string {
  const { values, basis } = formats;
  if (groups.length === 0 || basis.matchedEvents === 0) return whyNothing(basis);
  const told = groups.slice(0, MOST_NAMED).map(({ group, value, previous }) => {
    const change = previous ? changeInShort(previous, formats) : '';
    return `${isolated(groupNameOf(group))}: ${values.full(value)}${change === '' ? '' : ` (${change})`}`;
  });
  const more = groups.length > MOST_NAMED ? `, and ${formats.numbers.full(groups.length - MOST_NAMED)} more` : '';
  return `${counted(groups.length, 'group', formats)}: ${told.join(', ')}${more}.`;
}

function stepsSummary({ steps }: StepsData, formats: Formats): string {
  const { numbers } = formats;
  if (steps.every(({ count }) => count === 0)) return NO_EVENTS;
  const told = steps.map(({ label, eventName, count, conversion }, index) => {
    const kept = index > 1 ? keptShare(steps, index, formats) : null;
    const before = kept === null ? '' : `, ${kept} of the step before`;
    const share = index === 0 || conversion === null ? '' : ` (${numbers.percent(conversion)}${before})`;
    return `${isolated(plain(label) || plain(eventName))}: ${numbers.full(count)}${share}`;
  });
  return `${counted(steps.length, 'step', formats)}: ${told.join(', ')}.`;
}

function tableSummary({ rows, columns, total }: TableData, formats: Formats): string {
  if (rows.length === 0) return NO_EVENTS;
  const names = columns.slice(0, MOST_NAMED).map(({ key }) => isolated(plain(key)));
  const more = columns.length > MOST_NAMED ? `, and ${columns.length - MOST_NAMED} more` : '';
  const all = counted(total, 'row', formats);
  const shown = rows.length < total ? `${formats.numbers.full(rows.length)} of ${all}` : all;
  return `${shown}, ${counted(columns.length, 'column', formats)}: ${names.join(', ')}${more}.`;
}

function valueSummary(data: ValueData, formats: Formats): string {
  const { values } = formats;
  const { min, max, target, thresholds = [], value } = data;
  const zone = value === null ? undefined : thresholds.findLast((one) => value >= one.value);
  const scale = [
    ...(min === undefined || max === undefined ? [] : [`on a scale of ${values.full(min)} to ${values.full(max)}`]),
    ...(zone?.label ? [isolated(plain(zone.label))] : []),
    ...(target === undefined ? [] : [`target ${values.full(target)}`]),
  ];
  const text = value === null ? whyNothing(formats.basis).slice(0, -1) : valueText(data, formats);
  const details = detailsOfValue(data, formats).filter((detail) => detail !== text);
  return `${[text, ...scale, ...details].join(', ')}.`;
}

function counted(count: number, noun: string, { numbers }: Formats): string {
  return `${numbers.full(count)} ${noun}${count === 1 ? '' : 's'}`;
}
