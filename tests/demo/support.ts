import { type DemoEvent, demoEvents } from '../../src/demo/workspace.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A Thursday evening. */
export const NOW = Date.parse('2026-03-12T19:30:00Z');

/** A time of each weekday, at different hours and seasons: the story must hold at any time. */
export const MOMENTS = [0, 1, 2, 3, 4, 5, 6].map((index) => NOW + index * (8 * DAY + 5 * HOUR));

const told = new Map<number, DemoEvent[]>();

export function eventsUntil(now: number): DemoEvent[] {
  const events = told.get(now) ?? [...demoEvents({ now })];
  told.set(now, events);
  return events;
}

/** Questions about a part of the story. */
export class Part {
  private readonly events: DemoEvent[];

  constructor(events: DemoEvent[]) {
    this.events = events;
  }

  where(keep: (event: DemoEvent) => boolean): Part {
    return new Part(this.events.filter(keep));
  }

  between(from: number, to: number): Part {
    return this.where(({ timestamp }) => Date.parse(timestamp) >= from && Date.parse(timestamp) < to);
  }

  having(key: string, ...values: unknown[]): Part {
    return this.where(({ properties }) => values.includes(properties[key]));
  }

  count(eventName: string): number {
    return this.events.filter((event) => event.eventName === eventName).length;
  }

  resolutionRate(): number {
    return this.count('conversation_resolved') / this.count('conversation_started');
  }

  numbers(eventName: string, key: string): number[] {
    return this.events
      .filter((event) => event.eventName === eventName)
      .map(({ properties }) => Number(properties[key]))
      .sort((one, other) => one - other);
  }

  mean(eventName: string, key: string): number {
    const numbers = this.numbers(eventName, key);
    return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  }

  p95(eventName: string, key: string): number {
    const numbers = this.numbers(eventName, key);
    return numbers[Math.floor(numbers.length * 0.95)] ?? Number.NaN;
  }
}

export function midnightOf(now: number): number {
  return Math.floor(now / DAY) * DAY;
}

/** The outage by the story's numbers. */
export function outageOf(now: number): { from: number; to: number } {
  return { from: midnightOf(now) - 4 * DAY + 9 * HOUR, to: midnightOf(now) - 2 * DAY + 18 * HOUR };
}
