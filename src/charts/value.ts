import type { Change, ValueData } from './answer.ts';
import type { Formats, Sheet, Sketch } from './drawing.ts';
import { type Mark, textMark } from './marks.ts';
import { NOTHING, type Numbers } from './numbers.ts';
import { cut, plain, TYPE, widthOf } from './text.ts';

const LARGEST = 88;
const SMALLEST = 16;

/** The value in large digits; below it the numerator and denominator, and the change. */
export function drawValue(data: ValueData, sheet: Sheet): Sketch {
  const { width, height, palette, values } = sheet;
  const lines = linesOf(data, sheet);
  const largest = data.value === null ? LARGEST / 2 : LARGEST;
  const small = height < 110 ? TYPE.label : width < 480 ? TYPE.note : TYPE.body;
  const pitch = small * 1.6;
  const shown = lines.slice(0, Math.max(0, Math.floor((height - SMALLEST * 1.3) / pitch)));
  const room = height - shown.length * pitch;
  const text = valueText(data, sheet);
  const fitting = (written: string) =>
    Math.min(largest, room * 0.8, (100 * width) / Math.max(1, widthOf(written, 100, 600)));
  // A number of hundreds of digits is written in compact form instead of being cut.
  const isLong = data.value !== null && fitting(text) < SMALLEST;
  const written = isLong ? values.compact(data.value!) : text;
  const size = Math.max(Math.min(SMALLEST, room * 0.8), Math.floor(fitting(written)));
  const top = (height - size - shown.length * pitch) / 2;
  const baseline = top + size * 0.86;
  const heading = { 'font-size': size, 'font-weight': 600, fill: data.value === null ? palette.muted : palette.text };
  const marks: Mark[] = [textMark(0, baseline, cut(written, width, size, 600), heading)];
  for (const [index, { text: line, short = line, judgement }] of shown.entries()) {
    const attributes = { 'font-size': small, fill: palette[judgement ?? 'muted'] };
    marks.push(
      textMark(
        0,
        top + size * 1.04 + (index + 0.85) * pitch,
        cut(widthOf(line, small) > width ? short : line, width, small),
        attributes,
      ),
    );
  }
  const label = [text, ...detailsOfValue(data, sheet)].join(', ');
  return {
    marks,
    points: () => [{ x: Math.min(width, widthOf(written, size, 600)) / 2, y: baseline - size * 0.36, label }],
  };
}

/** Characters. A longer `formatted` is replaced by a shorter text. */
const LONGEST = 60;

/** The value as text: the server's `formatted`, if the language writes numbers so. */
export function valueText(
  { value, formatted }: ValueData,
  { numbers, values }: Pick<Sheet, 'numbers' | 'values'>,
): string {
  if (value === null) return NOTHING;
  if (formatted.length > LONGEST) return numbers.full(value);
  if (numbers.matchesServer) return plain(formatted);
  return values.formatted(value);
}

/** "12 of 40", and the change, which a reader of colours knows to be good or bad. */
export function detailsOfValue(data: ValueData, formats: Formats): string[] {
  const { say } = formats.numbers;
  return linesOf(data, formats).map(({ text, judgement }) => (judgement ? say(JUDGED[judgement], { text }) : text));
}

const JUDGED = { good: '{text} (better)', bad: '{text} (worse)' } as const;

interface Line {
  text: string;
  /** The text where the whole does not fit. */
  short?: string;
  judgement: Judgement;
}

function linesOf({ numerator, denominator, previous }: ValueData, formats: Formats): Line[] {
  const { numbers, basis } = formats;
  const { say } = numbers;
  const said = (text: string): Line => ({ text, judgement: null });
  const share =
    denominator === undefined
      ? []
      : [say('{part} of {whole}', { part: numbers.full(numerator ?? 0), whole: numbers.full(denominator) })];
  const why = basis.matchedEvents === 0 && share.length === 0 && !previous ? [say('No events in this range')] : [];
  return [
    ...[...share, ...why].map(said),
    ...(previous
      ? [{ ...changeInWords(previous, formats), judgement: judgementOf(previous.change, formats.goodDirection) }]
      : []),
  ];
}

/** Null is neither good nor bad. */
export type Judgement = 'good' | 'bad' | null;

export function judgementOf(change: number | null, goodDirection: Formats['goodDirection']): Judgement {
  if (!change || goodDirection === undefined || goodDirection === 'none') return null;
  return change > 0 === (goodDirection === 'up') ? 'good' : 'bad';
}

/** "▲ up 12% from 37 in the previous period" */
function changeInWords({ value, change, changeRatio }: Change, { values, numbers }: Formats): Omit<Line, 'judgement'> {
  const { say } = numbers;
  if (value === null) return { text: say('no value in the previous period'), short: say('no value') };
  const before = values.full(value);
  const period = say('{value} in the previous period', { value: before });
  if (change === null) return { text: period, short: before };
  if (change === 0) {
    return {
      text: say('unchanged from {before}', { before: period }),
      short: say('unchanged from {before}', { before }),
    };
  }
  const size = Math.abs(change);
  const amount = values.isPercent
    ? inPoints(size, numbers)
    : changeRatio === null
      ? values.full(size)
      : numbers.percent(Math.abs(changeRatio));
  const moved = change > 0 ? '▲ up {amount} from {before}' : '▼ down {amount} from {before}';
  return { text: say(moved, { amount, before: period }), short: say(moved, { amount, before }) };
}

/** The change of a rate: 0.145 is 14.5 points. A change below 0.05 points has one digit. */
export function inPoints(change: number | null, numbers: Numbers): string {
  return change === null ? NOTHING : numbers.say('{change} points', { change: numbers.full(pointsOf(change)) });
}

export function pointsOf(change: number): number {
  return Math.round(change * 1e3) / 10 || Number((change * 100).toPrecision(1));
}

/** "▲ 12%" */
export function changeInShort({ value, change, changeRatio }: Change, { numbers, values }: Formats): string {
  if (change === null) return '';
  if (change === 0) return numbers.say('unchanged');
  const arrow = change > 0 ? '▲' : '▼';
  if (values.isPercent) return `${arrow} ${inPoints(Math.abs(change), numbers)}`;
  if (value === 0) return numbers.say('{arrow} from 0', { arrow });
  return `${arrow} ${changeRatio === null ? values.full(Math.abs(change)) : numbers.percent(Math.abs(changeRatio))}`;
}
