import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withOpeningKeys } from './input/backup-keys.ts';
import { withAdministration } from './input/options.ts';

export function register(program: Command): void {
  withOpeningKeys(
    withAdministration(
      program.command('doctor').description('check this installation; exit code 1 when something is wrong'),
    ),
  )
    .option('--backup <file>', 'verify this backup instead: that it is as it was made (`-`: standard input)')
    .option('--accept-loss <file>', 'write off a file that is missing or damaged, so that a start makes a new one')
    .action(lazily(() => import('./actions/doctor.ts')));
}
