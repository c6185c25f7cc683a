import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls } from '../threads/call-thread.ts';
import { DuckdbEventStore, type EventStoreOptions } from './store.ts';

/** Entry of the event thread: opens the store and answers calls. */
await answerCalls(
  parentPort!,
  ({ fault, notice }) => DuckdbEventStore.open(workerData as EventStoreOptions, { onFault: fault, onNotice: notice }),
  (method) => method === 'query',
);
