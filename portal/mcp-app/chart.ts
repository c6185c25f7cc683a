import type { RenderedCard } from '../../src/charts/answer.ts';
import { drawCard, type Point, summaryOf } from '../../src/charts/card.ts';
import type { Mark } from '../../src/charts/marks.ts';
import { CUSTOM_PROPERTIES } from '../../src/charts/palette.ts';
import { nearest, reachedByKey } from '../src/card/drawing.ts';

const SVG = 'http://www.w3.org/2000/svg';
const VALUE_HEIGHT = 120;
/** As a fraction of the width. */
const HEIGHT = 0.5;
const LEAST_HEIGHT = 200;
const MOST_HEIGHT = 340;
/** Pixels between a value and its tooltip. */
const DISTANCE = 10;

/** The chart of a card in an element. The pointer and the arrow keys reach its values. */
export class Chart {
  private readonly box: HTMLElement;
  private readonly picture = document.createElementNS(SVG, 'svg');
  private readonly tooltip = document.createElement('div');
  private readonly ring: SVGElement = elementOf(['circle', { class: 'reached' }]);
  private points: readonly Point[] = [];
  private reached: number | null = null;

  constructor(box: HTMLElement) {
    this.box = box;
    this.tooltip.className = 'tooltip';
    this.tooltip.setAttribute('role', 'status');
    this.picture.setAttribute('role', 'img');
    box.append(this.picture, this.tooltip);
    for (const type of ['pointermove', 'pointerdown'] as const) {
      this.picture.addEventListener(type, ({ clientX, clientY }) => {
        const { left, top } = this.picture.getBoundingClientRect();
        this.reach(nearest(this.points, clientX - left, clientY - top));
      });
    }
    for (const type of ['pointerleave', 'blur']) this.picture.addEventListener(type, () => this.reach(null));
    this.picture.addEventListener('keydown', (event) => {
      const next = reachedByKey(event.key, this.reached, this.points.length);
      if (next === undefined) return;
      if (next !== null) event.preventDefault();
      this.reach(next);
    });
  }

  /** Draws the card at the current width of the element. */
  draw(rendered: RenderedCard, locale: string): void {
    const width = Math.floor(this.box.clientWidth);
    const isValue = ['number', 'rate'].includes(rendered.card.cardType);
    const height = isValue ? VALUE_HEIGHT : Math.round(Math.max(LEAST_HEIGHT, Math.min(MOST_HEIGHT, width * HEIGHT)));
    const { marks, points } = drawCard(rendered, { width, height, palette: CUSTOM_PROPERTIES, locale });
    this.points = points;
    setAttributes(this.picture, { width, height, 'aria-label': summaryOf(rendered, locale) });
    if (points.length > 0) this.picture.setAttribute('tabindex', '0');
    else this.picture.removeAttribute('tabindex');
    this.picture.replaceChildren(...marks.map(elementOf));
    this.reach(null);
  }

  private reach(index: number | null): void {
    this.reached = index;
    const point = index === null ? undefined : this.points[index];
    this.tooltip.textContent = point?.label ?? '';
    if (!point) {
      this.ring.remove();
      return;
    }
    const { x, y, radius } = point;
    setAttributes(this.ring, { cx: x, cy: y, r: radius ?? 5, 'fill-opacity': radius === undefined ? 1 : 0 });
    this.picture.append(this.ring);
    const { offsetWidth, offsetHeight } = this.tooltip;
    const left = Math.max(0, Math.min(this.box.clientWidth - offsetWidth, point.x - offsetWidth / 2));
    const above = point.y - offsetHeight - DISTANCE;
    this.tooltip.style.translate = `${left}px ${above >= 0 ? above : point.y + DISTANCE}px`;
  }
}

function elementOf([tag, attributes, ...children]: Mark): SVGElement {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  element.append(...children.map((child) => (typeof child === 'string' ? child : elementOf(child))));
  return element;
}

function setAttributes(element: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}
