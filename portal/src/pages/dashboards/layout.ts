import {
  type Box,
  boxesInOrder,
  COLUMNS,
  clamp,
  compacted,
  HIGHEST,
  type Placed,
  SHORTEST,
} from '../../../../src/charts/tab/arrange.ts';

export interface Direction {
  dx: -1 | 0 | 1;
  dy: -1 | 0 | 1;
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
  return boxesInOrder(compacted([...boxesInOrder(before), box, ...boxesInOrder(after)]));
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
  return boxesInOrder(compacted([...boxesInOrder(before), box, ...boxesInOrder(after)]));
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
