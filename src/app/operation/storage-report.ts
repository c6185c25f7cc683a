import type { Stats } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { VectorStore } from '../../core/knowledge/store.ts';
import type { StorageReport, StoreSize } from '../../core/operation/data.ts';
import { countEvents } from '../../core/operation/data.ts';
import {
  EVENTS_FILE,
  EVENTS_LOG_FILE,
  KNOWLEDGE_FILE,
  QUARANTINE_FILE,
  SPOOL_FILE,
  STATE_FILE,
  UPLOADS_DIRECTORY,
} from '../../storage/installation/names.ts';
import type { OpenStores } from '../open-stores.ts';

const SNAPSHOTS_DIRECTORY = 'snapshots';
const MOST_FILES = 10_000;
const LOGS: StoreSize = {
  ...{ store: 'logs', bytes: null, count: null, counted: null },
  note: 'Logs go to standard error: whoever runs the server keeps them.',
};

export interface StorageSources extends Pick<OpenStores, 'config' | 'eventStore' | 'postgres'> {
  vectorStores(tenantId: string): Promise<VectorStore[]>;
}

/** Sizes of files and of tables as their file systems and engines know them: nothing is read. */
export async function storageReport(sources: StorageSources, tenantId: string): Promise<StorageReport> {
  const { config, eventStore, vectorStores } = sources;
  const [events, stats, stores] = await Promise.all([
    countEvents(eventStore, tenantId, null),
    eventStore.stats(),
    vectorStores(tenantId),
  ]);
  const counts = {
    events,
    batches: stats.backlog.batches,
    quarantined: stats.quarantined,
    chunks: stores.reduce((sum, { chunks }) => sum + chunks, 0),
  };
  return config.nodes === null ? ofFiles(config.dataDir, counts) : ofNodes(sources, stats.backlog.bytes, counts);
}

interface Counts {
  events: number;
  batches: number;
  quarantined: number;
  chunks: number;
}

async function ofFiles(dataDir: string, { events, batches, quarantined, chunks }: Counts): Promise<StorageReport> {
  const [ofEvents, spool, state, vectors, quarantine, uploads, snapshots, disk] = await Promise.all([
    sizeOfFiles(dataDir, EVENTS_FILE, EVENTS_LOG_FILE),
    sizeOfFiles(dataDir, ...sqliteFiles(SPOOL_FILE)),
    sizeOfFiles(dataDir, ...sqliteFiles(STATE_FILE)),
    sizeOfFiles(dataDir, ...sqliteFiles(KNOWLEDGE_FILE)),
    sizeOfFiles(dataDir, QUARANTINE_FILE),
    sizeOfDirectory(join(dataDir, UPLOADS_DIRECTORY)),
    sizeOfDirectory(join(dataDir, SNAPSHOTS_DIRECTORY)),
    statfs(dataDir),
  ]);
  return {
    kind: 'files',
    place: dataDir,
    stores: [
      { store: 'events', bytes: ofEvents, count: events, counted: 'events', note: null },
      { store: 'spool', bytes: spool, count: batches, counted: 'batches that wait to become queryable', note: null },
      { store: 'state', bytes: state, count: null, counted: null, note: null },
      { store: 'vectors', bytes: vectors, count: chunks, counted: 'chunks of documents', note: null },
      { store: 'uploads', bytes: uploads.bytes, count: uploads.files, counted: 'files', note: null },
      { store: 'quarantine', bytes: quarantine, count: quarantined, counted: 'events that were refused', note: null },
      { store: 'snapshots', bytes: snapshots.bytes, count: snapshots.files, counted: 'files', note: null },
      LOGS,
    ],
    disk: { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize },
  };
}

async function ofNodes(
  { config, postgres }: StorageSources,
  backlogBytes: number,
  { events, batches, quarantined, chunks }: Counts,
): Promise<StorageReport> {
  const { databaseBytes } = await import('../../storage/state/postgres/nodes.ts');
  const [state, ofEvents] = await Promise.all([
    databaseBytes(postgres!.pool).catch(() => null),
    bytesOfClickhouse(config.nodes!.clickhouseUrl).catch(() => null),
  ]);
  const inState = 'It is a part of PostgreSQL, in the size of the state.';
  const away = (bytes: number | null) => (bytes === null ? 'The database does not say at the moment.' : null);
  return {
    kind: 'nodes',
    place: null,
    stores: [
      { store: 'events', bytes: ofEvents, count: events, counted: 'events', note: away(ofEvents) },
      {
        ...{ store: 'spool', bytes: backlogBytes, count: batches, counted: 'batches that wait to become queryable' },
        note: inState,
      },
      { store: 'state', bytes: state, count: null, counted: null, note: away(state) },
      { store: 'vectors', bytes: null, count: chunks, counted: 'chunks of documents', note: inState },
      {
        ...{ store: 'uploads', bytes: null, count: null, counted: null },
        note: 'Files that wait are in the bucket, whose provider has its size.',
      },
      { store: 'quarantine', bytes: null, count: quarantined, counted: 'events that were refused', note: inState },
      LOGS,
    ],
    disk: null,
  };
}

async function bytesOfClickhouse(url: string): Promise<number> {
  const { ClickhouseExamination } = await import('../../storage/events/clickhouse/examine.ts');
  const examination = await ClickhouseExamination.open(url);
  try {
    return (await examination.parts()).bytes;
  } finally {
    await examination.close();
  }
}

function sqliteFiles(name: string): string[] {
  return [name, `${name}-wal`, `${name}-shm`];
}

/** Bytes; a missing file has none. */
async function sizeOfFiles(directory: string, ...names: string[]): Promise<number> {
  const found = await Promise.all(names.map((name) => statOrNull(join(directory, name))));
  return found.reduce((sum, stats) => sum + (stats?.size ?? 0), 0);
}

/** Without its subdirectories, of which there are none, and of at most so many files. */
async function sizeOfDirectory(path: string): Promise<{ bytes: number; files: number }> {
  const names = await readdir(path).catch(() => []);
  const found = await Promise.all(names.slice(0, MOST_FILES).map((name) => statOrNull(join(path, name))));
  return { bytes: found.reduce((sum, stats) => sum + (stats?.size ?? 0), 0), files: names.length };
}

function statOrNull(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null);
}
