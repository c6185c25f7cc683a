import { formatNumber, formatRate, formatValue } from '../dashboards/format.ts';
import type { RenderedCard } from '../dashboards/render.ts';
import { decimal } from '../events/decimals.ts';

export interface CardSummary {
  id: string;
  title: string;
  /** What the card shows, in one line. */
  text: string;
  /** The number that digests are compared by; null: the card has none. */
  value: number | null;
  /** The handle of the events behind it. */
  cases?: string;
  /** Against the digest before; null: nothing to compare. */
  change: string | null;
}

/** `before` is the value in the digest before; `at`: epoch milliseconds, before the card was rendered. */
export function summaryOf(
  { card, data, basis }: RenderedCard,
  { at, before }: { at: number; before: number | undefined },
): CardSummary {
  const { id, title } = card;
  const { text, value } = shown({ card, data }, basis.to === null || Date.parse(basis.to) >= at);
  const { cases } = basis;
  return { id, title, text, value, change: changeText(value, before), ...(cases !== undefined && { cases }) };
}

interface Shown {
  text: string;
  value: number | null;
}

/** `isRunning`: the last bucket of a series is not over. */
function shown({ card, data }: Pick<RenderedCard, 'card' | 'data'>, isRunning: boolean): Shown {
  if ('value' in data) return { text: data.formatted, value: data.value };
  if ('rows' in data) return { text: `${formatNumber(data.total)} rows`, value: data.total };
  if ('steps' in data) {
    const { conversion = null, label = card.title } = data.steps.at(-1) ?? {};
    return { text: `${formatRate(conversion)} reach ${label}`, value: conversion };
  }
  const shownValue = (value: number | null) => formatValue(value, data.format);
  if ('groups' in data) return { text: largestText(data.groups, shownValue) || 'no data', value: null };
  const bucket = lastComplete(data.series, isRunning);
  if (bucket === undefined) return { text: 'no data', value: null };
  const points = data.series.filter((point) => point.bucket === bucket);
  const [first] = points;
  const isSingle = first!.group === undefined;
  const text = isSingle ? shownValue(first!.value) : largestText(points, shownValue);
  return { text: `${text} in the bucket from ${startText(bucket)}`, value: isSingle ? first!.value : null };
}

/** Undefined: no bucket is over. */
function lastComplete(series: readonly { bucket: string }[], isRunning: boolean): string | undefined {
  const buckets = [...new Set(series.map(({ bucket }) => bucket))];
  return buckets.at(isRunning ? -2 : -1);
}

/** The date, with the time of day for buckets that do not begin at midnight. */
function startText(bucket: string): string {
  const [date, time] = [bucket.slice(0, 10), bucket.slice(11, 16)];
  return time === '00:00' || time === '' ? date : `${date} ${time}`;
}

interface Named {
  group?: unknown;
  value: number | null;
}

function largestText(groups: readonly Named[], shownValue: (value: number | null) => string): string {
  const largest = groups.toSorted((one, other) => (other.value ?? 0) - (one.value ?? 0)).slice(0, 3);
  return largest.map(({ group, value }) => `${String(group)} ${shownValue(value)}`).join(', ');
}

function changeText(value: number | null, before: number | undefined): string | null {
  if (value === null || before === undefined) return null;
  if (value === before) return 'unchanged since the last digest';
  const isMore = value > before;
  if (before === 0) return `${isMore ? 'up' : 'down'} from 0 since the last digest`;
  const ratio = formatRate(decimal(Math.abs((value - before) / before)));
  return `${isMore ? 'up' : 'down'} ${ratio} since the last digest`;
}
