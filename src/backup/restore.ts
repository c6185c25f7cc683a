import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeManifestOf } from '../storage/installation/installation.ts';
import { mergedKeyRing } from '../storage/installation/key-ring-file.ts';
import { SEALING_KEYS_FILE, SECRET_FILES } from '../storage/installation/names.ts';
import { sealedName } from './files.ts';
import { type Inspected, inspect } from './inspect.ts';
import type { Manifest } from './manifest.ts';
import { discardRestore, replaceWithStaged, stageRestore } from './replace.ts';
import { unseal } from './sealing.ts';
import { badBackup, type UnpackOptions, unpack } from './unpack.ts';

export interface RestoreOptions extends Omit<UnpackOptions, 'directory'> {
  dataDir: string;
  now: number;
}

export interface Restored {
  manifest: Manifest;
  /** The directory of the replaced files, if any. */
  before: string | null;
  /** By file. Without a passphrase, the present files stay. */
  secrets: Record<string, 'restored' | 'not in the backup' | 'left out'>;
  isAuthentic: boolean;
}

/** Verifies first: an error leaves the data directory unchanged. For the owner only. */
export async function restore({ dataDir, now, ...options }: RestoreOptions): Promise<Restored> {
  const { source, keys } = options;
  const file = source.name;
  const directory = stageRestore(dataDir);
  try {
    const { manifest, isAuthentic } = await unpack({ ...options, directory });
    const secrets = restoreSecrets({ file, dataDir, directory, passphrase: keys.passphrase });
    const { installationId } = await verify(file, directory, manifest);
    const present = SECRET_FILES.filter((name) => existsSync(join(dataDir, name)));
    writeManifestOf(directory, installationId, present);
    return { manifest, isAuthentic, secrets, before: replaceWithStaged(dataDir, now) };
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

interface SecretsToRestore {
  file: string;
  dataDir: string;
  directory: string;
  passphrase: string | undefined;
}

/** Merges the key ring into the present one. */
function restoreSecrets({ file, dataDir, directory, passphrase }: SecretsToRestore): Restored['secrets'] {
  const results = SECRET_FILES.map((name) => {
    const sealed = join(directory, sealedName(name));
    if (!existsSync(sealed)) return [name, 'not in the backup'] as const;
    try {
      if (passphrase === undefined) return [name, 'left out'] as const;
      const secret = unseal(readFileSync(sealed, 'utf8'), passphrase, name);
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
  return Object.fromEntries(results);
}
