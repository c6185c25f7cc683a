import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Placed } from '../../../../src/charts/tab/arrange.ts';
import { type Direction, moved, resized, stepped } from './layout.ts';

export type Kind = 'move' | 'resize';

/** A card that is being moved or resized, and the resulting places of all cards. */
export interface Arranging {
  kind: Kind;
  id: string;
  by: 'keys' | 'pointer';
  placed: readonly Placed[];
}

interface Drag {
  kind: Kind;
  /** In pixels of the page. */
  startX: number;
  startY: number;
  from: Placed;
  card: HTMLElement;
  isMoving: boolean;
}

interface ArrangingParts {
  grid: RefObject<HTMLElement | null>;
  placed: readonly Placed[];
  onKeep(arranging: Arranging): void;
  onCancel(arranging: Arranging): void;
}

const ARROWS: Record<string, Direction> = {
  ArrowLeft: { dx: -1, dy: 0 },
  ArrowRight: { dx: 1, dy: 0 },
  ArrowUp: { dx: 0, dy: -1 },
  ArrowDown: { dx: 0, dy: 1 },
};
/** A press that moves less is a click. In pixels. */
const CLICK = 4;

/** Cards are moved and resized by dragging a handle, by arrow keys, and by buttons. */
export function useArranging({ grid, placed, onKeep, onCancel }: ArrangingParts) {
  const [arranging, setArranging] = useState<Arranging | null>(null);
  const drag = useRef<Drag | null>(null);
  const wasDragged = useRef(false);

  const stop = (tell: (arranging: Arranging) => void) => {
    drag.current?.card.style.removeProperty('translate');
    drag.current = null;
    setArranging(null);
    if (arranging) tell(arranging);
  };
  const keep = () => stop(onKeep);
  const cancel = () => stop(onCancel);
  const step = (direction: Direction) =>
    setArranging((now) => now && { ...now, placed: stepped(now.placed, now.id, now.kind, direction) });

  // Before the next key: an effect after the paint would miss one that comes at once.
  useLayoutEffect(() => {
    if (!arranging) return undefined;
    // On the window: the button that started the change may be gone, and the focus with it.
    const onKey = (event: KeyboardEvent) => {
      const arrow = arranging.by === 'keys' ? ARROWS[event.key] : undefined;
      const isOnButton = event.target instanceof Element && event.target.closest('[data-arranging]') !== null;
      const keeps = arranging.by === 'keys' && event.key === 'Enter' && !isOnButton;
      if (!arrow && !keeps && event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      if (arrow) step(arrow);
      else if (keeps) keep();
      else cancel();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  });

  const onPointerDown = (kind: Kind, id: string, event: PointerEvent<HTMLElement>) => {
    const from = placed.find((box) => box.id === id);
    const card = event.currentTarget.closest<HTMLElement>('section');
    wasDragged.current = false;
    if (event.button !== 0 || arranging || !from || !card) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const [startX, startY] = [event.pageX, event.pageY];
    drag.current = { kind, startX, startY, from, card, isMoving: false };
  };

  const onPointerMove = ({ pageX, pageY }: PointerEvent<HTMLElement>) => {
    const now = drag.current;
    if (!now || !grid.current) return;
    const [right, down] = [pageX - now.startX, pageY - now.startY];
    if (!now.isMoving && Math.hypot(right, down) < CLICK) return;
    now.isMoving = true;
    wasDragged.current = true;
    const { kind, from, card } = now;
    const { column, row } = stepsOf(grid.current);
    const [dx, dy] = [Math.round(right / column), Math.round(down / row)];
    if (kind === 'move') card.style.translate = `${right}px ${down}px`;
    const next =
      kind === 'move'
        ? moved(placed, from.id, { x: from.x + dx, y: from.y + dy })
        : resized(placed, from.id, { w: from.w + dx, h: from.h + dy });
    // At once: a release or Escape may come before the next frame, and means this place.
    flushSync(() => setArranging({ kind, id: from.id, by: 'pointer', placed: next }));
  };

  const onPointerUp = () => {
    if (drag.current?.isMoving) keep();
    drag.current = null;
  };

  /** The props of a handle's button. */
  const handle = (kind: Kind, id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => onPointerDown(kind, id, event),
    onPointerMove,
    onPointerUp,
    onPointerCancel: cancel,
    // A drag ends with a click on its handle, one that Escape cancelled, too.
    onClick: ({ detail }: { detail: number }) => {
      if (detail === 0 || !wasDragged.current) start(kind, id);
    },
  });

  const start = (kind: Kind, id: string) => setArranging({ kind, id, by: 'keys', placed });

  return { arranging, start, step, keep, cancel, handle };
}

export type Arranger = ReturnType<typeof useArranging>;

/** The id of a handle's element, which gets the focus when the card is in its place. */
export function handleId(kind: Kind, id: string): string {
  return `${kind}-${id}`;
}

/** The distance from one column or row to the next, in pixels. */
function stepsOf(grid: HTMLElement): { column: number; row: number } {
  const { columnGap, rowGap, gridTemplateColumns, gridAutoRows } = getComputedStyle(grid);
  const [width = 0] = gridTemplateColumns.split(' ').map(Number.parseFloat);
  return {
    column: width + Number.parseFloat(columnGap),
    row: Number.parseFloat(gridAutoRows) + Number.parseFloat(rowGap),
  };
}
