import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeManifestOf } from '../storage/installation/installation.ts';
import { mergedKeyRing } from '../storage/installation/key-ring-file.ts';
import { SEALING_KEYS_FILE, SECRET_FILES } from '../storage/installation/names.ts';
import { type Inspected, inspect } from './inspect.ts';
import type { Manifest } from './manifest.ts';
import { discardRestore, replaceWithStaged, stageRestore } from './replace.ts';
import { badBackup, type UnpackOptions, unpack } from './unpack.ts';

export interface RestoreOptions extends Omit<UnpackOptions, 'directory'> {
  dataDir: string;
  now: number;
}

export interface Restored {
  manifest: Manifest;
  /** The directory of the replaced files, if any. */
  before: string | null;
}

/** Verifies first: an error leaves the data directory unchanged. For the owner only. */
export async function restoreBackup({ dataDir, now, ...options }: RestoreOptions): Promise<Restored> {
  const directory = stageRestore(dataDir);
  try {
    const manifest = await unpack({ ...options, directory });
    const { installationId } = await verify(options.source.name, directory, manifest);
    mergeKeyRing(dataDir, directory);
    const present = SECRET_FILES.filter((name) => existsSync(join(dataDir, name)));
    writeManifestOf(directory, installationId, present);
    return { manifest, before: replaceWithStaged(dataDir, now) };
  } catch (error) {
    discardRestore(dataDir);
    throw error;
  }
}

async function verify(file: string, directory: string, manifest: Manifest): Promise<Inspected> {
  const inspected = await inspect(directory).catch((error: unknown) => {
    throw badBackup(
      file,
      `holds a database that is not whole: ${(error as Error).message}. Use another backup.`,
      error,
    );
  });
  if (inspected.events === manifest.events) return inspected;
  throw badBackup(file, `holds ${inspected.events} events where ${manifest.events} were packed. Use another backup.`);
}

/** The present keys stay: what was sealed since the backup needs them. */
function mergeKeyRing(dataDir: string, directory: string): void {
  const ring = join(directory, SEALING_KEYS_FILE);
  if (!existsSync(ring)) return;
  writeFileSync(ring, mergedKeyRing(readFileSync(ring, 'utf8'), dataDir), { flush: true });
}
