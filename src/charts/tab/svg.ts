import type { CardType, RenderedCard } from '../answer.ts';
import { cardMark, FONTS } from '../card.ts';
import type { DrawOptions } from '../drawing.ts';
import { type Mark, rectMark, svgText, textMark } from '../marks.ts';
import { cut, plain, TYPE } from '../text.ts';
import { arrange, type Box, COLUMNS } from './arrange.ts';

export interface PicturedCard {
  title: string;
  cardType: CardType;
  gridLayout: Box | null;
  /** Null where the card cannot be answered. */
  answer: Pick<RenderedCard, 'data' | 'basis'> | null;
}

export interface PicturedTab {
  title: string;
  cards: readonly PicturedCard[];
  /** Cards of the tab, of which these are the first. */
  total: number;
}

/** Pixels. */
const PADDING = 24;
const GAP = 16;
const ROW = 112;
const HEAD = 40;
const FOOT = 28;
/** Rows of the grid: a PNG of twice the size then takes some 60 MB while it is drawn. */
const MAX_ROWS = 24;

/** An SVG document: the cards of a tab in its grid, as far down as `MAX_ROWS`. */
export function tabSvg(
  { title, cards, total }: PicturedTab,
  { width, palette, locale }: Pick<DrawOptions, 'width' | 'palette' | 'locale'>,
): string {
  const placed = arrange(cards.map((card, index) => ({ ...card, id: String(index) })));
  const shown = placed.filter(({ y, h }) => y + h <= MAX_ROWS);
  const rows = Math.max(1, ...shown.map(({ y, h }) => y + h));
  const left = total - shown.length;
  const bottom = PADDING + HEAD + rows * (ROW + GAP) - GAP;
  const height = bottom + (left > 0 ? FOOT : 0) + PADDING;
  const column = (width - 2 * PADDING + GAP) / COLUMNS;
  const drawn = shown.map(({ id, x, y, w, h }): Mark => {
    const size = { width: Math.floor(w * column - GAP), height: h * (ROW + GAP) - GAP };
    const [tag, attributes, ...children] = markOf(cards[Number(id)]!, { ...size, palette, locale });
    const place = { x: Math.round(PADDING + x * column), y: PADDING + HEAD + y * (ROW + GAP) };
    return [tag, { ...place, ...attributes }, ...children];
  });
  const room = width - 2 * PADDING;
  const heading = { 'font-size': TYPE.heading, 'font-weight': 600, fill: palette.text };
  const more = { 'font-size': TYPE.note, fill: palette.muted };
  return svgText([
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}` },
      ...{ role: 'img', 'font-family': FONTS },
    },
    ['title', {}, plain(title)],
    rectMark(0, 0, width, height, { fill: palette.surface }),
    textMark(PADDING, PADDING + TYPE.heading * 0.8, cut(plain(title), room, TYPE.heading, 600), heading),
    ...drawn,
    ...(left > 0 ? [textMark(PADDING, bottom + FOOT, `… and ${left} more`, more)] : []),
  ]);
}

function markOf({ title, cardType, answer }: PicturedCard, options: DrawOptions): Mark {
  if (answer) return cardMark({ card: { title, cardType }, ...answer }, options);
  const { width, height, palette } = options;
  const heading = { 'font-size': TYPE.body, 'font-weight': 600, fill: palette.text };
  const note = { 'font-size': TYPE.note, fill: palette.muted };
  return [
    'svg',
    { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' },
    rectMark(0.5, 0.5, width - 1, height - 1, { rx: 12, fill: palette.surface, stroke: palette.grid }),
    textMark(GAP, GAP + TYPE.body * 0.8, cut(plain(title), width - 2 * GAP, TYPE.body, 600), heading),
    textMark(GAP, height / 2, cut('This card cannot be shown now.', width - 2 * GAP, TYPE.note), note),
  ];
}
