import { parentPort, workerData } from 'node:worker_threads';
import type { StoreNotice } from '../../../core/analytics/events/store.ts';
import { answerCalls } from '../../../threads/call-thread.ts';
import { DuckdbEventStore, type EventStoreOptions } from './store.ts';
import type { ThreadMethods } from './thread.ts';

await answerCalls<ThreadMethods, StoreNotice>(parentPort!, ({ fault, notice }) =>
  DuckdbEventStore.open(workerData as EventStoreOptions, { onFault: fault, onNotice: notice }),
);
