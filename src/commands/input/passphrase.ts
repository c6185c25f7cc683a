import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { invalid, notFound } from '../../core/base/shared/errors.ts';
import { askSecret } from './prompt.ts';

export interface PassphraseOptions {
  passphrase?: boolean;
  passphraseFile?: string;
}

export function withPassphrase(command: Command): Command {
  return command
    .option('--passphrase', 'ask for the passphrase of the backup (AGENT_RUNTIME_BACKUP_PASSPHRASE)')
    .option('--passphrase-file <file>', 'read it from the first line of a file');
}

/** From a file, the terminal or the environment. */
export async function readPassphrase(
  { passphrase, passphraseFile }: PassphraseOptions,
  { backupPassphrase }: Config,
  { twice = false } = {},
): Promise<string | undefined> {
  if (passphraseFile !== undefined) {
    if (!existsSync(passphraseFile)) throw notFound(`There is no file ${passphraseFile}.`);
    const [line = ''] = readFileSync(passphraseFile, 'utf8').split(/\r?\n/);
    if (line === '') throw invalid(`--passphrase-file: the first line of ${passphraseFile} is empty`);
    return line;
  }
  if (!passphrase) return backupPassphrase;
  if (!process.stdin.isTTY) throw invalid('--passphrase: there is no terminal to ask on; use --passphrase-file');
  return askSecret('Passphrase: ', { field: '--passphrase', twice });
}
