import type { RenderedCard } from './answer.ts';
import { drawBars } from './bars.ts';
import { drawColumns } from './columns.ts';
import { type Drawing, type DrawOptions, labelMark, labelWidth, type Sheet, type Sketch, sheetOf } from './drawing.ts';
import { drawFunnel } from './funnel.ts';
import { drawGauge } from './gauge.ts';
import { drawLines } from './line.ts';
import { type Mark, rounded, svgText, textMark } from './marks.ts';
import { drawPie } from './pie.ts';
import { seriesOf } from './series.ts';
import { summaryOf } from './summary.ts';
import { drawTable } from './table.ts';
import { cut, plain, TYPE } from './text.ts';
import { drawValue } from './value.ts';

export { type CardTable, tableOf } from './as-table.ts';
export type { Drawing, DrawOptions, Point } from './drawing.ts';
export { summaryOf } from './summary.ts';

/** Pixels. A smaller chart would be unreadable, so it is empty. */
const LEAST = 40;

/** The chart of a card, without its title. */
export function drawCard(rendered: RenderedCard, options: DrawOptions): Drawing {
  if (Math.min(options.width, options.height) < LEAST) return { marks: [], points: [] };
  const { marks, points } = sketchOf(rendered, sheetOf(options, rendered));
  return { marks, points: points().map(({ x, y, ...point }) => ({ x: rounded(x), y: rounded(y), ...point })) };
}

function sketchOf({ card, data }: RenderedCard, sheet: Sheet): Sketch {
  if ('series' in data) {
    const series = seriesOf(data, sheet.basis);
    return card.cardType === 'bar' ? drawColumns(series, sheet) : drawLines(series, sheet);
  }
  if ('groups' in data) return card.cardType === 'pie' ? drawPie(data, sheet) : drawBars(data, sheet);
  if ('rows' in data) return drawTable(data, sheet);
  if ('steps' in data) return drawFunnel(data, sheet);
  return card.cardType === 'gauge' ? drawGauge(data, sheet) : drawValue(data, sheet);
}

/** Pixels. A larger picture is scaled up, at most twofold, so that its text stays readable. */
const USUAL_WIDTH = 800;
const USUAL_HEIGHT = 450;
export const FONTS = 'Inter, system-ui, sans-serif';

/** An SVG document: the card with title and basis, and its summary for screen readers. */
export function cardSvg(rendered: RenderedCard, options: DrawOptions): string {
  const [tag, attributes, ...children] = cardMark(rendered, options);
  const document = { xmlns: 'http://www.w3.org/2000/svg', ...attributes, 'font-family': FONTS };
  return svgText([tag, document, ...children]);
}

/** An `svg` element, which may stand within another one. */
export function cardMark(rendered: RenderedCard, options: DrawOptions): Mark {
  const enlarged = Math.max(1, Math.min(2, options.width / USUAL_WIDTH, options.height / USUAL_HEIGHT));
  const [width, height] = [rounded(options.width / enlarged), rounded(options.height / enlarged)];
  const { palette, locale } = options;
  const padding = width < 480 || height < 280 ? 16 : 24;
  const title = plain(rendered.card.title);
  const titleSize = padding === 16 ? TYPE.body : TYPE.heading;
  const top = padding + titleSize + (padding === 16 ? 10 : 16);
  const bottom = padding - 4 + 12 + (padding === 16 ? 8 : 14);
  const inner = width - 2 * padding;
  const sheet = sheetOf(
    { width: inner, height: height - top - bottom, palette, locale, listsAnnotations: true },
    rendered,
  );
  const { marks } = sketchOf(rendered, sheet);
  const heading = { 'font-size': titleSize, 'font-weight': 600, fill: palette.text };
  return [
    'svg',
    { width: options.width, height: options.height, viewBox: `0 0 ${width} ${height}`, role: 'img' },
    ['title', {}, title],
    ['desc', {}, summaryOf(rendered, locale)],
    [
      'rect',
      { x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 12, fill: palette.surface, stroke: palette.grid },
    ],
    textMark(padding, padding + titleSize * 0.8, cut(title, inner, titleSize, 600), heading),
    ['g', { transform: `translate(${padding},${top})` }, ...marks],
    footMark(sheet, padding, height - padding + 2, inner),
  ];
}

/** Time range, time zone and number of events; a narrow picture omits the zone, then the number. */
function footMark({ dates, numbers, basis, palette }: Sheet, x: number, y: number, room: number): Mark {
  const events = numbers.say.count(basis.matchedEvents, '{count} event', '{count} events');
  const parts = [dates.range(basis), plain(basis.timezone), events];
  const texts = [parts, [parts[0]!, events], [parts[0]!]].map((some) => some.join(' · '));
  const fitting = texts.find((text) => labelWidth(text) <= room) ?? texts.at(-1)!;
  return labelMark(x, y, fitting, room, palette.muted);
}
