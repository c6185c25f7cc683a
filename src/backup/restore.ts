import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_FILE } from '../storage/files.ts';
import { SEALED_SECRET_FILE } from './files.ts';
import { inspect } from './inspect.ts';
import type { Manifest } from './manifest.ts';
import { discardRestore, replaceWithStaged, stageRestore } from './replace.ts';
import { unseal } from './sealing.ts';
import { badBackup, unpack } from './unpack.ts';

export interface RestoreOptions {
  file: string;
  dataDir: string;
  /** Without one, `secret.key` stays as it is. */
  passphrase: string | undefined;
  /** Epoch milliseconds. */
  now: number;
  onProgress: (read: number) => void;
}

export interface Restored {
  manifest: Manifest;
  /** Where what was there before is now; null when nothing was. */
  before: string | null;
  secret: 'restored' | 'not in the backup' | 'left out';
}

/**
 * Puts the content of a backup in the place of what the data directory holds. Everything is verified before anything is
 * touched: an error leaves the directory as it was. Only the owner of the data directory may.
 */
export async function restore({ file, dataDir, passphrase, now, onProgress }: RestoreOptions): Promise<Restored> {
  const directory = stageRestore(dataDir);
  try {
    const manifest = await unpack({ file, directory, onProgress });
    const secret = restoreSecret(file, directory, passphrase);
    await verify(file, directory, manifest);
    return { manifest, secret, before: replaceWithStaged(dataDir, now) };
  } catch (error) {
    discardRestore(dataDir);
    throw error;
  }
}

async function verify(file: string, directory: string, manifest: Manifest): Promise<void> {
  const { events } = await inspect(directory).catch((error: unknown) => {
    throw badBackup(
      file,
      `holds a database that is not whole: ${(error as Error).message}. Use another backup.`,
      error,
    );
  });
  if (events === manifest.events) return;
  throw badBackup(file, `holds ${events} events where ${manifest.events} were packed. Use another backup.`);
}

function restoreSecret(file: string, directory: string, passphrase: string | undefined): Restored['secret'] {
  const sealed = join(directory, SEALED_SECRET_FILE);
  if (!existsSync(sealed)) return 'not in the backup';
  try {
    if (passphrase === undefined) return 'left out';
    const secret = unseal(readFileSync(sealed, 'utf8'), passphrase);
    if (secret === null)
      throw badBackup(file, 'has its secret.key sealed with another passphrase. Nothing was restored.');
    writeFileSync(join(directory, SECRET_FILE), secret, { mode: 0o600, flush: true });
    return 'restored';
  } finally {
    rmSync(sealed);
  }
}
