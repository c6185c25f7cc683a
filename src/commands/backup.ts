import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withAdministration } from './input/options.ts';
import { withPassphrase } from './input/passphrase.ts';

export function register(program: Command): void {
  withPassphrase(
    withAdministration(
      program
        .command('backup <file>')
        .description('pack everything stored into one file, also while `serve` runs and events arrive'),
    ),
  )
    .option('--force', 'replace the file if it exists')
    .option('--encrypt', 'encrypt the whole file with the passphrase (age format)')
    .option('--recipient <age1...>', 'encrypt the whole file for a recipient (age format); may be given again', collect)
    .addHelpText(
      'after',
      '\nThe file may be a place in S3, s3://bucket/path; see docs/operation.md. secret.key and sealing-keys.json go in only with a passphrase, sealed with it.',
    )
    .action(lazily(() => import('./actions/backup.ts')));
}

function collect(recipient: string, before: string[] = []): string[] {
  return [...before, recipient];
}
