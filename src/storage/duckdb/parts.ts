import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoreIdentity } from '../files/identity.ts';
import { EVENTS_FILE, QUARANTINE_FILE, SPOOL_FILE } from '../files/names.ts';
import { AnalyticsDatabase } from './database.ts';
import type { StoreObserver } from './observer.ts';
import { ResultCache } from './read/result-cache.ts';
import { Catalogue } from './write/catalogue.ts';
import { flushedPosition, savePosition } from './write/flush.ts';
import { Quarantine } from './write/quarantine.ts';
import { Spool } from './write/spool.ts';

/** Connections that are kept open for queries. */
const READERS = 4;

/** Whom the files of an event store must belong to. */
export interface EventIdentities {
  spool: StoreIdentity;
  events: StoreIdentity;
}

/** What an event store has open. */
export interface Parts {
  database: AnalyticsDatabase;
  spool: Spool;
  catalogue: Catalogue;
  quarantine: Quarantine;
  resultCache: ResultCache;
  visible: number;
}

/** Opens the files of a store in this directory. */
export async function openParts(
  {
    directory,
    memoryLimit,
    resultCacheBytes = 0,
    identities,
  }: {
    directory: string;
    memoryLimit: string;
    resultCacheBytes?: number;
    identities?: EventIdentities | undefined;
  },
  observer: StoreObserver,
): Promise<Parts> {
  const database = await AnalyticsDatabase.open(join(directory, EVENTS_FILE), {
    ...{ readers: READERS, memoryLimit, identity: identities?.events },
  });
  const spool = new Spool(join(directory, SPOOL_FILE), {
    onStage: (stage) => observer.onStage(stage),
    installationId: identities?.spool.installationId,
  });
  const catalogue = await Catalogue.load(database.writer);
  const quarantine = new Quarantine(join(directory, QUARANTINE_FILE));
  const visible = await visiblePosition(database.writer, spool, observer);
  spool.discardEarlier(visible);
  return { database, spool, catalogue, quarantine, resultCache: new ResultCache(resultCacheBytes), visible };
}

/**
 * Up to where the spool's batches are in the tables. What is in neither is gone: tables or their log were moved aside,
 * by somebody who was told so. From here on it counts as moved, so that a later loss is seen as one.
 */
async function visiblePosition(writer: DuckDBConnection, spool: Spool, observer: StoreObserver): Promise<number> {
  const noted = await flushedPosition(writer, spool.id);
  const moved = spool.firstPosition() - 1;
  if (moved <= noted) return noted;
  observer.onFault(new Error(`${moved - noted} batches that were accepted earlier are no longer in ${EVENTS_FILE}.`));
  await savePosition(writer, spool.id, moved);
  return moved;
}
