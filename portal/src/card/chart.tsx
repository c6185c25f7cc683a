import {
  createElement,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { RenderedCard } from '../../../src/charts/answer.ts';
import { drawCard, summaryOf } from '../../../src/charts/card.ts';
import type { Mark } from '../../../src/charts/marks.ts';
import { CUSTOM_PROPERTIES } from '../../../src/charts/palette.ts';
import { LOCALE } from '../language/index.ts';
import { nearest, reachedByKey, setChartColours } from './drawing.ts';

setChartColours();

/** The picture of a card. The pointer, or the arrow keys while it has the focus, show its values. */
export function Chart({ rendered }: { rendered: RenderedCard }) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const listsAnnotations = usePrinting();
  const [reached, setReached] = useState<number | null>(null);
  const drawing = useMemo(() => {
    if (!size || size.width < 40 || size.height < 40) return null;
    return drawCard(rendered, { ...size, palette: CUSTOM_PROPERTIES, locale: LOCALE, listsAnnotations });
  }, [rendered, size, listsAnnotations]);
  const points = drawing?.points ?? [];
  const point = reached === null ? undefined : points[reached];

  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    setReached(nearest(points, event.clientX - left, event.clientY - top));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = reachedByKey(event.key, reached, points.length);
    if (next === undefined) return;
    if (next !== null) event.preventDefault();
    setReached(next);
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
          {point && (
            <circle
              className="chart-reached"
              cx={point.x}
              cy={point.y}
              r={point.radius ?? 5}
              // The marker of an annotation stays legible.
              fillOpacity={point.radius === undefined ? 1 : 0}
            />
          )}
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

const PROPERTIES = new Map<string, string>();

/** React's name of an SVG attribute: `strokeWidth` for `stroke-width`. */
function propertyOf(attribute: string): string {
  const known = PROPERTIES.get(attribute);
  if (known !== undefined) return known;
  const property = attribute.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  PROPERTIES.set(attribute, property);
  return property;
}

/** React elements of a chart's marks. */
export function elementOf([tag, attributes, ...children]: Mark, key: number): ReactElement {
  const properties = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [propertyOf(name), value]));
  const within = children.map((child, index) => (typeof child === 'string' ? child : elementOf(child, index)));
  return createElement(tag, { ...properties, key }, ...within);
}

const printing = window.matchMedia('print');

function subscribe(onChange: () => void): () => void {
  printing.addEventListener('change', onChange);
  return () => printing.removeEventListener('change', onChange);
}

/** True while the page is laid out for paper, which no pointer reaches. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing.matches);
}

export interface Size {
  /** Whole pixels. */
  width: number;
  height: number;
}

/** The size of an element, as it changes. Null before the first layout. */
export function useSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width: Math.floor(width), height: Math.floor(height) });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
