import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withOpeningKeys } from './input/backup-keys.ts';
import { withAdministration } from './input/options.ts';

export function register(program: Command): void {
  withOpeningKeys(
    withAdministration(
      program
        .command('restore <file>')
        .description('put the content of a backup in the place of what the data directory holds'),
    ),
  )
    .addHelpText(
      'after',
      '\n`-` reads standard input. The backup is verified first. What was there is kept in <data>/before-restore-<time>. Nothing else may have the directory open.',
    )
    .action(lazily(() => import('./actions/restore.ts')));
}
