import type { SeriesData } from './answer.ts';
import { type Buckets, bucketsOf, type Dates } from './dates.ts';
import type { Palette } from './palette.ts';
import { isolated, nameOf } from './text.ts';

export interface Line {
  /** Null without groups. */
  name: string | null;
  /** One for each bucket. */
  values: (number | null)[];
}

export interface Series extends Buckets {
  lines: Line[];
}

/** Values by group and bucket. */
export function seriesOf({ series }: SeriesData): Series {
  const indexes = new Map<string, number>();
  for (const { bucket } of series) if (!indexes.has(bucket)) indexes.set(bucket, indexes.size);
  // Distinct groups may look the same: the number 1 and the text "1".
  const lines = new Map<unknown, Line>();
  for (const { bucket, group, value } of series) {
    const key = typeof group === 'object' ? JSON.stringify(group) : group;
    let line = lines.get(key);
    if (line === undefined) {
      line = { name: group === undefined ? null : nameOf(group), values: Array<null>(indexes.size).fill(null) };
      lines.set(key, line);
    }
    line.values[indexes.get(bucket)!] = value;
  }
  return { lines: [...lines.values()], ...bucketsOf([...indexes.keys()]) };
}

export interface Paint {
  color: string;
  /** Whether another has the same colour. */
  isRepeated: boolean;
}

/** The rest beyond the largest groups is no group of its own. */
export function paintOf(index: number, name: string | null, palette: Palette): Paint {
  if (name !== null && REST.test(name)) return { color: palette.muted, isRepeated: false };
  const { series } = palette;
  return { color: series[index % series.length]!, isRepeated: index >= series.length };
}

const REST = /^other( \(all remaining groups\))?$/;

/** "Mar 5, 2026, de: " */
export function pointNames({ times, unit }: Series, dates: Dates): (index: number, line: Line) => string {
  const names = times.map((time) => dates.full(time, unit));
  return (index, { name }) => (name === null ? `${names[index]}: ` : `${names[index]}, ${isolated(name)}: `);
}
