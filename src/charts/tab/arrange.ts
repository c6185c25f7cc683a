import type { CardType } from '../answer.ts';

/** The place and size of a card in the grid, in columns and rows from 0. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Placed extends Box {
  id: string;
}

export const COLUMNS = 12;
/** The least width and height: a smaller card is not readable. */
export const SHORTEST = 2;
export const HIGHEST = 20;

/** The sizes of cards without a layout. */
const SIZES: Record<CardType, Pick<Box, 'w' | 'h'>> = {
  number: { w: 3, h: 2 },
  rate: { w: 3, h: 2 },
  gauge: { w: 3, h: 3 },
  pie: { w: 4, h: 3 },
  line: { w: 6, h: 3 },
  bar: { w: 6, h: 3 },
  funnel: { w: 6, h: 3 },
  table: { w: 6, h: 4 },
};

/**
 * Cards with a layout move up, or down below the cards that overlap them; cards without one take
 * the first free places in their order. The result has no overlaps and is in reading order.
 */
export function arrange(
  cards: readonly { id: string; cardType: CardType; gridLayout: Box | null }[],
): readonly Placed[] {
  const placed = compacted(
    boxesInOrder(cards.flatMap(({ id, gridLayout }) => (gridLayout ? [{ id, ...fitted(gridLayout) }] : []))),
  );
  const taken: number[] = [];
  for (const box of placed) take(taken, box);
  for (const { id, cardType, gridLayout } of cards) {
    if (gridLayout) continue;
    const box = firstFree(taken, SIZES[cardType]);
    take(taken, box);
    placed.push({ id, ...box });
  }
  return boxesInOrder(placed);
}

/** Stored layouts may have fractions and places outside of the grid: API clients send them. */
function fitted({ x, y, w, h }: Box): Box {
  const width = clamp(Math.round(w), SHORTEST, COLUMNS);
  return {
    x: clamp(Math.round(x), 0, COLUMNS - width),
    y: Math.max(0, Math.round(y)),
    w: width,
    h: clamp(Math.round(h), SHORTEST, HIGHEST),
  };
}

/** Moves each card as far up as the cards before it in the list allow. */
export function compacted(boxes: readonly Placed[]): Placed[] {
  const bottoms = new Array<number>(COLUMNS).fill(0);
  return boxes.map((box) => {
    const y = Math.max(...bottoms.slice(box.x, box.x + box.w));
    bottoms.fill(y + box.h, box.x, box.x + box.w);
    return { ...box, y };
  });
}

export function boxesInOrder(boxes: readonly Placed[]): Placed[] {
  return boxes.toSorted((one, other) => one.y - other.y || one.x - other.x);
}

/** `taken` has a bit for each column of each row. */
function firstFree(taken: readonly number[], { w, h }: Pick<Box, 'w' | 'h'>): Box {
  for (let y = 0; ; y++) {
    for (let x = 0; x + w <= COLUMNS; x++) {
      const isFree = !taken.slice(y, y + h).some((row) => (row & columnBits({ x, w })) !== 0);
      if (isFree) return { x, y, w, h };
    }
  }
}

function take(taken: number[], box: Box): void {
  for (let y = box.y; y < box.y + box.h; y++) taken[y] = (taken[y] ?? 0) | columnBits(box);
}

function columnBits({ x, w }: Pick<Box, 'x' | 'w'>): number {
  return ((1 << w) - 1) << x;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
