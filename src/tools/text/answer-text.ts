import { formatNumber } from '../../core/analytics/dashboards/format.ts';
import type { CardData, RenderedCard } from '../../core/analytics/dashboards/render.ts';
import { oneLine } from '../../core/base/shared/text.ts';
import { basisText } from './basis.ts';
import { allDigits, computedFrom, groupName, type Shown, type ShownPoint, valueCell } from './shown.ts';
import { recordLines, tableLines } from './table.ts';

/* Texts of answers to questions, composed of the members of structured content (`shown.ts`). */

type Rows = Extract<CardData, { rows: unknown }>;
type Numbers = Shown & { truncated?: string } & Partial<Rows>;

/** An answer of `aggregate_events` or `query_events`. */
export type AnsweredQuestion = Numbers & Pick<RenderedCard, 'basis' | 'note'>;

export type ShownCard = Pick<RenderedCard, 'card' | 'basis' | 'note'> & { data: Shown | Rows };

export function cardText({ card: { id, title, cardType }, data, ...rest }: ShownCard): string {
  return `${asData(oneLine(title))} (${cardType}; ${id})\n${answerText({ ...data, ...rest })}`;
}

type FailedCard = Pick<RenderedCard, 'card'> & { error: string };

export function tabText(
  tab: { id: string; name: string },
  cards: readonly (RenderedCard | FailedCard)[],
  note?: string,
): string {
  const texts = cards.map((one) => ('error' in one ? failedText(one) : cardText(one as ShownCard)));
  return [`${asData(oneLine(tab.name))} (tab; ${tab.id})`, ...texts, ...notesText([note])].join('\n\n');
}

function failedText({ card: { id, title, cardType }, error }: FailedCard): string {
  return `${asData(oneLine(title))} (${cardType}; ${id})\nError: ${oneLine(error)}`;
}

export function answerText({ basis, note, truncated, ...numbers }: AnsweredQuestion): string {
  const { previous } = numbers;
  return [...numbersText(numbers), basisText(basis, previous), ...notesText([note, truncated])].join('\n');
}

function notesText(notes: (string | undefined)[]): string[] {
  return notes.flatMap((text) => (text === undefined ? [] : [`Note: ${oneLine(text)}`]));
}

function numbersText(numbers: Numbers): string[] {
  const { series, groups, steps, rows, chart = [], annotations = [] } = numbers;
  return [
    ...valueText(numbers),
    ...chart.map(asData),
    ...(series ? seriesText(series).map(asData) : []),
    ...annotations.map(({ at, text }) => `Annotation: ${at} ${oneLine(text)}`),
    // The chart has them already.
    ...(groups && chart.length === 0 ? groupsText(groups).map(asData) : []),
    ...(steps && chart.length === 0 ? recordLines(steps, { least: SMALL }).map(asData) : []),
    ...(rows ? rowsText(numbers as Rows).map(asData) : []),
  ];
}

const OWN_LINES = /^(note|basis|annotation|error|previous period|outcome):/i;

/** A recorded text must not pass for a line of the answer itself. */
function asData(line: string): string {
  return OWN_LINES.test(line) ? ` ${line}` : line;
}

function valueText({ value, previous, ...counts }: Numbers): string[] {
  if (value === undefined) return [];
  const exact = allDigits(value);
  const { formatted = exact } = counts;
  const from = computedFrom(counts);
  if (counts.denominator === undefined && !formatted.replaceAll(',', '').includes(exact)) from.push(`exactly ${exact}`);
  const change = [previous?.words && `change ${previous.words}`, previous?.direction].filter(Boolean);
  return [
    formatted + (from.length > 0 ? ` (${from.join(', ')})` : ''),
    ...(previous
      ? [[`Previous period: ${previous.formatted ?? allDigits(previous.value)}`, ...change].join(', ')]
      : []),
  ];
}

const MAX_COLUMNS = 8;
/** Characters of a table that is aligned in any case. */
const SMALL = 2_000;

function seriesText(series: readonly ShownPoint[]): string[] {
  if (series.length === 0) return ['No buckets in this range.'];
  // Distinct groups may look the same: the number 1 and the text "1".
  const keyOf = (point: ShownPoint) => `${JSON.stringify(point.group)} `;
  const names = new Map(series.map((point) => [keyOf(point), groupName(point)]));
  const keys = [...names.keys()];
  const listed = series.map((point) => [
    point.bucket,
    ...(keys.length > 1 ? [groupName(point)] : []),
    valueCell(point),
  ]);
  const list = () => listed.map((cells) => cells.join(' | '));
  if (keys.length > MAX_COLUMNS) {
    return tableLines({
      header: ['bucket', 'group', 'value'],
      rows: listed,
      align: ['left', 'left', 'right'],
      shown: series,
      least: SMALL,
      plain: list,
    });
  }
  const buckets = [...new Set(series.map((point) => point.bucket))];
  const cells = new Map(series.map((point) => [keyOf(point) + point.bucket, valueCell(point)]));
  return tableLines({
    header: ['bucket', ...keys.map((key) => names.get(key) || 'value')],
    // A missing bucket is blank; a bucket without a value has a dash.
    rows: buckets.map((bucket) => [bucket, ...keys.map((key) => cells.get(key + bucket) ?? '')]),
    align: ['left', ...keys.map(() => 'right' as const)],
    shown: series,
    least: SMALL,
    plain: list,
  });
}

function groupsText(groups: NonNullable<Shown['groups']>): string[] {
  if (groups.length === 0) return ['No groups in this range.'];
  const records = groups.map(({ previous, parts, ...group }) => ({
    ...group,
    ...parts,
    ...(previous && { previous: previous.value, change: previous.change, changeRatio: previous.changeRatio }),
  }));
  return recordLines(records, { least: SMALL });
}

function rowsText({ rows, columns, total, nextOffset }: Rows): string[] {
  if (rows.length === 0) return [`No rows of ${formatNumber(total)}.`];
  const keys = columns.map(({ key }) => key);
  const next = nextOffset === undefined ? '' : ` Go on with offset ${nextOffset}.`;
  const part = rows.length === total ? [] : [`${rows.length} of ${formatNumber(total)} rows.${next}`];
  return [...recordLines(rows, { keys, least: SMALL }), ...part];
}
