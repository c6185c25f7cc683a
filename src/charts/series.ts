import { type Annotated, byBucket } from './annotations.ts';
import type { CardBasis, SeriesData } from './answer.ts';
import { type BucketLabels, bucketsOf, type Dates } from './dates.ts';
import type { Palette } from './palette.ts';
import { groupNameOf, isolated } from './text.ts';

export interface ChartLine {
  /** Null without groups. */
  name: string | null;
  /** A value for each bucket. */
  values: (number | null)[];
}

export interface Series extends BucketLabels {
  lines: ChartLine[];
  annotated: Annotated[];
  limit: number | undefined;
}

/**
 * Values by group and bucket. Fastest in the usual order: group by group, each in the order of the
 * buckets.
 */
export function seriesOf({ series, annotations, limit }: SeriesData, { to }: Pick<CardBasis, 'to'>): Series {
  const labels: string[] = [];
  const indexes = new Map<string, number>();
  const lines = new Map<string | undefined, ChartLine>();
  let line: ChartLine | undefined;
  let lastGroup: unknown;
  let next = 0;
  for (const { bucket, group, value } of series) {
    let index = labels[next] === bucket ? next : indexes.get(bucket);
    if (index === undefined) {
      index = labels.push(bucket) - 1;
      indexes.set(bucket, index);
    }
    next = (index + 1) % labels.length;
    if (line === undefined || group !== lastGroup) line = lineOf(group, lines);
    lastGroup = group;
    line.values[index] = value;
  }
  for (const { values } of lines.values()) {
    for (let index = 0; index < labels.length; index++) values[index] ??= null;
  }
  return { lines: [...lines.values()], annotated: byBucket(annotations, labels), limit, ...bucketsOf(labels, to) };
}

/** Distinct groups may look the same: the number 1 and the text "1". */
function lineOf(group: unknown, lines: Map<string | undefined, ChartLine>): ChartLine {
  const key = JSON.stringify(group);
  const known = lines.get(key);
  if (known !== undefined) return known;
  const line = { name: group === undefined ? null : groupNameOf(group), values: [] };
  lines.set(key, line);
  return line;
}

export interface Paint {
  color: string;
  /** True if an earlier line has the same colour. */
  isRepeated: boolean;
}

/** The group of all remaining groups, "other", has the muted colour. */
export function paintOf(index: number, name: string | null, palette: Palette): Paint {
  if (name !== null && REST.test(name)) return { color: palette.muted, isRepeated: false };
  const { series } = palette;
  return { color: series[index % series.length]!, isRepeated: index >= series.length };
}

const REST = /^other( \(all remaining groups\))?$/;

/** "Mar 5, 2026, de: " */
export function pointNames({ times, unit }: Series, dates: Dates): (index: number, line: ChartLine) => string {
  const names = times.map((time) => dates.full(time, unit));
  return (index, { name }) => (name === null ? `${names[index]}: ` : `${names[index]}, ${isolated(name)}: `);
}
