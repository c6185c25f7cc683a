import { DelayedWork } from '../../base/concurrency/delayed-work.ts';
import type { ExecutionWords } from './store.ts';

/** Many executions are indexed together. */
const PAUSE_MS = 300;

/** Lets searches find the words of executions soon after these were recorded. */
export function executionIndexing(store: ExecutionWords, onError: (error: unknown) => void): DelayedWork {
  const run = async (closing: AbortSignal) => {
    while (!closing.aborted && (await store.indexSome()) > 0);
  };
  return new DelayedWork({ pauseMs: PAUSE_MS, run, onError });
}
