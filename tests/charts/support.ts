import assert from 'node:assert/strict';
import { SaxesParser } from 'saxes';
import type { Attributes, Mark } from '../../src/charts/marks.ts';
import { widthOf } from '../../src/charts/text.ts';

export interface Box {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Place {
  dx: number;
  dy: number;
  inherited: Attributes;
}

export function placesOf(marks: readonly Mark[]): { texts: Box[]; points: { x: number; y: number }[] } {
  const texts: Box[] = [];
  const points: { x: number; y: number }[] = [];
  const visit = ([tag, attributes, ...children]: Mark, { dx, dy, inherited }: Place): void => {
    const all = { ...inherited, ...attributes };
    const number = (name: string) => Number(all[name] ?? 0);
    const [, moveX = '0', moveY = '0'] = /^translate\((\S+),(\S+)\)$/.exec(String(attributes.transform ?? '')) ?? [];
    const place = { dx: dx + Number(moveX), dy: dy + Number(moveY), inherited: all };
    const [x, y] = [number('x') + dx, number('y') + dy];
    if (tag === 'text') {
      if (children[0] !== '') texts.push(textBox(String(children[0]), x, y, all));
    } else if (tag === 'rect') points.push({ x, y }, { x: x + number('width'), y: y + number('height') });
    else if (tag === 'path') points.push(...pathPoints(String(attributes.d), dx, dy));
    else if (tag === 'g') for (const child of children) visit(child as Mark, place);
    else assert.fail(`<${tag}> is not measured`);
  };
  for (const mark of marks) visit(mark, { dx: 0, dy: 0, inherited: {} });
  return { texts, points };
}

function textBox(text: string, x: number, y: number, attributes: Attributes): Box {
  const size = Number(attributes['font-size']);
  const width = widthOf(text, size, Number(attributes['font-weight'] ?? 400));
  const anchor = attributes['text-anchor'];
  const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x;
  return { text, left, right: left + width, top: y - size * 0.72, bottom: y + size * 0.15 };
}

/** The end points of a path's segments; its commands must be absolute. */
function pathPoints(d: string, dx: number, dy: number): { x: number; y: number }[] {
  const points: { x: number; y: number }[] = [];
  let [x, y] = [0, 0];
  for (const [, command, rest] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const values = (rest!.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? []).map(Number);
    if (command === 'M' || command === 'L') {
      for (let index = 0; index < values.length; index += 2) {
        [x, y] = [values[index]!, values[index + 1]!];
        points.push({ x: x + dx, y: y + dy });
      }
      continue;
    }
    if (command === 'H') x = values[0]!;
    else if (command === 'V') y = values[0]!;
    else if (command === 'A') [x, y] = values.slice(-2) as [number, number];
    else if (command !== 'Z' && command !== 'z') assert.fail(`path command ${command}`);
    points.push({ x: x + dx, y: y + dy });
  }
  return points;
}

export function overlaps(texts: readonly Box[]): string[] {
  const TOUCH = 0.5;
  return texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter(
        (other) =>
          one.left < other.right - TOUCH &&
          other.left < one.right - TOUCH &&
          one.top < other.bottom - TOUCH &&
          other.top < one.bottom - TOUCH,
      )
      .map((other) => `${JSON.stringify(one.text)} and ${JSON.stringify(other.text)}`),
  );
}

/** Throws unless the text is well-formed XML. */
export function parseXml(text: string): void {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
}
