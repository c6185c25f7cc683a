import { test } from 'node:test';
import type { EventStore } from '../../../../src/core/analytics/events/store.ts';
import { withMethods } from '../../../../src/core/base/shared/with-methods.ts';
import { openEventsOnDemand } from '../../../../src/storage/events/duckdb/on-demand.ts';
import { DuckdbEventStore } from '../../../../src/storage/events/duckdb/store.ts';
import { openEventThread } from '../../../../src/storage/events/duckdb/thread.ts';
import { testEventStore } from '../../../contracts/event-store.ts';
import { testEventStoreDecimals } from '../../../contracts/event-store-decimals.ts';
import { type FileBackend, testFileEventStore } from '../../../contracts/event-store-files.ts';
import { testEventStoreRemoval } from '../../../contracts/event-store-removal.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { storeOptions } from '../../../support/event-store.ts';
import { rareTest } from '../../../support/rare.ts';

const optionsOf = (directory: string, dedupWindowMs = 60_000) =>
  storeOptions(directory, { dedupWindowMs, resultCacheBytes: 1e6 });

const OBSERVER = {
  onFault: (error: Error) => {
    throw error;
  },
  onNotice: () => undefined,
};

const inProcess: FileBackend = {
  name: 'DuckdbEventStore',
  directory: temporaryDirectory,
  open: (directory, { dedupWindowMs } = {}) => DuckdbEventStore.open(optionsOf(directory, dedupWindowMs)),
};

const thread: FileBackend = {
  name: 'Event thread',
  directory: temporaryDirectory,
  open: (directory, { dedupWindowMs } = {}) => openEventThread(optionsOf(directory, dedupWindowMs), OBSERVER),
};

const stores: EventStore[] = [];

/** Closed after every use, whatever is left to do. */
const onDemand: FileBackend = {
  name: 'Events on demand',
  directory: (t) => {
    // Before the directory is removed: what is left in the spool is written to a new log.
    t.after(() => Promise.all(stores.splice(0).map((store) => store.close())));
    return temporaryDirectory(t);
  },
  open: async (directory, { dedupWindowMs } = {}) => {
    const store = await openEventsOnDemand(optionsOf(directory, dedupWindowMs), OBSERVER, {
      restMs: 1,
      openThread: async (...args) => withMethods(await openEventThread(...args), { isAtRest: async () => true }),
    });
    stores.push(store);
    return store;
  },
};

testEventStore(inProcess, test);
testEventStoreDecimals(inProcess, test);
testEventStoreRemoval(inProcess, test);
testFileEventStore(inProcess, test);
testEventStore(thread, rareTest);
testEventStoreDecimals(thread, rareTest);
testEventStoreRemoval(thread, rareTest);
testFileEventStore(thread, rareTest);
testEventStore(onDemand, rareTest);
testEventStoreDecimals(onDemand, rareTest);
testEventStoreRemoval(onDemand, rareTest);
testFileEventStore(onDemand, rareTest);
