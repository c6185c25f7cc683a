import { existsSync, readFileSync } from 'node:fs';
import type { OpeningKeys } from '../../backup/sealing.ts';
import type { Config } from '../../config.ts';
import { invalid, notFound } from '../../core/base/shared/errors.ts';
import { InstallationSecret } from '../../storage/installation/secret-key.ts';
import { nullIfUnusable } from '../../storage/installation/unusable.ts';
import { askSecret } from './prompt.ts';

export interface PassphraseOptions {
  passphrase?: boolean;
  passphraseFile?: string;
}

export interface OpeningOptions extends PassphraseOptions {
  identity?: string;
}

/** Asks on the terminal if that is wanted. Null without a passphrase in the options. */
export async function readPassphrase(
  { passphrase, passphraseFile }: PassphraseOptions,
  { twice = false } = {},
): Promise<string | null> {
  if (passphraseFile !== undefined) {
    if (!existsSync(passphraseFile)) throw notFound(`There is no file ${passphraseFile}.`);
    const [line = ''] = readFileSync(passphraseFile, 'utf8').split(/\r?\n/);
    if (line === '') throw invalid(`--passphrase-file: the first line of ${passphraseFile} is empty`);
    return line;
  }
  if (!passphrase) return null;
  if (!process.stdin.isTTY) throw invalid('--passphrase: there is no terminal to ask on; use --passphrase-file');
  return askSecret('Passphrase: ', { field: '--passphrase', twice });
}

/** A passphrase, identities and the key of this installation, as far as they are at hand. */
export async function openingKeys(options: OpeningOptions, config: Config): Promise<OpeningKeys> {
  const { identity } = options;
  if (identity !== undefined && !existsSync(identity)) throw notFound(`There is no file ${identity}.`);
  const { readIdentities } = await import('../../backup/sealing.ts');
  // The backup may be the remedy for a damaged secret.
  const own = nullIfUnusable(() => new InstallationSecret(config).existingKeyFor('backups'));
  return {
    passphrase: (await readPassphrase(options)) ?? config.backupPassphrase,
    identities: [...(identity === undefined ? [] : readIdentities(identity)), ...(own === null ? [] : [own])],
  };
}
