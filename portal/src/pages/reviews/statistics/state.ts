import type { RenderedCard } from '../../../../../src/charts/answer.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { labelOf, PRIORITIES, RATINGS, type Rating, STATUSES } from '../words.ts';

export type Stats = Schemas['ReviewStats'];

export function reviewsRated({ total, badReviews, needsImprovement }: Stats, rating: Rating): number {
  return { good: total - badReviews - needsImprovement, needs_improvement: needsImprovement, bad: badReviews }[rating];
}

/** The reviews by rating, status and priority. Of the priorities, the API counts the two that hurry. */
export function picturesOf(stats: Stats): RenderedCard[] {
  const { total, pending, inProgress, resolved, critical, highPriority } = stats;
  const counts = (title: string, cardType: 'pie' | 'bar', groups: Record<string, number>) =>
    pictureOf(title, cardType, groups, { aggregation: 'count', matchedEvents: total });
  return [
    counts(
      t('By rating'),
      'pie',
      Object.fromEntries(RATINGS.map(({ value, label }) => [label, reviewsRated(stats, value)])),
    ),
    counts(t('By status'), 'bar', {
      [labelOf(STATUSES, 'pending_review')]: pending,
      [labelOf(STATUSES, 'in_progress')]: inProgress,
      [labelOf(STATUSES, 'resolved')]: resolved,
      [labelOf(STATUSES, 'wont_fix')]: total - pending - inProgress - resolved,
    }),
    counts(t('By priority'), 'bar', {
      [labelOf(PRIORITIES, 'critical')]: critical,
      [labelOf(PRIORITIES, 'high')]: highPriority,
      [t('Medium or low|a priority')]: total - critical - highPriority,
    }),
  ];
}

/** A picture of shares, from 0 to 1; null for one that is not known. */
export function sharesPicture(title: string, shares: Record<string, number | null>, reviews: number): RenderedCard {
  return pictureOf(title, 'bar', shares, { aggregation: 'rate', matchedEvents: reviews });
}

function pictureOf(
  title: string,
  cardType: 'pie' | 'bar',
  values: Record<string, number | null>,
  basis: Pick<RenderedCard['basis'], 'aggregation' | 'matchedEvents'>,
): RenderedCard {
  const groups = Object.entries(values).map(([group, value]) => ({ group, value }));
  return { card: { title, cardType }, data: { groups }, basis: { from: null, to: null, timezone: 'UTC', ...basis } };
}

const MINUTES = 60;
const HOURS_OF_DAYS = 48;

/** "18 minutes", "5.3 hours", "3.1 days". */
export function durationInWords(hours: number): string {
  if (hours * MINUTES < 1) return t('Under a minute');
  if (hours < 1) return t.count(Math.round(hours * MINUTES), '{count} minute', '{count} minutes');
  return hours < HOURS_OF_DAYS
    ? t.count(inTenths(hours), '{count} hour', '{count} hours')
    : t.count(inTenths(hours / 24), '{count} day', '{count} days');
}

const inTenths = (value: number) => Math.round(value * 10) / 10;

/** Executions with the same rating, and how many of them the outcome followed. */
export interface Converted {
  reviews: number;
  converted: number;
}

/** Null without reviews. */
export function shareOf({ reviews, converted }: Converted): number | null {
  return reviews === 0 ? null : converted / reviews;
}

/** With fewer executions of a rating, the answer would be chance. */
const FEWEST = 10;

/** Answers whether badly rated executions convert less than good ones; says so where that cannot be known. */
export function verdictOf(good: Converted, bad: Converted): string {
  if (shareOf(good) === null || shareOf(bad) === null) {
    return t('This takes executions rated good and others rated bad: one of the two is missing.');
  }
  if (Math.min(good.reviews, bad.reviews) < FEWEST) {
    return t('Too few to say: it takes at least {count} executions rated good and {count} rated bad.', {
      count: FEWEST,
    });
  }
  const [low, high] = differenceInterval(good, bad);
  if (low > 0) {
    return t('Yes: their share is lower by between {least} and {most} percentage points (95 % interval).', {
      least: points(low),
      most: points(high),
    });
  }
  if (high < 0) {
    return t('No: their share is higher by between {least} and {most} percentage points (95 % interval).', {
      least: points(-high),
      most: points(-low),
    });
  }
  return t(
    'Nobody can say yet: the difference may be chance. It lies between {least} and {most} percentage points (95 % interval).',
    { least: points(-high), most: points(-low) },
  );
}

function points(share: number): string {
  return (share * 100).toLocaleString(LOCALE, { maximumFractionDigits: 1, signDisplay: 'negative' });
}

/** The normal quantile of a 95 % interval. */
const Z = 1.959964;

/** The 95 % interval of the first share minus the second: Newcombe's method 10, of two Wilson intervals. */
export function differenceInterval(one: Converted, other: Converted): [low: number, high: number] {
  const [p, q] = [one.converted / one.reviews, other.converted / other.reviews];
  const [[lowOfP, highOfP], [lowOfQ, highOfQ]] = [wilson(one), wilson(other)];
  return [p - q - Math.hypot(p - lowOfP, highOfQ - q), p - q + Math.hypot(highOfP - p, q - lowOfQ)];
}

function wilson({ converted, reviews: n }: Converted): [low: number, high: number] {
  const p = converted / n;
  const middle = p + Z ** 2 / (2 * n);
  const half = Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2));
  const scale = 1 + Z ** 2 / n;
  return [(middle - half) / scale, (middle + half) / scale];
}
