import { statSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../core/base/shared/text.ts';
import { OWNER_LOCK } from '../ownership/owner-lock.ts';
import {
  type EventsFound,
  examineEvents,
  examineSpool,
  isMidCheckpoint,
  isUsed,
  type SpoolFound,
} from '../storage/events/duckdb/upkeep/examine.ts';
import { Installation } from '../storage/installation/installation.ts';
import {
  EVENTS_FILE,
  KNOWLEDGE_FILE,
  SPOOL_FILE,
  STATE_FILE,
  STORES,
  type StoreName,
} from '../storage/installation/names.ts';
import type { VectorSearch } from '../storage/knowledge/rows/recall.ts';
import { examineKnowledge } from '../storage/knowledge/sqlite/examine.ts';
import { examineState } from '../storage/state/sqlite/examine/state.ts';
import { FileLock } from '../storage/state/sqlite/lock.ts';
import { check, checkSilently, type Finding, formatCount } from './findings.ts';
import { findingOfSearch } from './vectors.ts';

/** Bytes read so far. */
export type OnRead = (bytes: number) => void;

export function sizeOfStores(dataDir: string): number {
  return sizeOf(dataDir, ...STORES);
}

/** Null when it is missing or unreadable. */
export async function installationOf(
  dataDir: string,
): Promise<{ installation: Installation | null; finding: Finding }> {
  let installation: Installation | null = null;
  const finding = await check('installation', async () => {
    installation = Installation.find(dataDir);
    if (installation) return `${installation.id}; must exist: ${installation.listed.join(', ')}`;
    Installation.refuseWithoutManifest(dataDir);
    return 'not listed yet; the next start does it';
  });
  return { installation, finding };
}

export class StoreReader {
  private readonly dataDir: string;
  private readonly installation: Installation | null;
  private readonly onRead: OnRead;
  private bytesBefore = 0;

  constructor(dataDir: string, installation: Installation | null, onRead: OnRead) {
    this.dataDir = dataDir;
    this.installation = installation;
    this.onRead = onRead;
  }

  async spool(): Promise<{ spool: SpoolFound | null; finding: Finding }> {
    let spool: SpoolFound | null = null;
    const finding = await this.read('spool', SPOOL_FILE, async (options) => {
      spool = await examineSpool(this.dataDir, options);
      return spool ? `${formatCount(spool.batches)} batches wait to become queryable` : 'not made yet';
    });
    return { spool, finding };
  }

  state(spool: SpoolFound | null): Promise<Finding> {
    return this.read('state database', STATE_FILE, async (options) => {
      const found = await examineState(this.dataDir, { ...options, mustHoldSomething: () => isUsed(spool) });
      return found ? `${counted(found.tenants, 'tenant')}, ${counted(found.keys, 'valid key')}` : 'not made yet';
    });
  }

  /** Holds the owner's lock, so that a starting process waits. */
  async events(spool: SpoolFound | null): Promise<{ found: EventsFound | null; finding: Finding }> {
    let found: EventsFound | null = null;
    const finding = await this.read('event database', EVENTS_FILE, async (options) => {
      const lock = new FileLock(join(this.dataDir, OWNER_LOCK));
      try {
        if (!lock.tryAcquire()) return 'is being opened by another process; not looked at';
        if (isMidCheckpoint(this.dataDir)) return 'a checkpoint was cut off; the next start finishes it';
        found = await examineEvents(this.dataDir, spool, options);
        return found ? `${formatCount(found.events)} events, schema ${found.version}` : 'not made yet';
      } finally {
        lock.close();
      }
    });
    return { found, finding };
  }

  /** The owner has the file open: checks only that it exists. */
  openEvents(): Promise<Finding[]> {
    return checkSilently('event database', () => this.installation?.refuseLossOf(EVENTS_FILE));
  }

  /** Also how each large vector store is searched. */
  async knowledge(): Promise<Finding[]> {
    let large: VectorSearch[] = [];
    const finding = await this.read('knowledge', KNOWLEDGE_FILE, async (options) => {
      const found = await examineKnowledge(this.dataDir, options);
      if (!found) return 'empty';
      large = found.large;
      const { stores, documents, unfinished } = found;
      return `${counted(stores, 'vector store')}, ${counted(documents, 'document')}, ${counted(unfinished, 'unfinished job')}`;
    });
    return [finding, ...large.map(findingOfSearch)];
  }

  private async read(what: string, name: StoreName, examine: (options: Options) => Promise<string>): Promise<Finding> {
    const size = sizeOf(this.dataDir, name);
    const finding = await check(what, async () => {
      this.installation?.refuseLossOf(name);
      return examine({
        thorough: true,
        identity: this.installation?.identityOf(name),
        onProgress: (share) => this.onRead(this.bytesBefore + share * size),
      });
    });
    this.bytesBefore += size;
    this.onRead(this.bytesBefore);
    return finding;
  }
}

type Options = Pick<Parameters<typeof examineEvents>[2], 'identity'> & {
  thorough: true;
  onProgress: (share: number) => void;
};

export function sizeOf(dataDir: string, ...names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
