import { PeriodicTask } from '../../core/base/concurrency/timers.ts';

const WIDTH = 40;
const REDRAW_MS = 100;

export interface ProgressBar {
  /** `shown`: stands beside the bar from now on. */
  update(done: number, shown?: string): void;
  /** Call it before a line is printed: the bar is drawn again below it. */
  clear(): void;
  finish(): void;
  /** Leaves the bar as it is. */
  stop(): void;
}

/** Draws on standard error; nothing without a terminal or a total. */
export function showProgress(total: number, shown = ''): ProgressBar {
  const output = process.stderr;
  if (total === 0 || !output.isTTY) {
    const nothing = () => undefined;
    return { update: nothing, clear: nothing, finish: nothing, stop: nothing };
  }
  const startedAt = performance.now();
  const state = { done: 0, shown };
  const draw = () => {
    const line = lineOf({ ...state, total, seconds: (performance.now() - startedAt) / 1_000 });
    // The cursor waits at the beginning, so that whatever is printed next replaces the bar.
    output.write(`\r\x1b[K${line.slice(0, output.columns || undefined)}\r`);
  };
  draw();
  const drawing = new PeriodicTask({ everyMs: REDRAW_MS, run: draw });
  const stop = () => {
    void drawing.close();
    draw();
    output.write('\n');
  };
  return {
    update: (done, shown = state.shown) => void Object.assign(state, { done, shown }),
    clear: () => void output.write('\r\x1b[K'),
    finish: () => {
      state.done = total;
      stop();
    },
    stop,
  };
}

export function lineOf(bar: { done: number; total: number; shown: string; seconds: number }): string {
  const share = Math.min(1, Math.max(0, bar.done / bar.total));
  const full = Math.round(share * WIDTH);
  const parts = [
    `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${Math.floor(share * 100)}%`,
    ...(bar.shown === '' ? [] : [bar.shown]),
    durationOf(Math.round(bar.seconds)),
  ];
  return parts.join(' | ');
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m${seconds % 60}s`;
  return `${Math.floor(seconds / 3_600)}h${Math.floor((seconds % 3_600) / 60)}m`;
}
