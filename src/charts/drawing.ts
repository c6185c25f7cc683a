import type { CardBasis, Presented, RenderedCard } from './answer.ts';
import { Dates } from './dates.ts';
import { knownLocale } from './locale.ts';
import { type Attributes, type Mark, textMark } from './marks.ts';
import { type Numbers, numbersOf, type ShownValues, shownValuesOf } from './numbers.ts';
import type { Palette } from './palette.ts';
import { cut, TYPE, widthOf } from './text.ts';

export interface DrawOptions {
  /** Pixels. */
  width: number;
  height: number;
  palette: Palette;
  /** A BCP 47 tag. */
  locale: string;
  /** Lists the annotations below a series, for a picture that no pointer reaches. */
  listsAnnotations?: boolean | undefined;
}

/** A value that a pointer or the arrow keys can reach. */
export interface Point {
  /** Pixels within the drawing. */
  x: number;
  y: number;
  /** "3 Nov, de: 41" */
  label: string;
  /** The radius of a marker, in pixels. */
  radius?: number | undefined;
}

export interface Drawing {
  marks: Mark[];
  points: Point[];
}

/** Size, colours, basis and formats of a drawing. */
export interface Sheet {
  width: number;
  height: number;
  palette: Palette;
  basis: CardBasis;
  numbers: Numbers;
  values: ShownValues;
  goodDirection: Presented['goodDirection'];
  dates: Dates;
  listsAnnotations: boolean;
}

/** `points` are computed on demand: their texts take longer than the marks. */
export interface Sketch {
  marks: Mark[];
  points: () => Point[];
}

export function sheetOf(options: DrawOptions, rendered: RenderedCard): Sheet {
  const { width, height, palette, locale, listsAnnotations = false } = options;
  return { width, height, palette, listsAnnotations, ...formatsOf(locale, rendered) };
}

export type Formats = Pick<Sheet, 'basis' | 'numbers' | 'values' | 'dates' | 'goodDirection'>;

/** How a card's numbers and dates are written in a language. */
export function formatsOf(tag: string, { card, data, basis }: RenderedCard): Formats {
  const locale = knownLocale(tag);
  const numbers = numbersOf(locale);
  const presented = data as Presented;
  const isRate = card.cardType === 'rate' || basis.aggregation === 'rate';
  const values = shownValuesOf(numbers, presented, isRate);
  return { basis, numbers, values, dates: new Dates(locale, basis.timezone), goodDirection: presented.goodDirection };
}

/** True if the values of all groups add up to the total. */
export function isAdditive({ aggregation }: CardBasis): boolean {
  return aggregation === undefined || aggregation === 'count' || aggregation === 'sum';
}

/** Font size of axis labels, legends and the like, in pixels. */
export const LABEL_SIZE = TYPE.label;

export const NO_EVENTS = 'No events in this range.';
const NO_VALUES = 'No values in this range.';

/** A message in place of a chart. */
export function messageSketch(text: string, { width, height, palette }: Sheet): Sketch {
  const size = TYPE.note;
  const attributes = { 'font-size': size, fill: palette.muted, 'text-anchor': 'middle' };
  return {
    marks: [textMark(width / 2, height / 2 + size * 0.35, cut(text, width, size), attributes)],
    points: () => [],
  };
}

export function whyNothing({ basis, numbers }: Pick<Sheet, 'basis' | 'numbers'>): string {
  return numbers.say(basis.matchedEvents === 0 ? NO_EVENTS : NO_VALUES);
}

/** Text of `LABEL_SIZE`, cut to `room` pixels. */
export function labelMark(x: number, y: number, text: string, room: number, fill: string, anchor = 'start'): Mark {
  const place: Attributes = anchor === 'start' ? {} : { 'text-anchor': anchor };
  return textMark(x, y, cut(text, room, LABEL_SIZE), { 'font-size': LABEL_SIZE, fill, ...place });
}

export function labelWidth(text: string): number {
  return widthOf(text, LABEL_SIZE);
}

/** Pixels of the widest label. */
export function widestLabel(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(labelWidth));
}

/** How many rows fit, and their height in pixels. If rows are left out, `REST_LINE` is reserved. */
export function rowsIn(height: number, count: number, least: number, most: number): { shown: number; pitch: number } {
  const shown =
    count * least <= height ? count : Math.max(0, Math.min(count, Math.floor((height - REST_LINE) / least)));
  return { shown, pitch: Math.min(most, (shown < count ? height - REST_LINE : height) / Math.max(1, shown)) };
}

/** Pixels for "… and 12 more". */
export const REST_LINE = 20;

/** "… and 12 more" */
export function restOf(count: number, { say }: Numbers): string {
  return say('… and {count} more', { count });
}
