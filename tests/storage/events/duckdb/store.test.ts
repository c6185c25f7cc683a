import { test } from 'node:test';
import { openEventsAtFirstUse } from '../../../../src/storage/events/duckdb/first-use.ts';
import { DuckdbEventStore } from '../../../../src/storage/events/duckdb/store.ts';
import { openEventThread } from '../../../../src/storage/events/duckdb/thread.ts';
import { testEventStore } from '../../../contracts/event-store.ts';
import { testResultCache } from '../../../contracts/event-store-cache.ts';
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

/** Each reopening is one at the first use. */
const atFirstUse: FileBackend = {
  name: 'Events at first use',
  directory: temporaryDirectory,
  open: (directory, { dedupWindowMs } = {}) => openEventsAtFirstUse(optionsOf(directory, dedupWindowMs), OBSERVER),
};

testEventStore(inProcess, test);
testEventStoreDecimals(inProcess, test);
testEventStoreRemoval(inProcess, test);
testFileEventStore(inProcess, test);
testResultCache(
  {
    name: inProcess.name,
    openStore: async (t) => {
      const store = await inProcess.open(inProcess.directory(t));
      t.after(() => store.close());
      return store;
    },
  },
  test,
);
testEventStore(thread, rareTest);
testEventStoreDecimals(thread, rareTest);
testEventStoreRemoval(thread, rareTest);
testFileEventStore(thread, rareTest);
testEventStore(atFirstUse, rareTest);
testEventStoreDecimals(atFirstUse, rareTest);
testEventStoreRemoval(atFirstUse, rareTest);
testFileEventStore(atFirstUse, rareTest);
