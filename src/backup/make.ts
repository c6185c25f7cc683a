import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StagedBackup } from '../core/services.ts';
import { SEALING_KEYS_FILE, SECRET_FILE } from '../storage/installation/names.ts';
import { sizeOfStored } from './files.ts';
import { compactBackup, inspect } from './inspect.ts';
import type { PackOptions } from './pack.ts';
import type { Sealing } from './sealing.ts';

/** A staged copy that was found sound, with the secrets that belong to it. */
export interface PreparedBackup extends Pick<PackOptions, 'directory' | 'createdAt' | 'inspected' | 'secrets'> {
  /** Bytes that are packed. */
  size: number;
}

/**
 * Slow, and it blocks the thread. Throws for a damaged copy. `goOn` is called between the steps,
 * and throws to end it.
 */
export async function prepareStaged(
  dataDir: string,
  { directory, createdAt }: StagedBackup,
  sealing: Sealing,
  goOn: () => void = () => undefined,
): Promise<PreparedBackup> {
  goOn();
  compactBackup(directory);
  goOn();
  const inspected = await inspect(directory);
  goOn();
  // Only a passphrase opens a backup where `secret.key` is lost.
  const names = [SEALING_KEYS_FILE, ...('passphrase' in sealing ? [SECRET_FILE] : [])];
  const present = names.filter((name) => existsSync(join(dataDir, name)));
  const secrets = new Map(present.map((name) => [name, readFileSync(join(dataDir, name))]));
  return { directory, createdAt, inspected, secrets, size: sizeOfStored(directory) };
}
