import { LABEL_SIZE, labelMark, labelWidth, type Sheet } from './drawing.ts';
import { type Mark, rectMark } from './marks.ts';
import { cut } from './text.ts';

export interface Entry {
  name: string;
  /** SVG attributes of the coloured square. */
  square: Readonly<Record<string, string | number>>;
}

export interface Legend {
  marks: Mark[];
  /** Pixels at the top of the chart. */
  height: number;
}

const ROW = 20;
const SQUARE = 10;
const BEFORE_NAME = SQUARE + 6;
const GAP = 16;
const LONGEST_NAME = 160;

/** Entries in at most two rows, then the number of those left out. */
export function legendOf(entries: Entry[], { width, height, palette }: Sheet): Legend {
  const rows = height < 120 ? 0 : height < 200 ? 1 : 2;
  if (rows === 0 || entries.length === 0) return { marks: [], height: 0 };
  const marks: Mark[] = [];
  let x = 0;
  let row = 0;
  for (const [index, { name, square }] of entries.entries()) {
    const left = entries.length - index - 1;
    const more = left > 0 ? GAP + labelWidth(moreOf(left)) : 0;
    const reserved = row === rows - 1 ? more : 0;
    const shown = cut(name, Math.min(LONGEST_NAME, width - BEFORE_NAME - more), LABEL_SIZE);
    const needed = BEFORE_NAME + labelWidth(shown);
    if (x > 0 && x + needed + reserved > width) {
      if (row === rows - 1) {
        marks.push(labelMark(x, row * ROW + LABEL_SIZE, moreOf(left + 1), width - x, palette.muted));
        break;
      }
      row++;
      x = 0;
    }
    marks.push(rectMark(x, row * ROW + 2, SQUARE, SQUARE, { rx: 2, ...square }));
    marks.push(labelMark(x + BEFORE_NAME, row * ROW + LABEL_SIZE - 1, shown, width, palette.text));
    x += needed + GAP;
  }
  return { marks, height: (row + 1) * ROW + 6 };
}

function moreOf(count: number): string {
  return `+ ${count} more`;
}
