import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEALING_KEYS_FILE } from '../storage/files.ts';
import { mergedKeyRing } from '../storage/key-ring-file.ts';
import { SECRET_FILES, sealedName } from './files.ts';
import { inspect } from './inspect.ts';
import type { Manifest } from './manifest.ts';
import { discardRestore, replaceWithStaged, stageRestore } from './replace.ts';
import { unseal } from './sealing.ts';
import { badBackup, unpack } from './unpack.ts';

export interface RestoreOptions {
  file: string;
  dataDir: string;
  /** Without one, secret files stay as they are. */
  passphrase: string | undefined;
  /** Epoch milliseconds. */
  now: number;
  onProgress: (read: number) => void;
}

export interface Restored {
  manifest: Manifest;
  /** Where what was there before is now; null when nothing was. */
  before: string | null;
  secrets: Record<(typeof SECRET_FILES)[number], 'restored' | 'not in the backup' | 'left out'>;
}

/**
 * Puts the content of a backup in the place of what the data directory holds. Everything is verified before anything is
 * touched: an error leaves the directory as it was. Only the owner of the data directory may.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { file, dataDir, now, onProgress } = options;
  const directory = stageRestore(dataDir);
  try {
    const manifest = await unpack({ file, directory, onProgress });
    const secrets = restoreSecrets(options, directory);
    await verify(file, directory, manifest);
    return { manifest, secrets, before: replaceWithStaged(dataDir, now) };
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

/** Of each secret file: what became of it. The key ring takes in the keys of the one that is there, and loses none. */
function restoreSecrets({ file, dataDir, passphrase }: RestoreOptions, directory: string): Restored['secrets'] {
  const results = SECRET_FILES.map((name) => {
    const sealed = join(directory, sealedName(name));
    if (!existsSync(sealed)) return [name, 'not in the backup'] as const;
    try {
      if (passphrase === undefined) return [name, 'left out'] as const;
      const secret = unseal(readFileSync(sealed, 'utf8'), passphrase);
      if (secret === null) {
        throw badBackup(file, `has its ${name} sealed with another passphrase. Nothing was restored.`);
      }
      const content = name === SEALING_KEYS_FILE ? mergedKeyRing(secret.toString(), dataDir) : secret;
      writeFileSync(join(directory, name), content, { mode: 0o600, flush: true });
      return [name, 'restored'] as const;
    } finally {
      rmSync(sealed);
    }
  });
  return Object.fromEntries(results) as Restored['secrets'];
}
