import type { RenderedCard } from './answer.ts';
import { type Mark, svgText } from './marks.ts';
import type { Palette } from './palette.ts';

export interface DrawOptions {
  /** Pixels. */
  width: number;
  height: number;
  palette: Palette;
  /** A BCP 47 tag. */
  locale: string;
}

/** A value that a pointer or the arrow keys can reach. */
export interface Point {
  /** Pixels within the drawing. */
  x: number;
  y: number;
  /** "3 Nov, de: 41" */
  label: string;
}

export interface Drawing {
  marks: Mark[];
  points: Point[];
}

/** The chart of a card, without its title. */
export function drawCard(rendered: RenderedCard, { width, height, palette }: DrawOptions): Drawing {
  const { title } = rendered.card;
  return { marks: [['text', { x: width / 2, y: height / 2, fill: palette.text }, title]], points: [] };
}

/** An SVG document: the card with title and basis, and its summary for screen readers. */
export function cardSvg(rendered: RenderedCard, options: DrawOptions): string {
  const { width, height } = options;
  const { marks } = drawCard(rendered, options);
  return svgText(['svg', { xmlns: 'http://www.w3.org/2000/svg', width, height }, ...marks]);
}

/** "14 points, lowest 2, highest 41, last 2." */
export function summaryOf(rendered: RenderedCard, _locale: string): string {
  return rendered.card.title;
}

export interface CardTable {
  columns: { label: string; align: 'left' | 'right' }[];
  rows: string[][];
}

/** The same data as a table. */
export function tableOf(_rendered: RenderedCard, _locale: string): CardTable {
  return { columns: [], rows: [] };
}
