import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DuckdbFile, generateCrowded, generateFloor, generateSource, openDuckdb, TENANTS } from './generate.ts';
import { diskOf, load, type OwnStore, openOwnStore, settle } from './own-store.ts';
import { crowdedEvents, type SourceEvent, sourceEvents } from './source-rows.ts';

/** The tenant with more keys than an engine can give a column each. */
export const CROWDED = 'crowded';

/** How our store was loaded, measured once. */
export interface Loaded {
  rows: number;
  seconds: number;
  disk: ReturnType<typeof diskOf>;
}

/** Data sets by number of rows, each created on first use and shared by the parts of a run. */
export class Datasets {
  private readonly root: string;
  private readonly isTemporary: boolean;
  private readonly say: (text: string) => void;

  constructor(work: string | null, say: (text: string) => void) {
    this.root = work ? resolve(work) : mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
    this.isTemporary = work === null;
    this.say = say;
  }

  remove(): void {
    if (this.isTemporary) rmSync(this.root, { recursive: true, force: true });
  }

  /** An empty directory for something that is not shared. */
  scratch(name: string): string {
    const directory = join(this.root, `scratch-${name}`);
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    return directory;
  }

  /** The file of a data set, renamed when complete: an interrupted run leaves none. */
  async file(rows: number, name: string, make: (path: string) => Promise<void>): Promise<string> {
    const directory = join(this.root, `rows-${rows}`);
    const path = join(directory, name);
    if (existsSync(path)) return path;
    mkdirSync(directory, { recursive: true });
    for (const leftover of [`${path}.partial`, `${path}.partial.wal`]) rmSync(leftover, { force: true });
    this.say(`making ${name} of ${rows.toLocaleString('en-US')} rows`);
    await make(`${path}.partial`);
    renameSync(`${path}.partial`, path);
    return path;
  }

  source(rows: number): Promise<string> {
    return this.file(rows, 'source.duckdb', (path) => inFile(path, (file) => generateSource(file, rows)));
  }

  async floor(rows: number): Promise<string> {
    const source = await this.source(rows);
    return this.file(rows, 'floor.duckdb', (path) => inFile(path, (file) => generateFloor(file, source)));
  }

  crowdedSource(rows: number): Promise<string> {
    return this.file(rows, 'crowded.duckdb', (path) => inFile(path, (file) => generateCrowded(file, rows)));
  }

  async crowdedFloor(rows: number): Promise<string> {
    const source = await this.crowdedSource(rows);
    return this.file(rows, 'crowded-floor.duckdb', (path) => inFile(path, (file) => generateFloor(file, source)));
  }

  /** Our store with the events of the source, reopened so that its files are final. */
  async own(rows: number): Promise<{ store: OwnStore; loaded: Loaded }> {
    return this.loadedStore(rows, 'own', TENANTS, async () => sourceEvents(await this.source(rows)));
  }

  async ownCrowded(rows: number): Promise<OwnStore> {
    const events = async () => crowdedEvents(await this.crowdedSource(rows));
    return (await this.loadedStore(rows, 'own-crowded', [CROWDED], events)).store;
  }

  private async loadedStore(
    rows: number,
    name: string,
    tenants: string[],
    events: () => Promise<AsyncIterable<SourceEvent[]>>,
  ): Promise<{ store: OwnStore; loaded: Loaded }> {
    const directory = join(this.root, `rows-${rows}`, name);
    // In the directory, so that deleting it also deletes the measurements.
    const record = join(directory, 'loaded.json');
    if (!existsSync(record)) {
      rmSync(directory, { recursive: true, force: true });
      const loaded = await this.loadInto(directory, rows, tenants, await events());
      writeFileSync(record, JSON.stringify(loaded));
    }
    const store = await openOwnStore(directory, tenants);
    return { store, loaded: JSON.parse(readFileSync(record, 'utf8')) as Loaded };
  }

  private async loadInto(directory: string, rows: number, tenants: string[], events: AsyncIterable<SourceEvent[]>) {
    this.say(`loading ${rows.toLocaleString('en-US')} events into our store`);
    const store = await openOwnStore(directory, tenants);
    const seconds = await load(store, events);
    await settle(directory);
    await store.runtime.close();
    return { rows, seconds, disk: diskOf(directory) };
  }
}

async function inFile(path: string, make: (file: DuckdbFile) => Promise<void>): Promise<void> {
  const file = await openDuckdb(path);
  try {
    await make(file);
  } finally {
    file.close();
  }
}

export function sizeOf(path: string): number {
  return statSync(path).size;
}
