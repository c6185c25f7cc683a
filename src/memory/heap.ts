import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PeriodicTask } from '../core/base/concurrency/timers.ts';

const INTERVAL_MS = 1_000;
/** The share of a second in which the event loop worked. */
const IDLE = 0.05;

/**
 * Returns memory of the start to the system, once, after a second without work: V8 keeps what
 * loading the program needed. It stops the process for some 50 ms.
 */
export function returnMemoryWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  const run = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > IDLE) return;
    void looking.close();
    returnMemory();
  };
  const looking = new PeriodicTask({ everyMs: INTERVAL_MS, run });
}

/**
 * Both halves. With four times as much requests are not faster, and the process takes 100 MB more.
 */
const YOUNG_BYTES = 16_000_000;
const YOUNG_CHECK_MS = 100;
/** Below this share of memory, time is given for it. */
const LITTLE = 0.5;

/**
 * Keeps the young generation of the main thread small: V8 reads its largest size at the start of
 * the process, but the factor of its growth each time. Threads begin with what they may have.
 */
export function boundHeaps(memoryShare: number): void {
  setFlagsFromString(`--min-semi-space-size=${Math.ceil((memoryShare * YOUNG_BYTES) / 2_000_000)}`);
  // Collections begin earlier, also in threads.
  if (memoryShare < LITTLE) setFlagsFromString('--optimize-for-size');
  let mayGrow = true;
  const run = () => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const isSmall = (young?.space_size ?? 0) < YOUNG_BYTES;
    if (isSmall === mayGrow) return;
    mayGrow = isSmall;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  };
  new PeriodicTask({ everyMs: YOUNG_CHECK_MS, run });
}

/** A regular collection would keep the young generation as large as it is. */
export function returnMemory(): void {
  setFlagsFromString('--expose-gc');
  const gc: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
