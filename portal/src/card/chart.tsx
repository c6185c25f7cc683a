import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import type { RenderedCard } from '../../../src/charts/answer.ts';
import { drawCard, type Point, summaryOf } from '../../../src/charts/card.ts';
import { CUSTOM_PROPERTIES } from '../../../src/charts/palette.ts';
import { setChartColours } from './palette.ts';
import { elementOf } from './svg-elements.ts';
import { useSize } from './use-size.ts';

setChartColours();

const LOCALE = navigator.language;
/** Of arrow keys: how far each goes in the points. */
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The picture of a card. Its values are reached with the pointer, and with the arrow keys once it has the focus. */
export function Chart({ rendered }: { rendered: RenderedCard }) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const [reached, setReached] = useState<number | null>(null);
  const drawing = useMemo(() => {
    if (!size || size.width < 40 || size.height < 40) return null;
    return drawCard(rendered, { ...size, palette: CUSTOM_PROPERTIES, locale: LOCALE });
  }, [rendered, size]);
  const points = drawing?.points ?? [];
  const point = reached === null ? undefined : points[reached];

  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    setReached(nearest(points, event.clientX - left, event.clientY - top));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === 'Escape') setReached(null);
    if (step === undefined || points.length === 0) return;
    event.preventDefault();
    const next = reached === null ? (step > 0 ? 0 : points.length - 1) : reached + step;
    setReached(Math.max(0, Math.min(points.length - 1, next)));
  };

  return (
    <div ref={box} className="chart">
      {drawing && size && (
        <svg
          className="chart-picture"
          width={size.width}
          height={size.height}
          role="img"
          aria-label={summaryOf(rendered, LOCALE)}
          tabIndex={points.length > 0 ? 0 : -1}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setReached(null)}
          onKeyDown={onKeyDown}
          onBlur={() => setReached(null)}
        >
          {drawing.marks.map(elementOf)}
          {point && <circle className="chart-reached" cx={point.x} cy={point.y} r={5} />}
        </svg>
      )}
      <div aria-live="polite">
        {point && size && (
          <div
            className="chart-tooltip"
            style={{
              insetInlineStart: Math.min(point.x, size.width),
              insetBlockStart: point.y,
              translate: `${point.x > size.width / 2 ? 'calc(-100% - 10px)' : '10px'} ${point.y > size.height / 2 ? 'calc(-100% - 6px)' : '6px'}`,
            }}
          >
            {point.label}
          </div>
        )}
      </div>
    </div>
  );
}

/** The index of the point nearest to a place in the drawing, in pixels. Null without points. */
export function nearest(points: readonly Point[], x: number, y: number): number | null {
  let best: number | null = null;
  let shortest = Number.POSITIVE_INFINITY;
  for (const [index, point] of points.entries()) {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance >= shortest) continue;
    shortest = distance;
    best = index;
  }
  return best;
}
