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

export interface Direction {
  dx: -1 | 0 | 1;
  dy: -1 | 0 | 1;
}

type CardType = 'number' | 'rate' | 'line' | 'bar' | 'pie' | 'table' | 'funnel' | 'gauge';

export const COLUMNS = 12;
/** The least width and height: a smaller card is not readable. */
const SHORTEST = 2;
const HIGHEST = 20;

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
 * Cards with a layout move up, or down below the cards that overlap them; cards without one take the first
 * free places in their order. The result has no overlaps and is in reading order.
 */
export function arrange(
  cards: readonly { id: string; cardType: CardType; gridLayout: Box | null }[],
): readonly Placed[] {
  const placed = compacted(
    inReadingOrder(cards.flatMap(({ id, gridLayout }) => (gridLayout ? [{ id, ...fitted(gridLayout) }] : []))),
  );
  const taken: number[] = [];
  for (const box of placed) take(taken, box);
  for (const { id, cardType, gridLayout } of cards) {
    if (gridLayout) continue;
    const box = firstFree(taken, SIZES[cardType]);
    take(taken, box);
    placed.push({ id, ...box });
  }
  return inReadingOrder(placed);
}

/** Moves the upper left corner of a card to a place, or as near as the other cards allow; they move out of the way. */
export function moved(placed: readonly Placed[], id: string, to: Pick<Box, 'x' | 'y'>): readonly Placed[] {
  const from = placed.find((box) => box.id === id);
  if (!from) return placed;
  const box = { ...from, x: clamp(to.x, 0, COLUMNS - from.w), y: Math.max(0, to.y) };
  const others = placed.filter((one) => one.id !== id);
  // The card passes another one once its edge has crossed the middle of the other.
  const inWay = others.filter((one) => one.x < box.x + box.w && box.x < one.x + one.w);
  const passedDown = inWay.filter((one) => one.y >= from.y + from.h && one.y + one.h / 2 <= box.y + box.h);
  const passedUp = inWay.filter((one) => one.y + one.h <= from.y && one.y + one.h / 2 >= box.y);
  const down = Math.max(box.y - 0.5, ...passedDown.map(({ y }) => y + 0.5));
  const key = Math.min(down, ...passedUp.map(({ y }) => y - 0.5));
  const before = others.filter(({ y }) => y <= key);
  const after = others.filter(({ y }) => y > key);
  return inReadingOrder(compacted([...inReadingOrder(before), box, ...inReadingOrder(after)]));
}

/** Resizes a card within the limits of the grid; the other cards move out of the way. */
export function resized(placed: readonly Placed[], id: string, size: Pick<Box, 'w' | 'h'>): readonly Placed[] {
  const from = placed.find((box) => box.id === id);
  if (!from) return placed;
  const box = {
    ...from,
    w: clamp(size.w, SHORTEST, COLUMNS - from.x),
    h: clamp(size.h, SHORTEST, HIGHEST),
  };
  const others = placed.filter((one) => one.id !== id);
  const before = others.filter(({ y }) => y < box.y);
  const after = others.filter(({ y }) => y >= box.y);
  return inReadingOrder(compacted([...inReadingOrder(before), box, ...inReadingOrder(after)]));
}

/** One arrow key: moves a card by a column or past the next card above or below, or resizes it by one unit. */
export function stepped(
  placed: readonly Placed[],
  id: string,
  kind: 'move' | 'resize',
  { dx, dy }: Direction,
): readonly Placed[] {
  const from = placed.find((box) => box.id === id);
  if (!from) return placed;
  if (kind === 'resize') return resized(placed, id, { w: from.w + dx, h: from.h + dy });
  const bottom = Math.max(...placed.map(({ y, h }) => y + h));
  for (let steps = 1; steps <= bottom; steps++) {
    const next = moved(placed, id, { x: from.x + dx * steps, y: from.y + dy * steps });
    const box = next.find((one) => one.id === id)!;
    if (box.x !== from.x || box.y !== from.y) return next;
  }
  return placed;
}

/** The layouts that differ from the stored ones. */
export function changedLayouts(
  cards: readonly { id: string; gridLayout: Box | null }[],
  placed: readonly Placed[],
): { id: string; gridLayout: Box }[] {
  const stored = new Map(cards.map(({ id, gridLayout }) => [id, gridLayout]));
  return placed.flatMap(({ id, x, y, w, h }) => {
    const before = stored.get(id);
    if (before === undefined) return [];
    const isSame = before && before.x === x && before.y === y && before.w === w && before.h === h;
    return isSame ? [] : [{ id, gridLayout: { x, y, w, h } }];
  });
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
function compacted(boxes: readonly Placed[]): Placed[] {
  const bottoms = new Array<number>(COLUMNS).fill(0);
  return boxes.map((box) => {
    const y = Math.max(...bottoms.slice(box.x, box.x + box.w));
    bottoms.fill(y + box.h, box.x, box.x + box.w);
    return { ...box, y };
  });
}

function inReadingOrder(boxes: readonly Placed[]): Placed[] {
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

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
