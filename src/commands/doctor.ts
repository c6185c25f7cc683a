import type { Command } from 'commander';
import { lazily } from './actions/lazily.ts';
import { withReading } from './input/backup-keys.ts';
import { withAdministration } from './input/options.ts';

export function register(program: Command): void {
  withReading(
    withAdministration(
      program.command('doctor').description('check this installation; exit code 1 when something is wrong'),
    ),
  )
    .option('--backup <file>', 'verify this backup instead: that it is whole, and as it was made')
    .option('--accept-loss <file>', 'write off a file that is missing or damaged, so that a start makes a new one')
    .action(lazily(() => import('./actions/doctor.ts')));
}
