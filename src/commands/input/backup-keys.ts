import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { notFound } from '../../core/base/shared/errors.ts';
import { InstallationSecret } from '../../storage/installation/secret-key.ts';
import { nullIfUnusable } from '../../storage/installation/unusable.ts';
import { type PassphraseOptions, readPassphrase, withPassphrase } from './passphrase.ts';

export interface ReadingOptions extends PassphraseOptions {
  identity?: string;
  acceptUnauthenticated?: boolean;
}

export function withReading(command: Command): Command {
  return withPassphrase(command)
    .option('--identity <file>', 'the file of age identities that opens a backup encrypted for a recipient')
    .option('--accept-unauthenticated', 'take a backup that neither a passphrase nor the key here authenticates');
}

export async function readingKeys(options: ReadingOptions, config: Config) {
  const { identity, acceptUnauthenticated = false } = options;
  if (identity !== undefined && !existsSync(identity)) throw notFound(`There is no file ${identity}.`);
  const { readIdentities } = await import('../../backup/encryption.ts');
  const keys = {
    // Of a damaged secret, the backup may be the remedy.
    installation: nullIfUnusable(() => new InstallationSecret(config).existingKeyFor('backups')),
    passphrase: await readPassphrase(options, config),
    identities: identity === undefined ? undefined : readIdentities(identity),
  };
  return { keys, acceptUnauthenticated };
}
