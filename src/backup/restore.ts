import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_FILES } from '../storage/files.ts';
import { writeManifestOf } from '../storage/installation.ts';
import { sealedName } from './files.ts';
import { type Inspected, inspect } from './inspect.ts';
import type { Manifest } from './manifest.ts';
import { discardRestore, replaceWithStaged, stageRestore } from './replace.ts';
import { unseal } from './sealing.ts';
import { badBackup, type UnpackOptions, unpack } from './unpack.ts';

export interface RestoreOptions extends Omit<UnpackOptions, 'directory'> {
  dataDir: string;
  /** Epoch milliseconds. */
  now: number;
}

export interface Restored {
  manifest: Manifest;
  /** Where what was there before is now; null when nothing was. */
  before: string | null;
  /** Of the files with keys. Without a passphrase, those of the directory stay as they are. */
  secret: 'restored' | 'not in the backup' | 'left out';
  isAuthentic: boolean;
}

/**
 * Puts the content of a backup in the place of what the data directory holds. Everything is verified before anything is
 * touched: an error leaves the directory as it was. Only the owner of the data directory may.
 */
export async function restore({ dataDir, now, ...options }: RestoreOptions): Promise<Restored> {
  const { file, keys } = options;
  const directory = stageRestore(dataDir);
  try {
    const { manifest, isAuthentic } = await unpack({ ...options, directory });
    const secret = restoreSecrets(file, directory, keys.passphrase);
    const { installationId } = await verify(file, directory, manifest);
    const kept = SECRET_FILES.filter((name) => existsSync(join(dataDir, name)));
    // Of version 0.1: the next start makes one.
    if (installationId !== null) writeManifestOf(directory, installationId, kept);
    return { manifest, isAuthentic, secret, before: replaceWithStaged(dataDir, now) };
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

function restoreSecrets(file: string, directory: string, passphrase: string | undefined): Restored['secret'] {
  const names = SECRET_FILES.filter((name) => existsSync(join(directory, sealedName(name))));
  if (names.length === 0) return 'not in the backup';
  for (const name of names) {
    const sealed = join(directory, sealedName(name));
    if (passphrase !== undefined) {
      const secret = unseal(readFileSync(sealed, 'utf8'), passphrase, name);
      if (secret === null) {
        throw badBackup(file, `has its ${name} sealed with another passphrase. Nothing was restored.`);
      }
      writeFileSync(join(directory, name), secret, { mode: 0o600, flush: true });
    }
    rmSync(sealed);
  }
  return passphrase === undefined ? 'left out' : 'restored';
}
