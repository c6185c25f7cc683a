import type { Expected } from './cards.ts';
import { differenceOf, quotient } from './decimals.ts';
import { difference } from './differential.ts';

// biome-ignore lint/suspicious/noExplicitAny: read from JSON
type Rendered = { card: object; data: any; basis: object; note?: string };

/** The first difference between the data of a card and the expected data, or null. */
export function cardDifference(actual: Rendered, expected: Expected): string | null {
  return difference(actual.basis, expected.basis, '/basis') ?? dataDifference(actual, expected);
}

function dataDifference({ data, note = '' }: Rendered, expected: Expected): string | null {
  if (expected.alternatives) {
    const found = expected.alternatives.map((series) => listDifference(data.series, series, note, '/data/series'));
    return found.includes(null) ? null : (found[0] ?? '/data/series: no unit has few enough buckets');
  }
  if ('rows' in expected.data) return tableDifference(data, expected.data, note);
  if ('series' in expected.data) return listDifference(data.series, expected.data.series, note, '/data/series');
  if ('groups' in expected.data) return listDifference(data.groups, expected.data.groups, note, '/data/groups');
  const { previous, ...value } = data;
  const { previous: before, ...rest } = expected.data;
  return difference(value, rest, '/data') ?? previousDifference(previous, before, value.value);
}

/** All rows, or as many of the first as fit, with a note that has the right counts. */
function listDifference(actual: unknown[], expected: unknown, note: string, path: string): string | null {
  const all = expected as unknown[];
  const [, kept, total] = /Only the first (\d+) of (\d+) (?:points|groups) fit/.exec(note) ?? [];
  if (kept === undefined) return difference(actual, all, path);
  if (Number(kept) !== actual.length || Number(total) !== all.length) return `${path}: "${note}" counts wrongly`;
  return difference(actual, all.slice(0, actual.length), path);
}

/** Without named columns a row omits null, and the table omits columns without values. */
function tableDifference(actual: Rendered['data'], expected: Rendered['data'], note: string): string | null {
  const { rows, columns, total, nextOffset } = actual;
  if (total !== expected.total) return `/data/total: ${total} instead of ${expected.total}`;
  if (rows.length < expected.rows.length && !/fit in 40 KB/.test(note)) return `/data/rows: ${rows.length} of ${total}`;
  if (rows.length > 0 && rows.length < expected.rows.length && nextOffset === undefined)
    return '/data/nextOffset: none';
  const sparse = (row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  const shown = expected.rows.slice(0, rows.length);
  const keys = new Set(columns.map(({ key }: { key: string }) => key));
  const lost = rows.flatMap((row: object) => Object.keys(row)).find((key: string) => !keys.has(key));
  if (lost !== undefined) return `/data/columns: none for ${lost}`;
  return (
    difference(rows.map(sparse), shown.map(sparse), '/data/rows') ??
    difference(
      columns,
      expected.columns.filter(({ key }: { key: string }) => keys.has(key)),
      '/data/columns',
    )
  );
}

function previousDifference(
  actual: Rendered['data'],
  expected: { value: number | null; from: string; to: string } | undefined,
  value: number | null,
): string | null {
  if (actual === undefined || expected === undefined)
    return actual === expected ? null : '/data/previous: there or not';
  const period = { from: expected.from, to: expected.to };
  const before = actual.value;
  const change = value === null || before === null ? null : differenceOf(value, before);
  const changeRatio = change === null || before === 0 ? null : quotient(change, Math.abs(before));
  return (
    difference(before, expected.value, '/data/previous/value') ??
    difference({ ...actual, value: null }, { ...period, value: null, change, changeRatio }, '/data/previous')
  );
}
