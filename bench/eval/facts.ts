import { type DemoExecution, demoExecutions } from '../../src/demo/executions.ts';
import { type DemoEvent, demoEvents } from '../../src/demo/workspace.ts';

const DAY = 86_400_000;

/** Epoch milliseconds; `to` is not included. */
export interface Range {
  from: number;
  to: number;
}

type Where = Record<string, unknown>;

/** How much of the demo there is: days of events, and one of so many of its executions. */
export interface DemoSize {
  now: number;
  days?: number | undefined;
  oneExecutionOf?: number;
}

/**
 * What is true of the demo, by plain loops over what it was made of: nothing here asks the server
 * or uses its arithmetic.
 */
export class Facts {
  readonly size: DemoSize;
  readonly events: DemoEvent[];
  readonly executions: DemoExecution[];
  private readonly byName: Map<string, { event: DemoEvent; at: number }[]>;
  private readonly midnight: number;

  constructor(size: DemoSize) {
    const { now, days, oneExecutionOf = 1 } = size;
    this.size = size;
    this.events = [...demoEvents({ now, days })];
    const executions = demoExecutions(this.events, now);
    this.executions = executions.filter((one, index) => one.failedTool || index % oneExecutionOf === 0);
    const timed = this.events.map((event) => ({ event, at: Date.parse(event.timestamp) }));
    this.byName = Map.groupBy(timed, ({ event }) => event.eventName);
    this.midnight = Math.floor(now / DAY) * DAY;
  }

  /** Whole days of UTC before today; `before`: the same number of days, so many days earlier. */
  days(count: number, before = 0): Range {
    const to = this.midnight - before * DAY;
    return { from: to - count * DAY, to };
  }

  select(eventName: string, { from, to }: Range, where: Where = {}): DemoEvent[] {
    const inRange = (this.byName.get(eventName) ?? []).filter(({ at }) => at >= from && at < to);
    return inRange
      .map(({ event }) => event)
      .filter(({ properties }) => Object.entries(where).every(([key, value]) => properties[key] === value));
  }

  count(eventName: string, range: Range, where?: Where): number {
    return this.select(eventName, range, where).length;
  }

  values(eventName: string, key: string, range: Range, where?: Where): number[] {
    return this.select(eventName, range, where).map(({ properties }) => Number(properties[key]));
  }

  /** In percent; of the events of `of`, those of `eventName`. */
  share(eventName: string, of: string, range: Range, where?: Where): number {
    return (100 * this.count(eventName, range, where)) / this.count(of, range, where);
  }

  /** All values of the property, the one with the largest score first. */
  ranked(eventName: string, key: string, range: Range, score: (value: string) => number): string[] {
    const values = new Set(this.select(eventName, range).map(({ properties }) => String(properties[key])));
    return [...values].sort((one, other) => score(other) - score(one));
  }

  /** Threads in which the events follow one another in this order, beginning in the range. */
  inOrder(range: Range, [first, ...later]: [string, ...string[]]): number {
    const threads = Map.groupBy(this.events, ({ threadId }) => threadId);
    return this.select(first, range).filter((start) => {
      let at = start.timestamp;
      return later.every((name) => {
        const next = threads.get(start.threadId)?.find((event) => event.eventName === name && event.timestamp >= at);
        at = next?.timestamp ?? at;
        return next !== undefined;
      });
    }).length;
  }
}

export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function mean(values: number[]): number {
  return sum(values) / values.length;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return mean([sorted[Math.ceil(middle) - 1]!, sorted[Math.floor(middle)]!]);
}
