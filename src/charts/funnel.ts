import type { StepsData } from './answer.ts';
import {
  LABEL_SIZE,
  labelMark,
  messageSketch,
  NO_EVENTS,
  restOf,
  rowsIn,
  type Sheet,
  type Sketch,
  widestLabel,
} from './drawing.ts';
import { type Mark, rectMark } from './marks.ts';
import { NOTHING } from './numbers.ts';
import { isolated, plain } from './text.ts';

const GAP = 12;
const LEAST_ROW = 20;
const MOST_ROW = 64;
/**
 * The shares of the width that names, and each column of numbers, may take. A cut number would
 * mislead.
 */
const NAMES = 0.3;
const NUMBERS = 0.25;
/** Pixels. Rows of this height have room above the bar for the share of the step before. */
const ROOMY_ROW = 42;

/**
 * A row for each step: its name, its bar, its count, and the share of the first step that reached
 * it.
 */
export function drawFunnel({ steps }: StepsData, sheet: Sheet): Sketch {
  const { width, height, palette, numbers } = sheet;
  const most = Math.max(0, ...steps.map(({ count }) => count));
  if (most === 0) return messageSketch(numbers.say(NO_EVENTS), sheet);
  const { shown, pitch } = rowsIn(height, steps.length, LEAST_ROW, MOST_ROW);
  const rows = steps.slice(0, shown).map(({ label, eventName, count, conversion }, index) => ({
    name: `${index + 1}. ${plain(label) || plain(eventName)}`,
    count,
    text: numbers.full(count),
    share: conversion === null ? NOTHING : numbers.percent(conversion),
    kept: keptShare(steps, index, sheet),
  }));
  const names = Math.min(width * NAMES, widestLabel(rows.map(({ name }) => name)));
  const counts = Math.min(width * NUMBERS, widestLabel(rows.map(({ text }) => text)));
  const shares = Math.min(width * NUMBERS, widestLabel(rows.map(({ share }) => share)));
  const left = names + GAP;
  const right = Math.max(left + 1, width - counts - shares - GAP * 2);
  const isRoomy = pitch >= ROOMY_ROW;
  const between = isRoomy ? 18 : Math.min(6, pitch * 0.25);
  const thick = pitch - between;
  const top = Math.max(0, (height - shown * pitch + (isRoomy ? between : 0) - (shown < steps.length ? 20 : 0)) / 2);
  const endOf = (count: number) => left + ((right - left) * count) / most;
  const marks = rows.flatMap(({ name, count, text, share, kept }, row): Mark[] => {
    const y = top + row * pitch;
    const middle = y + thick / 2 + LABEL_SIZE * 0.35;
    const tail = isRoomy && row > 0 && kept !== null && right - left > 60;
    return [
      ...(tail ? [labelMark(left, y - 5, `▼ ${kept}`, right - left, palette.muted)] : []),
      labelMark(0, middle, name, names, palette.text),
      rectMark(left, y, right - left, thick, { rx: 3, fill: palette.grid }),
      ...(count > 0
        ? [rectMark(left, y, Math.max(1, endOf(count) - left), thick, { rx: 3, fill: palette.series[0]! })]
        : []),
      labelMark(right + GAP + counts, middle, text, counts, palette.text, 'end'),
      labelMark(width, middle, share, shares, palette.muted, 'end'),
    ];
  });
  const rest = steps.length - shown;
  if (rest > 0)
    marks.push(labelMark(0, top + shown * pitch + LABEL_SIZE + 2, restOf(rest, sheet.numbers), width, palette.muted));
  const points = () =>
    steps.map(({ label, eventName, count, conversion }, index) => {
      const share =
        conversion === null ? '' : numbers.say(', {share} of the first step', { share: numbers.percent(conversion) });
      const kept = keptShare(steps, index, sheet);
      const before = index > 1 && kept !== null ? numbers.say(', {share} of the step before', { share: kept }) : '';
      const name = isolated(plain(label) || plain(eventName));
      const y = top + Math.min(index, shown) * pitch + thick / 2;
      return { x: endOf(count), y: Math.min(height, y), label: `${name}: ${numbers.full(count)}${share}${before}` };
    });
  return { marks, points };
}

/**
 * The share of the step before that reached this one; null if there is no step before or its count
 * is 0.
 */
export function keptShare(
  steps: StepsData['steps'],
  index: number,
  { numbers }: Pick<Sheet, 'numbers'>,
): string | null {
  const before = steps[index - 1]?.count ?? 0;
  return before > 0 ? numbers.percent(steps[index]!.count / before) : null;
}
