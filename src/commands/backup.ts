import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withPassphrase } from './input/backup-keys.ts';
import { withAdministration } from './input/options.ts';

export function register(program: Command): void {
  withPassphrase(
    withAdministration(
      program
        .command('backup <file>')
        .description('pack everything stored into one file, also while `serve` runs and events arrive'),
    ),
  )
    .option('--force', 'replace the file if it exists')
    .option('--recipient <age1...>', 'seal it for a recipient of age instead; may be given again', collect)
    .addHelpText(
      'after',
      '\n`-` writes to standard output. Without a passphrase or recipient, it opens only with the secret key of this installation. secret.key goes in only with a passphrase.',
    )
    .action(lazily(() => import('./actions/backup.ts')));
}

function collect(recipient: string, before: string[] = []): string[] {
  return [...before, recipient];
}
