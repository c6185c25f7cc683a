import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
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

export function withPassphrase(command: Command): Command {
  return command
    .option('--passphrase', 'ask for the passphrase of the backup (AGENT_RUNTIME_BACKUP_PASSPHRASE)')
    .option('--passphrase-file <file>', 'read it from the first line of a file');
}

export function withOpeningKeys(command: Command): Command {
  return withPassphrase(command).option(
    '--identity <file>',
    'the age identities of a recipient, or the secret.key of the installation that made the backup',
  );
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

/** Everything at hand that may open a backup: a passphrase, identities, the key of this installation. */
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
