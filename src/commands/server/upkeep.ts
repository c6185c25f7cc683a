import { performance } from 'node:perf_hooks';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PeriodicTask } from '../../core/base/concurrency/timers.ts';
import { FatalError } from '../../core/base/shared/errors.ts';
import type { Log } from '../../logging/log.ts';
import { failRequest } from '../../logging/request-context.ts';

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

/** A regular collection would keep the young generation as large as it is. */
export function returnMemory(): void {
  setFlagsFromString('--expose-gc');
  const gc: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}

/**
 * The last resort for exceptions in timers, stream handlers and thread messages, each of which is a
 * defect. The exception ends the request in which it occurred, whose client gets an error; the
 * server goes on for all other requests.
 */
export function surviveExceptions(log: Log): void {
  process.on('uncaughtException', (error: unknown) => {
    if (error instanceof FatalError) {
      process.stderr.write(`${inspect(error)}\n`);
      process.exit(1);
    }
    log.error({ err: error }, 'an exception that nothing caught');
    failRequest(error);
  });
}
