import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3, { SqliteError } from 'better-sqlite3';
import { z } from 'zod';
import { installationInState } from '../state/sqlite/identity.ts';
import { FileLock } from '../state/sqlite/lock.ts';
import { diskFullError, writeDurably } from './disk.ts';
import {
  EVENTS_FILE,
  INSTALLATION_FILE,
  SECRET_FILE,
  SECRET_FILES,
  STATE_FILE,
  STORES,
  type StoreName,
} from './names.ts';
import { damaged, ofNewerVersion, type StoreIdentity, statFile, UnusableFile } from './unusable.ts';

/* A file is listed after its creation and before its use: a listed file that is missing is lost. */

const FORMAT = 1;
const LOCK_TIMEOUT_MS = 30_000;

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  installationId: z.string().min(1).max(100),
  /** `unmarked`: not opened since it was listed, or without a field for the id. */
  files: z.record(z.string(), z.enum(['marked', 'unmarked'])),
});

type Manifest = z.output<typeof manifestSchema>;

/** Throws an UnusableFile when a listed file is missing. */
export function openInstallation({ dataDir, secretKey }: { dataDir: string; secretKey?: string | undefined }) {
  const installation = Installation.open(dataDir);
  installation.refuseLosses({ exceptSecret: secretKey !== undefined });
  // Copied in, or created just before a crash.
  installation.made(...SECRET_FILES.filter((name) => existsSync(join(dataDir, name))));
  return installation;
}

export class Installation {
  readonly id: string;
  private readonly dataDir: string;
  private files: Manifest['files'];

  private constructor(dataDir: string, { installationId, files }: Manifest) {
    this.dataDir = dataDir;
    this.id = installationId;
    this.files = files;
  }

  /** Creates the manifest of a new directory. Throws an UnusableFile. */
  static open(dataDir: string): Installation {
    const known = Installation.find(dataDir);
    if (known) return known;
    return whileLocked(dataDir, () => Installation.find(dataDir) ?? Installation.make(dataDir));
  }

  static find(dataDir: string): Installation | null {
    const manifest = readManifest(join(dataDir, INSTALLATION_FILE));
    return manifest && new Installation(dataDir, manifest);
  }

  static refuseWithoutManifest(dataDir: string): void {
    if (STORES.some((name) => holdsSomething(dataDir, name))) {
      const what = 'is missing, as it is in directories of version 0.1, which cannot be read';
      throw damaged(join(dataDir, INSTALLATION_FILE), what);
    }
  }

  static rebuild(dataDir: string): Installation {
    return whileLocked(dataDir, () => {
      const id = STORES.map((name) => idIn(dataDir, name)).find((found) => found !== null);
      return Installation.write(dataDir, manifestOf(dataDir, id ?? randomUUID()));
    });
  }

  private static make(dataDir: string): Installation {
    Installation.refuseWithoutManifest(dataDir);
    return Installation.write(dataDir, manifestOf(dataDir, randomUUID()));
  }

  private static write(dataDir: string, manifest: Manifest): Installation {
    writeManifest(dataDir, manifest);
    return new Installation(dataDir, manifest);
  }

  identityOf(name: StoreName): StoreIdentity {
    return { installationId: this.id, isMarked: this.files[name] === 'marked' };
  }

  get listed(): string[] {
    return Object.keys(this.files);
  }

  refuseLosses({ exceptSecret }: { exceptSecret: boolean }): void {
    for (const name of this.listed) {
      if (exceptSecret && name === SECRET_FILE) continue;
      this.refuseLossOf(name);
    }
  }

  refuseLossOf(name: string): void {
    if (name in this.files && !holdsSomething(this.dataDir, name)) throw lossOf(this.dataDir, name);
  }

  /** Call it before anything is stored in them. */
  made(...names: string[]): void {
    const statusOf = (name: string) => (isStore(name) ? 'marked' : 'unmarked');
    if (names.every((name) => this.files[name] === statusOf(name))) return;
    this.change((files) => ({ ...files, ...Object.fromEntries(names.map((name) => [name, statusOf(name)])) }));
  }

  writeOff(name: string): void {
    this.change((files) => Object.fromEntries(Object.entries(files).filter(([listed]) => listed !== name)));
  }

  private change(change: (files: Manifest['files']) => Manifest['files']): void {
    whileLocked(this.dataDir, () => {
      // Another process may have listed more.
      const present = Installation.find(this.dataDir) ?? this;
      this.files = change(present.files);
      writeManifest(this.dataDir, { format: FORMAT, installationId: this.id, files: this.files });
    });
  }
}

export function isInstalled(dataDir: string): boolean {
  return existsSync(join(dataDir, STATE_FILE)) || (Installation.find(dataDir)?.listed.length ?? 0) > 0;
}

/** For files of this installation or without an id. */
export function writeManifestOf(directory: string, installationId: string, secrets: readonly string[]): void {
  const { files, ...manifest } = manifestOf(directory, installationId);
  const listed = Object.fromEntries(secrets.map((name) => [name, 'unmarked' as const]));
  writeManifest(directory, { ...manifest, files: { ...files, ...listed } });
}

function manifestOf(dataDir: string, installationId: string): Manifest {
  const found = [...STORES, ...SECRET_FILES].filter((name) => holdsSomething(dataDir, name));
  const files = Object.fromEntries(found.map((name) => [name, 'unmarked' as const]));
  return { format: FORMAT, installationId, files };
}

function isStore(name: string): name is StoreName {
  return (STORES as readonly string[]).includes(name);
}

function holdsSomething(dataDir: string, name: string): boolean {
  return (statFile(join(dataDir, name))?.size ?? 0) > 0;
}

function lossOf(dataDir: string, name: string): UnusableFile {
  const path = join(dataDir, name);
  return damaged(path, existsSync(path) ? 'is damaged: it is empty' : 'is missing');
}

/** The events' id is checked when they are opened. */
function idIn(dataDir: string, name: StoreName): string | null {
  if (name === EVENTS_FILE || !holdsSomething(dataDir, name)) return null;
  try {
    const database = new BetterSqlite3(join(dataDir, name), { readonly: true, fileMustExist: true, timeout: 5_000 });
    try {
      return installationInState(database);
    } finally {
      database.close();
    }
  } catch (error) {
    // Opening the store reports the damage.
    if (error instanceof SqliteError) return null;
    throw error;
  }
}

function readManifest(path: string): Manifest | null {
  if (!statFile(path)) return null;
  try {
    const json = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    const { format } = z.object({ format: z.int() }).parse(json);
    if (format > FORMAT) throw ofNewerVersion(path);
    return manifestSchema.parse(json);
  } catch (error) {
    if (error instanceof UnusableFile) throw error;
    throw damaged(path, 'is damaged: it is not the list of files that was written', error);
  }
}

function writeManifest(dataDir: string, manifest: Manifest): void {
  try {
    writeDurably(join(dataDir, INSTALLATION_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  } catch (error) {
    throw diskFullError(dataDir, error);
  }
}

function whileLocked<Result>(dataDir: string, work: () => Result): Result {
  const lock = new FileLock(join(dataDir, 'installation.lock'));
  try {
    if (!lock.acquireSync(LOCK_TIMEOUT_MS)) {
      throw new Error(`Another process has been changing ${join(dataDir, INSTALLATION_FILE)} for too long.`);
    }
    return work();
  } finally {
    lock.close();
  }
}
