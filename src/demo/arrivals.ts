import { formatUtc } from '../core/base/time/time.ts';
import { evenPair, keyAt, Random } from './random.ts';
import {
  DAILY_NOISE,
  GROWTH_DAYS,
  HOURS,
  OUTAGE,
  OUTAGE_EFFECTS,
  TOPICS,
  type Topic,
  UTC_OFFSET_HOURS,
  VOLUME,
  WEEKDAY_VOLUME,
} from './story.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface Arrival {
  threadId: string;
  startedAt: number;
  /** From the desk's local date to the UTC date of now. */
  daysBefore: number;
  topic: Topic;
  duringOutage: boolean;
  /** During the outage, with a topic that needs the payment provider. */
  struck: boolean;
  /** 0 is the best, nearly 1 the worst. Evenly spread: chance would distort the weekly rates. */
  luck: number;
  random: Random;
}

export interface Span {
  now: number;
  seed: number;
  days: number;
}

/** Ordered by day only. */
export function* arrivals({ now, seed, days }: Span): Generator<Arrival> {
  const today = utcMidnight(now);
  // The local time is behind UTC, so the day before the first one overlaps.
  for (let daysBefore = days + 1; daysBefore >= 0; daysBefore--) yield* arrivalsOfDay(today, daysBefore, seed);
}

export function utcMidnight(instant: number): number {
  return Math.floor(instant / DAY) * DAY;
}

const TOPIC_SHARES = topicShares(() => true);
const STRUCK_SHARES = topicShares((topic) => TOPICS[topic].needsProvider);

/** The outage causes the conversations from this number on. */
const FIRST_CAUSED = 501;

function* arrivalsOfDay(today: number, daysBefore: number, seed: number): Generator<Arrival> {
  const midnight = today - daysBefore * DAY;
  const day = `demo-${seed}-${formatUtc(midnight).slice(0, 10).replaceAll('-', '')}`;
  const arrive = (number: number, shares: Record<Topic, number>): Arrival => {
    const threadId = `${day}-${String(number).padStart(3, '0')}`;
    const random = new Random(threadId);
    const hour = random.position(HOURS) + random.next() - UTC_OFFSET_HOURS;
    const startedAt = Math.floor(midnight + hour * HOUR);
    const [topicAt, luck] = evenPair(`${day}-even`, number);
    const topic = keyAt(topicAt, shares);
    const duringOutage = isOutage(startedAt, today);
    return {
      threadId,
      startedAt,
      daysBefore,
      topic,
      duringOutage,
      struck: duringOutage && TOPICS[topic].needsProvider,
      luck,
      random,
    };
  };

  const usual = volumeOf(day, midnight, daysBefore);
  for (let number = 1; number <= usual; number++) yield arrive(number, TOPIC_SHARES);
  const caused = Math.round(usual * (OUTAGE_EFFECTS.volume - 1) * (sum(STRUCK_SHARES) / sum(TOPIC_SHARES)));
  for (let number = FIRST_CAUSED; number < FIRST_CAUSED + caused; number++) {
    const arrival = arrive(number, STRUCK_SHARES);
    if (arrival.struck) yield arrival;
  }
}

function volumeOf(day: string, midnight: number, daysBefore: number): number {
  const rhythm = WEEKDAY_VOLUME[new Date(midnight).getUTCDay()]!;
  const growth = Math.exp(-daysBefore / GROWTH_DAYS);
  const noise = Math.exp(DAILY_NOISE * new Random(day).normal());
  return Math.round(VOLUME * rhythm * growth * noise);
}

function isOutage(instant: number, today: number): boolean {
  const at = ({ daysBefore, hour }: { daysBefore: number; hour: number }) => today - daysBefore * DAY + hour * HOUR;
  return instant >= at(OUTAGE.from) && instant < at(OUTAGE.to);
}

function topicShares(counts: (topic: Topic) => boolean): Record<Topic, number> {
  const topics = Object.keys(TOPICS) as Topic[];
  const shares = topics.map((topic) => [topic, counts(topic) ? TOPICS[topic].share : 0]);
  return Object.fromEntries(shares) as Record<Topic, number>;
}

function sum(shares: Record<Topic, number>): number {
  return Object.values(shares).reduce((total, share) => total + share, 0);
}
