import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timers } from '../../src/core/base/concurrency/timers.ts';

/** More turns of the event loop than the store needs between two steps, beside syncs of its file. */
const TURNS = 20;

export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await nextTurn();
    if (process.getActiveResourcesInfo().includes('FSReqCallback')) turn = 0;
  }
}

/** A clock that stands still until the test moves it. */
export class FakeClock implements Timers {
  time = Date.UTC(2026, 10, 24);
  private tasks: { at: number; task: () => void }[] = [];

  now = (): number => this.time;

  after(ms: number, task: () => void): () => void {
    const one = { at: this.time + ms, task };
    this.tasks.push(one);
    return () => {
      this.tasks = this.tasks.filter((other) => other !== one);
    };
  }

  /** Milliseconds until each timer that is set. */
  get set(): number[] {
    return this.tasks.map(({ at }) => at - this.time).sort((one, other) => one - other);
  }

  /** Sets the clock; timers run on, as those of the system do. */
  jump(time: number): void {
    const ms = time - this.time;
    this.time = time;
    for (const one of this.tasks) one.at += ms;
  }

  /** Runs what falls due on the way, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settled();
      const [next] = this.tasks.toSorted((one, other) => one.at - other.at);
      if (!next || next.at > end) break;
      this.tasks = this.tasks.filter((other) => other !== next);
      this.time = Math.max(this.time, next.at);
      next.task();
    }
    this.time = end;
    await settled();
  }
}
