import { parentPort, workerData } from 'node:worker_threads';
import { answerCalls } from '../call-thread.ts';
import { DuckdbEventStore, type EventStoreOptions } from './events.ts';

/** The event thread: the store itself, answering calls. */
await answerCalls(
  parentPort!,
  ({ fault, notice }) => DuckdbEventStore.open(workerData as EventStoreOptions, { onFault: fault, onNotice: notice }),
  (method) => method === 'query',
);
