import { formatNumber, formatRate, formatValue } from '../dashboards/format.ts';
import type { CardData, RenderedCard } from '../dashboards/render.ts';
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

/** `before` is the value in the digest before. */
export function summaryOf({ card, data, basis }: RenderedCard, before: number | undefined): CardSummary {
  const { id, title } = card;
  const { text, value } = shown({ card, data });
  const { cases } = basis;
  return { id, title, text, value, change: changeText(value, before), ...(cases !== undefined && { cases }) };
}

function shown({ card, data }: Pick<RenderedCard, 'card' | 'data'>): { text: string; value: number | null } {
  if ('value' in data) return { text: data.formatted, value: data.value };
  if ('rows' in data) return { text: `${formatNumber(data.total)} rows`, value: data.total };
  return { text: chartText(data, card.title), value: null };
}

function chartText(data: Exclude<CardData, { value: unknown } | { rows: unknown }>, title: string): string {
  if ('steps' in data) {
    const last = data.steps.at(-1);
    return `${formatRate(last?.conversion ?? null)} reach ${last?.label ?? title}`;
  }
  const shownValue = (value: number | null) => formatValue(value, data.format);
  if ('series' in data) {
    const last = data.series.at(-1);
    return last ? `${shownValue(last.value)} in the last of its buckets (${last.bucket.slice(0, 10)})` : 'no data';
  }
  const largest = data.groups.slice(0, 3).map(({ group, value }) => `${String(group)} ${shownValue(value)}`);
  return largest.join(', ') || 'no data';
}

function changeText(value: number | null, before: number | undefined): string | null {
  if (value === null || before === undefined) return null;
  if (value === before) return 'unchanged since the last digest';
  const isMore = value > before;
  if (before === 0) return `${isMore ? 'up' : 'down'} from 0 since the last digest`;
  const ratio = formatRate(decimal(Math.abs((value - before) / before)));
  return `${isMore ? 'up' : 'down'} ${ratio} since the last digest`;
}
