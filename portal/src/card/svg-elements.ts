import { createElement, type ReactElement } from 'react';
import type { Mark } from '../../../src/charts/marks.ts';

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
