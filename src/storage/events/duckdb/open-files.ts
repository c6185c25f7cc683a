import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { EVENTS_FILE, QUARANTINE_FILE, SPOOL_FILE } from '../../installation/names.ts';
import { ResultCache } from '../shared/result-cache.ts';
import type { EventIdentities } from './clean-close.ts';
import { AnalyticsDatabase } from './database.ts';
import { KeptColumns, type KeptOptions } from './kept/kept-columns.ts';
import type { StoreObserver } from './observer.ts';
import { EventChanges } from './read/changes.ts';
import { Catalogue } from './write/catalogue.ts';
import { readFlushPosition, saveFlushPosition } from './write/flush-position.ts';
import { Quarantine } from './write/quarantine.ts';
import { Spool } from './write/spool.ts';

const READERS = 4;

/** The open files of an event store, and its state in memory. */
export interface OpenFiles {
  database: AnalyticsDatabase;
  spool: Spool;
  catalogue: Catalogue;
  quarantine: Quarantine;
  resultCache: ResultCache;
  changes: EventChanges;
  kept: KeptColumns;
  /** The spool position up to which events are in the tables. */
  visible: number;
}

export interface OpenFilesOptions {
  directory: string;
  /** Memory of all queries, for example `1GB`. */
  memoryLimit: string;
  /** 0 or undefined turns the cache off. */
  resultCacheBytes?: number;
  /** Undefined turns them off. */
  keptColumns?: KeptOptions;
  /** Longer queries are interrupted, longer waits refused. */
  queryTimeoutMs: number;
  /** Undefined if they are not checked. */
  identities?: EventIdentities | undefined;
}

export async function openFiles(
  {
    directory,
    memoryLimit,
    resultCacheBytes = 0,
    keptColumns = { maxBytes: 0 },
    queryTimeoutMs,
    identities,
  }: OpenFilesOptions,
  observer: StoreObserver,
): Promise<OpenFiles> {
  const database = await AnalyticsDatabase.open(join(directory, EVENTS_FILE), {
    readers: READERS,
    memoryLimit,
    identity: identities?.events,
  });
  const spool = new Spool(join(directory, SPOOL_FILE), {
    onStage: (stage) => observer.onStage(stage),
    installationId: identities?.spool.installationId,
  });
  const catalogue = new Catalogue();
  await catalogue.open(database.writer);
  const quarantine = new Quarantine(join(directory, QUARANTINE_FILE));
  const visible = await visiblePosition(database.writer, spool, observer);
  await spool.discardEarlier(visible);
  const resultCache = new ResultCache(resultCacheBytes);
  const kept = new KeptColumns(keptColumns, database, queryTimeoutMs);
  const changes = new EventChanges((tenantId) => kept.forget(tenantId));
  return { database, spool, catalogue, quarantine, resultCache, changes, kept, visible };
}

/** Batches in neither spool nor tables are lost; they count as flushed, to notice a later loss. */
async function visiblePosition(writer: DuckDBConnection, spool: Spool, observer: StoreObserver): Promise<number> {
  const saved = await readFlushPosition(writer, spool.id);
  const discarded = spool.firstPosition() - 1;
  if (discarded <= saved) return saved;
  observer.onFault(
    new Error(`${discarded - saved} batches that were accepted earlier are no longer in ${EVENTS_FILE}.`),
  );
  await saveFlushPosition(writer, spool.id, discarded);
  return discarded;
}
